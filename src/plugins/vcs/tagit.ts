import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { missingFolders, removeIfEmpty } from "./machine/folders.ts";
import { syncFolder } from "./tagit-objects.ts";
import { refuseBadName } from "./tagit-recorder.ts";
import { openRepository } from "./tagit-repository.ts";
import { hasState, writeState } from "./tagit-state.ts";
import type { Environment, Vcs, VcsPlugin } from "./vcs.ts";

/** Content-addressed snapshots of a plain folder, stored in `.tagit`: no program, no server, no staging area. */
export const tagit: VcsPlugin = Object.freeze({
  kind: "vcs",
  name: "tagit",
  synopsis: "snapshots of a plain folder, stored by perfkeep itself",
  options: [],

  async init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    _environment: Environment,
  ): Promise<void> {
    const branch = branchOf(path, params, flags);
    const folder = join(resolve(path), ".tagit");
    if (hasState(folder)) return;
    const missing = missingFolders(folder);
    try {
      for (const name of ["objects", "states"]) mkdirSync(join(folder, name), { recursive: true });
      for (const created of missing) syncFolder(join(created, ".."));
      writeState(folder, { number: 0, branch, branches: new Map(), tags: new Map() });
    } catch (error) {
      for (const created of [join(folder, "objects"), join(folder, "states"), ...missing]) removeIfEmpty(created);
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Failure("vcs-init-failed", { path, program: "tagit", reason: code ?? message }, error);
    }
  },

  async open(path: string, _environment: Environment): Promise<Vcs> {
    return openRepository(resolve(path));
  },
} satisfies VcsPlugin);

/** Fails with `vcs-init-failed`, `bad-version-name`. */
function branchOf(path: string, params: Readonly<Record<string, string>>, flags: readonly string[]): string {
  const { "initial-branch": hyphenated, initial_branch: underscored, ...others } = params;
  const unknown = flags[0] ?? Object.keys(others)[0];
  if (unknown !== undefined)
    throw new Failure("vcs-init-failed", { path, program: "tagit", reason: `'${unknown}' is not an option of tagit` });
  const branch = hyphenated ?? underscored ?? "main";
  refuseBadName("branch", branch);
  return branch;
}
