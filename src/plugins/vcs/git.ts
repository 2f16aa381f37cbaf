import { dirname, resolve } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { Git } from "./git-process.ts";
import { openRepository } from "./git-repository.ts";
import { missingFolders, removeIfEmpty } from "./machine/folders.ts";
import { reasonOf } from "./machine/program.ts";
import type { Environment, Vcs, VcsPlugin } from "./vcs.ts";

/**
 * Version control through the `git` program: SHA-1 and SHA-256 repositories, linked worktrees, bare, empty and shallow
 * ones.
 */
export const git: VcsPlugin = Object.freeze({
  kind: "vcs",
  name: "git",
  synopsis: "versions kept by git",
  options: [],

  async init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    environment: Environment,
  ): Promise<void> {
    const options = [
      ...Object.entries(params).map(([name, value]) => param(path, name, value)),
      ...flags.map((flag) => option(path, flag)),
    ];
    const missing = missingFolders(resolve(path));
    const outside = new Git(dirname(missing.at(-1) ?? resolve(path)), environment);
    const answer = await outside.run("init", "--quiet", ...options, "--", resolve(path));
    if (answer.status === 0) return;
    missing.forEach(removeIfEmpty);
    throw new Failure("vcs-init-failed", { path, reason: reasonOf(answer) });
  },

  async open(path: string, environment: Environment): Promise<Vcs> {
    return openRepository(new Git(resolve(path), environment));
  },
} satisfies VcsPlugin);

function param(path: string, name: string, value: string): string {
  return `${option(path, name)}=${value}`;
}

/** The names are the user's: with or without dashes in front, underscores as Python spells them. */
function option(path: string, name: string): string {
  const word = name.replace(/^--?/, "").replaceAll("_", "-");
  if (!/^[a-z][a-z-]*$/.test(word))
    throw new Failure("vcs-init-failed", { path, reason: `'${name}' is no option of git init` });
  return `--${word}`;
}
