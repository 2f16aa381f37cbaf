import { variablesOf } from "../../core/experiments/index.ts";
import type { Value } from "../../core/values/index.ts";
import { ObjectBatch } from "../../store/objects/index.ts";
import { retryOnConflict, withExperiments } from "../../workspace/experiments/index.ts";
import { interruptible } from "../../workspace/processes/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { decode } from "./decode.ts";
import { fit, type ImportStep } from "./fit.ts";
import { index } from "./index-files.ts";
import { filesOf, locate, type ReadTogether } from "./locate.ts";
import { locateFolders } from "./locate-folders.ts";
import type { ImportOptions, ImportResult, RunPreview } from "./options.ts";
import { decodingOf, fittingOf, forcedBy, prepare, writing, type ImportJob } from "./prepare.ts";
import { previewRuns } from "./preview-runs.ts";
import { ReadingProgress } from "./reading-progress.ts";
import { store } from "./store.ts";
import { tidy } from "./tidy.ts";

/**
 * Imports files described by input descriptions. All files are stored, or none. Each file is read once while it is
 * parsed, hashed and stored. The database is opened for writing near the end, unless more rows must be stored than
 * memory should hold. Fails with `already-imported`, `nothing-found`, `missing-content`, `missing-definition` and other
 * failures of inputs.
 */
export async function importFiles(workspace: Workspace, given: ImportOptions): Promise<ImportResult> {
  const inputs = given.inputs.map((input) => ({
    ...input,
    files: locateFolders(workspace.files, input.files, given),
  }));
  const options = { ...given, inputs };
  const files = inputs.flatMap((input) => input.files);
  return interruptible(
    (check, stopped) =>
      retryOnConflict(workspace, files, async () => runSteps(await prepare(workspace, options, check, stopped))),
    "nothing was imported",
  );
}

/**
 * The steps of an import. They are lazy up to `index`, which pulls one part of a run after the other through all of
 * them, so that no step holds a whole file.
 */
async function runSteps(job: ImportJob): Promise<ImportResult> {
  const located = locate(job.workspace.files, job.options, job.descriptions);
  const progress = new ReadingProgress(filesOf(located), job.options, job.check);
  if (job.options.storeSet !== undefined) return storeParameterSet(job, located, progress, job.options.storeSet);
  if (job.options.preview !== undefined) return previewFiles(job, located, progress, job.options.preview);
  const objects = new ObjectBatch(job.home.objects.folder);
  const decoded = decode(located, await decodingOf(job, { ...progress.archiveOptions(), objects }));
  const fitted = fit(decoded, fittingOf(job));
  const stored = store(fitted, objects);
  const indexed = await index(stored, job, progress.nearlyRead);
  return tidy({ experiment: job.stored.experiment.name, ...job.link }, indexed);
}

/** Reads files without storing them. Fails like an import. */
async function previewFiles(
  job: ImportJob,
  located: readonly ReadTogether[],
  progress: ReadingProgress,
  sink: RunPreview,
): Promise<ImportResult> {
  const { workspace, home, stored, options, link } = job;
  const steps = await fittedSteps(job, located, progress);
  const { runs, unforced } = await previewRuns(steps, stored.experiment, sink, forcedBy(options));
  await withExperiments(workspace, home, "read", async (experiments) => {
    for (const [sha256, path] of unforced) await experiments.refuseDuplicate(stored, path, sha256);
  });
  return { experiment: stored.experiment.name, runs, ...link, stored: false };
}

/** Stores the `once` parameters of the files as a parameter set. Later values replace earlier ones. */
async function storeParameterSet(
  job: ImportJob,
  located: readonly ReadTogether[],
  progress: ReadingProgress,
  name: string,
): Promise<ImportResult> {
  const { stored, now } = job;
  const values = new Map<string, Value>();
  for await (const step of await fittedSteps(job, located, progress)) {
    if (step.kind !== "found") continue;
    for (const [variable, value] of step.once) if (value !== null) values.set(variable, value);
  }
  const parameters = variablesOf(stored.experiment, "once").filter(
    (variable) => variable.role === "parameter" && values.has(variable.name),
  );
  const parameterValues = new Map(parameters.map((variable) => [variable.name, values.get(variable.name) ?? null]));
  await writing(job, async (experiments) => experiments.storeParameterSet(stored, name, parameterValues, now));
  return {
    experiment: stored.experiment.name,
    runs: [],
    stored: true,
    parameterSet: { name, contents: parameterValues.size },
  };
}

async function fittedSteps(
  job: ImportJob,
  located: readonly ReadTogether[],
  progress: ReadingProgress,
): Promise<AsyncIterable<ImportStep>> {
  return fit(decode(located, await decodingOf(job, progress.archiveOptions())), fittingOf(job));
}
