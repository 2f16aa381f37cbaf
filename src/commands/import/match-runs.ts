import { Failure, exitStatus } from "../../core/failures/index.ts";
import { descriptionText, readInput, type InputDescription } from "../../formats/descriptions/index.ts";
import type { MatchedRun, RunSummary, RunWriter, StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { ExperimentHome } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { userFile } from "./input-files.ts";
import { decode, readingSettings } from "./decode.ts";
import { fit } from "./fit.ts";

/** Runs with rows of a file. */
export interface FileRuns {
  /** Numbers of runs all rows of which are in the file. */
  readonly complete: readonly number[];
  /** Runs of which the file has some rows. */
  readonly partial: readonly MatchedRun[];
}

/**
 * Finds the active runs whose rows are in a file that was not imported itself, such as a reformatted one: parses it
 * with `description`, or with the descriptions of the experiment's runs, the latest first, until runs match. Stores
 * nothing, but needs the database opened for writing.
 */
export async function matchFile(
  workspace: Workspace,
  home: ExperimentHome,
  experiments: Experiments,
  stored: StoredExperiment,
  { file, description }: { readonly file: string; readonly description?: string | undefined },
): Promise<FileRuns> {
  const descriptions =
    description === undefined
      ? storedDescriptions(home, await experiments.runs(stored, false))
      : [readInput(descriptionText(workspace.files.read(description), description), description)];
  const partial: MatchedRun[] = [];
  for (const each of descriptions) {
    const matched = await matchedBy(workspace, experiments, stored, file, each, description !== undefined);
    const complete = matched.filter(({ rows, matched: equal }) => rows === equal).map(({ run }) => run);
    const others = matched.filter(({ run }) => !complete.includes(run));
    if (complete.length > 0) return { complete, partial: others };
    partial.push(...others);
  }
  return { complete: [], partial };
}

/** The descriptions that active runs were imported with, the latest first. */
function storedDescriptions({ objects }: ExperimentHome, runs: readonly RunSummary[]): InputDescription[] {
  const digests = runs
    .toReversed()
    .flatMap(({ description, sources }) => [
      ...(description === undefined ? [] : [description]),
      ...sources.flatMap((source) => source.description ?? []),
    ]);
  return [...new Set(digests)].map((digest) => readInput(descriptionText(objects.get(digest).body, digest), digest));
}

/** `isGiven`: the user gave the description, so that a file that it does not fit is a failure. */
async function matchedBy(
  workspace: Workspace,
  experiments: Experiments,
  stored: StoredExperiment,
  file: string,
  description: InputDescription,
  isGiven: boolean,
): Promise<MatchedRun[]> {
  const importer = await workspace.registry.get("importer", "description");
  const { experiment } = stored;
  const decoded = decode([{ inputs: [{ description, files: [userFile(workspace.files, file)] }] }], {
    experiment,
    importer,
    settings: readingSettings({}),
    sequential: false,
    fixed: new Map(),
    archive: { maxStreamBytes: Infinity, onBytes: () => {} },
  });
  const steps = fit(decoded, {
    experiment,
    fixed: new Map(),
    rows: "null",
    complete: async (once) => once,
    notice: () => {},
  });
  const write = async (writer: RunWriter): Promise<void> => {
    for await (const step of steps)
      if (step.kind === "begin") writer.begin();
      else if (step.kind === "rows") await writer.rows(step.table);
      else if (step.kind === "update") await writer.update(step.table, step.update);
      else if (step.kind === "end") await writer.end(step.once, { created: 0, performed: 0 });
  };
  try {
    return await experiments.matchingRuns(stored, write);
  } catch (error) {
    if (isGiven || !(error instanceof Failure) || error.exit !== exitStatus.badInput) throw error;
    return [];
  }
}
