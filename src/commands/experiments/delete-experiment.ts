import type { RunName } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { MatchedRun, StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { RawDigest } from "../../store/objects/index.ts";
import { experimentHome, withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * What to delete: runs by number, runs imported from a file, a parameter set, all deleted runs, or the complete
 * experiment.
 */
export type DeleteTarget =
  | { readonly runs: readonly RunName[] }
  | {
      readonly file: string;
      /** Input description to find its rows; default: those of the experiment's runs. */
      readonly description?: string;
    }
  | { readonly parameterSet: string }
  | { readonly deletedRuns: true }
  | { readonly whole: true };

export interface DeleteOptions {
  readonly experiment: string;
  readonly target: DeleteTarget;
  /** Delete permanently. */
  readonly purge: boolean;
  readonly database?: string;
}

export interface Deleted {
  /** As spelled in its description. */
  readonly experiment: string;
  /** Numbers of the deleted runs; absent for an experiment or parameter set. */
  readonly runs?: readonly number[];
  readonly parameterSet?: string;
  /** Further runs of which the file has some rows; they are not deleted. */
  readonly partial?: readonly MatchedRun[];
}

/**
 * Hides or purges an experiment or its runs; the caller asks for confirmation. A file selects all active runs imported
 * from the same bytes, else from a file of that path, else those all rows of which are in it. Fails with `unknown-run`,
 * `no-such-source`.
 */
export async function deleteExperiment(workspace: Workspace, options: DeleteOptions): Promise<Deleted> {
  const { target, purge } = options;
  const now = workspace.time();
  const sha256 = await sha256Of(workspace, target);
  return withExperiment(workspace, options, "write", async (stored, experiments) => {
    const { name } = stored.experiment;
    if ("whole" in target) {
      await (purge ? experiments.purge(stored, now) : experiments.remove(stored, now));
      return { experiment: name };
    }
    if ("parameterSet" in target) {
      await experiments.deleteParameterSet(stored, target.parameterSet, now);
      return { experiment: name, parameterSet: target.parameterSet };
    }
    if ("deletedRuns" in target) return { experiment: name, runs: await experiments.purgeRuns(stored, now) };
    const { runs, partial } =
      "file" in target
        ? await runsOfFile(workspace, options, experiments, stored, target, sha256)
        : { runs: await experiments.runNumbers(stored, target.runs), partial: [] };
    await experiments.removeRuns(stored, runs, now);
    if (purge) await experiments.purgeRuns(stored, now, runs);
    return { experiment: name, runs, ...(partial.length === 0 ? {} : { partial }) };
  });
}

/** Checks a deletion before asking the user: fails like `deleteExperiment` if there is nothing to delete. */
export async function requireDeletable(workspace: Workspace, options: Omit<DeleteOptions, "purge">): Promise<void> {
  const { target } = options;
  const sha256 = await sha256Of(workspace, target);
  const mode = "file" in target ? "write" : "read";
  await withExperiment(workspace, options, mode, async (stored, experiments) => {
    if ("parameterSet" in target) await experiments.parameterSet(stored, target.parameterSet);
    if ("file" in target) await runsOfFile(workspace, options, experiments, stored, target, sha256);
    if (!("runs" in target)) return;
    const known = new Set((await experiments.runs(stored, false)).map(({ number }) => number));
    const run = (await experiments.runNumbers(stored, target.runs)).find((each) => !known.has(each));
    if (run !== undefined) throw new Failure("unknown-run", { run, experiment: stored.experiment.name });
  });
}

/** The runs of a file. Fails with `no-such-source`. */
async function runsOfFile(
  workspace: Workspace,
  { database }: Pick<DeleteOptions, "database">,
  experiments: Experiments,
  stored: StoredExperiment,
  { file, description }: Extract<DeleteTarget, { file: string }>,
  sha256: string | undefined,
): Promise<{ readonly runs: readonly number[]; readonly partial: readonly MatchedRun[] }> {
  try {
    return { runs: await experiments.runsFrom(stored, file, sha256), partial: [] };
  } catch (error) {
    if (sha256 === undefined || !isFailure(error, "no-such-source")) throw error;
    const home = experimentHome(workspace, database);
    const { matchFile } = await import("../import/match-runs.ts");
    const { complete, partial } = await matchFile(workspace, home, experiments, stored, { file, description });
    if (complete.length > 0) return { runs: complete, partial };
    if (partial.length === 0) throw error;
    throw new Failure("no-such-source", {
      path: file,
      experiment: stored.experiment.name,
      partial: partialText(partial),
    });
  }
}

/** The matched rows of runs that a file does not contain completely. */
export function partialText(partial: readonly MatchedRun[]): string {
  return partial.map(({ run, rows, matched }) => `${matched} of the ${rows} rows of run ${run}`).join(", ");
}

/** SHA-256 of the target's file, if the file exists. */
async function sha256Of(workspace: Workspace, target: DeleteTarget): Promise<string | undefined> {
  return "file" in target && workspace.files.inspect(target.file) !== null
    ? digestOf(workspace, target.file)
    : undefined;
}

async function digestOf(workspace: Workspace, file: string): Promise<string> {
  const digest = new RawDigest();
  for await (const chunk of workspace.files.stream(file)) await digest.write(chunk);
  return digest.finish().sha256;
}
