import { Failure } from "../../core/failures/index.ts";
import { variablesOf, type Experiment } from "../../core/experiments/index.ts";
import { tableOf, type Table } from "../../core/tables/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ReadFile } from "./input-files.ts";
import type { ImportedRun, RunPreview } from "./options.ts";
import { importedRun } from "./tidy.ts";
import type { ImportStep } from "./fit.ts";

/** What an import would store. */
export interface PreviewedRuns {
  readonly runs: readonly ImportedRun[];
  /** Paths, by SHA-256, of files that must not have been imported before. */
  readonly unforced: ReadonlyMap<string, string>;
}

/** Passes runs to a preview instead of storing them. Fails with `given-twice` for identical files unless `forced`. */
export async function previewRuns(
  steps: AsyncIterable<ImportStep>,
  experiment: Experiment,
  sink: RunPreview,
  forced: (path: string) => boolean,
): Promise<PreviewedRuns> {
  const once = variablesOf(experiment, "once");
  const [seen, unforced] = [new Map<string, string>(), new Map<string, string>()];
  const runs: ImportedRun[] = [];
  let sizes: number[] = [];
  for await (const step of steps) {
    await previewStep(step, once, sink);
    if (step.kind === "begin") sizes.push(0);
    if (step.kind === "rows") sizes.push((sizes.pop() ?? 0) + step.table.length);
    if (step.kind !== "read") continue;
    runs.push(...sizes.map((rows) => importedRun({ paths: step.files.map(({ path }) => path), rows })));
    sizes = [];
    for (const file of step.files) {
      noteOnce(seen, file, forced(file.path));
      if (!forced(file.path)) unforced.set(file.sha256, file.path);
    }
  }
  return { runs, unforced };
}

async function previewStep(step: ImportStep, once: readonly Variable[], sink: RunPreview): Promise<void> {
  switch (step.kind) {
    case "begin":
      return sink.begin();
    case "rows":
      return sink.rows(step.table);
    case "update":
      return sink.update(step.table, step.update);
    case "found":
      return sink.foundOnce?.(oneRow(once, step.once));
    case "end":
      return sink.end(oneRow(once, step.once));
    default:
  }
}

function oneRow(variables: readonly Variable[], values: Values): Table {
  return tableOf(variables, [variables.map(({ name }) => values.get(name) ?? null)]);
}

function noteOnce(seen: Map<string, string>, { path, sha256 }: ReadFile, isForced: boolean): void {
  const other = seen.get(sha256);
  if (other !== undefined && !isForced) throw new Failure("given-twice", { path, other });
  seen.set(sha256, other ?? path);
}
