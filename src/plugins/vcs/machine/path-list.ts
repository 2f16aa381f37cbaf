import { StringDecoder } from "node:string_decoder";
import type { TouchedFiles } from "../vcs.ts";

/** Paths, each ended by NUL, as a program prints them; no more is read than is wanted. */
export async function readPaths(output: AsyncIterable<Uint8Array>, limit: number): Promise<TouchedFiles> {
  const decoder = new StringDecoder("utf8");
  const paths: string[] = [];
  let rest = "";
  for await (const bytes of output) {
    const parts = `${rest}${decoder.write(bytes)}`.split("\0");
    rest = parts.pop() ?? "";
    paths.push(...parts.slice(0, limit + 1 - paths.length));
    if (paths.length > limit) break;
  }
  return firstPaths(paths, limit);
}

export function firstPaths(paths: readonly string[], limit: number): TouchedFiles {
  return { paths: paths.slice(0, limit).sort(), isCut: paths.length > limit };
}
