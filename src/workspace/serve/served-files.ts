import { readdirSync, readFileSync } from "node:fs";
import { webFilePath } from "../files/web-files.ts";
import { policies } from "./live-page.ts";

export interface ServedFile {
  readonly type: string;
  readonly policy: string;
  bytes(): Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  png: "image/png",
  ico: "image/x-icon",
  woff2: "font/woff2",
  wasm: "application/wasm",
};

/**
 * All files that are handed out, by path: what is not in this list is not there, however its path is written. Each is
 * read at its first use.
 */
export function servedFiles(): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  for (const name of ["app.js", "app.css", "charts.js"]) files.set(`/web/${name}`, servedFile(name, policies.app));
  for (const name of readdirSync(webFilePath("speedscope"))) {
    const file = servedFile(`speedscope/${name}`, policies.speedscope);
    files.set(`/speedscope/${name}`, file);
    if (name === "index.html") files.set("/speedscope/", file);
  }
  return files;
}

function servedFile(name: string, policy: string): ServedFile {
  let kept: Uint8Array | undefined;
  const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return { type, policy, bytes: () => (kept ??= readFileSync(webFilePath(name))) };
}
