import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtins } from "../../plugins/builtin.ts";

/** Type of the nearest repository at or above `path`, which is absolute; git if there is none. */
export function detectVcs(path: string): string {
  const vcs = builtins.find(({ mark }) => mark !== undefined && existsSync(join(path, mark)));
  if (vcs !== undefined) return vcs.name;
  return dirname(path) === path ? "git" : detectVcs(dirname(path));
}
