import { StringDecoder } from "node:string_decoder";
import type { TouchedFiles } from "../vcs.ts";

/** Reads NUL-terminated paths and stops after `limit`. */
export async function readPaths(output: AsyncIterable<Uint8Array>, limit: number): Promise<TouchedFiles> {
  const decoder = new StringDecoder("utf8");
  const paths: string[] = [];
  let partial = "";
  for await (const bytes of output) {
    const complete = `${partial}${decoder.write(bytes)}`.split("\0");
    partial = complete.pop() ?? "";
    paths.push(...complete.slice(0, limit + 1 - paths.length));
    if (paths.length > limit) break;
  }
  return firstPaths(paths, limit);
}

export function firstPaths(paths: readonly string[], limit: number): TouchedFiles {
  return { paths: paths.slice(0, limit).sort(), isCut: paths.length > limit };
}
