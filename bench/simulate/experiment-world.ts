import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/math/sampling/seeded-random.ts";
import { git } from "../planted-repository.ts";
import { makeObjectFolders } from "./profile-world.ts";

/** An experiment with one file per run, each with a table. */
export interface ExperimentPlan {
  readonly runs: number;
  readonly rows: number;
  readonly seed: number;
}

const description = `*experiment growth
Times by size
*parameter N_run int - once
*parameter S_size int Byte
*result T_min float ms
*result T_max float ms
`;

const input = `NAMED N_run match="run"
TABLE S_size row="# size" pos=1
TABLE T_min row="# size" pos=2
TABLE T_max row="# size" pos=3
`;

/** Files per import, because a command line is limited to some thousand names. */
const filesPerImport = 2000;

/** Creates the experiment with the program; `perfkeep` runs it with the given arguments. */
export function makeExperimentWorld(
  folder: string,
  plan: ExperimentPlan,
  perfkeep: (words: readonly string[]) => void,
): void {
  mkdirSync(join(folder, "results"), { recursive: true });
  git(folder, ["init", "-q", "-b", "main"]);
  perfkeep(["init", "-q"]);
  makeObjectFolders(folder);
  writeFileSync(join(folder, "growth.exp"), description);
  writeFileSync(join(folder, "growth.inp"), input);
  perfkeep(["experiment", "create", "-q", "growth.exp"]);
  const files = Array.from({ length: plan.runs }, (_, at) => newResults(folder, plan.rows, plan.seed + at));
  for (let at = 0; at < files.length; at += filesPerImport) perfkeep(importing(files.slice(at, at + filesPerImport)));
}

export function importing(files: readonly string[]): string[] {
  return ["import", "-q", "-e", "growth", "-d", "growth.inp", ...files];
}

/** Writes a new file of results. Returns its name within the folder. */
export function newResults(folder: string, rows: number, number: number): string {
  const random = seededRandom(number);
  const lines = Array.from({ length: rows }, (_, row) => {
    const least = random() * 10;
    return `${1 << (row % 10)} ${least.toFixed(5)} ${(least + random()).toFixed(6)}`;
  });
  const name = join("results", `${number}.txt`);
  writeFileSync(join(folder, name), [`run ${number}`, "# size t_min t_max", ...lines, ""].join("\n"));
  return name;
}
