import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Path of a file that is shipped under `assets/`: beside the bundle's folder, or two levels above the sources. */
export function assetPath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, "assets", name);
    if (existsSync(path) || folder === dirname(folder)) return path;
    folder = dirname(folder);
  }
}

/** The folder of this package, as it was installed. */
export function packageFolder(): string {
  return dirname(assetPath("").replace(/[/]$/, ""));
}
