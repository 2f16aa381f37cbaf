import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * Absolute path of the first executable file named `program` in the folders of `path` (the value of PATH), or null.
 * Skips relative folders.
 */
export function searchPath(program: string, path: string | undefined): string | null {
  if (program === "" || program.includes("/") || program.includes("\0")) return null;
  for (const folder of (path ?? "").split(delimiter)) {
    if (isAbsolute(folder) && isExecutable(join(folder, program))) return join(folder, program);
  }
  return null;
}

/** True for a regular file that this process may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
