import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Path of a file under `assets/`, searched upwards from this module: next to the bundle's folder, or above the sources.
 */
export function assetPath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, "assets", name);
    if (existsSync(path) || folder === dirname(folder)) return path;
    folder = dirname(folder);
  }
}

/** The folder in which this package is installed. */
export function packageFolder(): string {
  return dirname(assetPath("").replace(/[/]$/, ""));
}
