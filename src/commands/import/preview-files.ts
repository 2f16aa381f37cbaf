import { variablesOf } from "../../core/experiments/index.ts";
import type { Value } from "../../core/values/index.ts";
import { withExperiments } from "../../workspace/experiments/index.ts";
import { decode } from "./decode.ts";
import { fit, type ImportStep } from "./fit.ts";
import type { ReadTogether } from "./locate.ts";
import type { ImportResult, RunPreview } from "./options.ts";
import { decodingOf, fittingOf, forcedBy, writing, type ImportJob } from "./prepare.ts";
import { previewRuns } from "./preview-runs.ts";
import type { ReadingProgress } from "./reading-progress.ts";

/** Reads files without storing them. Fails like an import. */
export async function previewFiles(
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
export async function storeParameterSet(
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
