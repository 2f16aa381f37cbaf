import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtins } from "../../plugins/builtin.ts";

/**
 * The version control system of the nearest repository at or above `path`, which is absolute; git where there is none.
 */
export function detectVcs(path: string): string {
  const found = builtins.find(({ mark }) => mark !== undefined && existsSync(join(path, mark)));
  if (found !== undefined) return found.name;
  return dirname(path) === path ? "git" : detectVcs(dirname(path));
}
