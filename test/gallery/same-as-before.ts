import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Whether a picture equals the reviewed one at `path`. A changed or new picture is written next to it with the suffix
 * `-changed`: review it, and rename it if it is right.
 */
export function sameAsBefore(path: string, shown: string): boolean {
  const changed = path.replace(/(\.[^/]+)$/, "-changed$1");
  const isSame = existsSync(path) && readFileSync(path, "utf8") === shown;
  if (isSame) rmSync(changed, { force: true });
  else writeFileSync(changed, shown);
  return isSame;
}
