import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Whether a picture is the one at `path`, which somebody looked at. One that changed is written beside the old one as
 * `-changed`, and so is a new one: look at it, and rename it if it is right.
 */
export function sameAsBefore(path: string, shown: string): boolean {
  const changed = path.replace(/(\.[^/]+)$/, "-changed$1");
  const isSame = existsSync(path) && readFileSync(path, "utf8") === shown;
  if (isSame) rmSync(changed, { force: true });
  else writeFileSync(changed, shown);
  return isSame;
}
