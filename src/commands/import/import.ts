import { ObjectBatch } from "../../store/objects/index.ts";
import { retryOnConflict } from "../../workspace/experiments/index.ts";
import { interruptible } from "../../workspace/processes/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { decode } from "./decode.ts";
import { fit } from "./fit.ts";
import { index } from "./index-files.ts";
import { filesOf, locate } from "./locate.ts";
import { locateFolders } from "./locate-folders.ts";
import type { ImportOptions, ImportResult } from "./options.ts";
import { decodingOf, fittingOf, prepare, type ImportJob } from "./prepare.ts";
import { previewFiles, storeParameterSet } from "./preview-files.ts";
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
