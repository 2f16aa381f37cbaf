import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "./assets.ts";

/** Path of a file served to browsers, such as `app.js`; the build puts them next to the program. */
export function webFilePath(name: string): string {
  const bundled = join(dirname(fileURLToPath(import.meta.url)), "web", name);
  return existsSync(bundled) ? bundled : join(packageFolder(), "dist", "web", name);
}

export function readWebFile(name: string): string {
  return readFileSync(webFilePath(name), "utf8");
}

/** The CSP source expression of an inline script (CSP 3, 6.7.2.5). */
export function scriptHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
