import type { RunName } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { RawDigest } from "../../store/objects/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * What to delete: runs by number, runs imported from a file, a parameter set, all deleted runs, or the complete
 * experiment.
 */
export type DeleteTarget =
  | { readonly runs: readonly RunName[] }
  | { readonly file: string }
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
}

/**
 * Hides or purges an experiment or its runs; the caller asks for confirmation. A file selects all active runs imported
 * from the same bytes, else from a file of that path. Fails with `unknown-run`, `no-such-source`.
 */
export async function deleteExperiment(workspace: Workspace, options: DeleteOptions): Promise<Deleted> {
  const { target, purge } = options;
  const now = workspace.world.now() * 1000;
  const sha256 = await sha256Of(workspace, target);
  return withExperiments(workspace, experimentHome(workspace, options.database), "write", async (experiments) => {
    const stored = await experiments.find(options.experiment);
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
    const runs =
      "file" in target
        ? await experiments.runsFrom(stored, target.file, sha256)
        : await experiments.runNumbers(stored, target.runs);
    await experiments.removeRuns(stored, runs, now);
    if (purge) await experiments.purgeRuns(stored, now, runs);
    return { experiment: name, runs };
  });
}

/** Checks a deletion before asking the user: fails like `deleteExperiment` if there is nothing to delete. */
export async function requireDeletable(workspace: Workspace, options: Omit<DeleteOptions, "purge">): Promise<void> {
  const { target, experiment } = options;
  const sha256 = await sha256Of(workspace, target);
  await withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) => {
    const stored = await experiments.find(experiment);
    if ("parameterSet" in target) await experiments.parameterSet(stored, target.parameterSet);
    if ("file" in target) await experiments.runsFrom(stored, target.file, sha256);
    if (!("runs" in target)) return;
    const known = new Set((await experiments.runs(stored, false)).map(({ number }) => number));
    const run = (await experiments.runNumbers(stored, target.runs)).find((each) => !known.has(each));
    if (run !== undefined) throw new Failure("unknown-run", { run, experiment: stored.experiment.name });
  });
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
