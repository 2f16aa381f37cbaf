import { dirname, join, resolve } from "node:path";
import { existsSync } from "node:fs";
import { Failure } from "../../core/failures/failure.ts";
import { Hg } from "./hg-process.ts";
import { openRepository } from "./hg-repository.ts";
import { missingFolders, removeIfEmpty } from "./machine/folders.ts";
import { reasonOf } from "./machine/program.ts";
import type { Environment, Vcs, VcsPlugin } from "./vcs.ts";

/**
 * Version control through the `hg` program. Major versions are open named branches and bookmarks; trees of versions are
 * shares.
 */
export const hg: VcsPlugin = Object.freeze({
  kind: "vcs",
  name: "hg",
  aliases: ["mercurial"],
  synopsis: "versions kept by Mercurial",
  options: [],

  async init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    environment: Environment,
  ): Promise<void> {
    const place = resolve(path);
    const options = [
      ...Object.entries(params).flatMap(([name, value]) => [`${option(path, name)}=${value}`]),
      ...flags.map((flag) => option(path, flag)),
    ];
    if (existsSync(join(place, ".hg"))) return;
    const missing = missingFolders(place);
    const outside = new Hg(dirname(missing.at(-1) ?? place), environment);
    const answer = await outside.run("init", ...options, "--", place);
    if (answer.status === 0) return;
    missing.forEach(removeIfEmpty);
    throw new Failure("vcs-init-failed", { path, program: "hg", reason: reasonOf(answer) });
  },

  async open(path: string, environment: Environment): Promise<Vcs> {
    return openRepository(new Hg(resolve(path), environment));
  },
} satisfies VcsPlugin);

/** The names are the user's: with or without dashes in front, underscores as Python spells them. */
function option(path: string, name: string): string {
  const word = name.replace(/^--?/, "").replaceAll("_", "-");
  if (!/^[a-z][a-z-]*$/.test(word)) {
    throw new Failure("vcs-init-failed", { path, program: "hg", reason: `'${name}' is no option of hg init` });
  }
  return `--${word}`;
}
