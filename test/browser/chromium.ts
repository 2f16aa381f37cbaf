import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * The path of Chromium: `PERFKEEP_CHROMIUM`, or the first of the usual names on the PATH; undefined if there is none.
 */
export function chromiumPath(): string | undefined {
  const named = process.env["PERFKEEP_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin"];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
