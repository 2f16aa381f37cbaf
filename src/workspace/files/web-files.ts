import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "./assets.ts";

/** Path of a file that browsers are given, `app.js` or in a folder of these; the build puts them beside the program. */
export function webFilePath(name: string): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), "web", name);
  return existsSync(beside) ? beside : join(packageFolder(), "dist", "web", name);
}

export function readWebFile(name: string): string {
  return readFileSync(webFilePath(name), "utf8");
}

/** What a page's policy calls a script that stands in it (CSP 3, 6.7.2.5). */
export function scriptHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
