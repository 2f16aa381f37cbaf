import { Failure } from "../../core/failures/index.ts";
import { variablesOf, type Experiment } from "../../core/experiments/index.ts";
import { tableOf, type Table } from "../../core/tables/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { ReadFile } from "./input-files.ts";
import type { KnownRows } from "./known-rows.ts";
import type { ImportedRun, RunPreview } from "./options.ts";
import type { ImportStep } from "./read-runs.ts";

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
    if (step.kind === "begin") {
      sizes.push(0);
      await sink.begin();
    } else if (step.kind === "rows") {
      sizes.push((sizes.pop() ?? 0) + step.table.length);
      await sink.rows(step.table);
    } else if (step.kind === "update") await sink.update(step.table, step.update);
    else if (step.kind === "found") await sink.foundOnce?.(oneRow(once, step.once));
    else if (step.kind === "end") await sink.end(oneRow(once, step.once));
    else if (step.kind === "read") {
      runs.push(...sizes.map((rows) => importedRun({ paths: step.files.map(({ path }) => path), rows })));
      sizes = [];
      for (const file of step.files) {
        noteOnce(seen, file, forced(file.path));
        if (!forced(file.path)) unforced.set(file.sha256, file.path);
      }
    }
  }
  return { runs, unforced };
}

function oneRow(variables: readonly Variable[], values: Values): Table {
  return tableOf(variables, [variables.map(({ name }) => values.get(name) ?? null)]);
}

function noteOnce(seen: Map<string, string>, { path, sha256 }: ReadFile, isForced: boolean): void {
  const other = seen.get(sha256);
  if (other !== undefined && !isForced) throw new Failure("given-twice", { path, other });
  seen.set(sha256, other ?? path);
}

/** An imported run for results. */
export function importedRun(
  run: {
    readonly paths: readonly string[];
    readonly number?: number;
    readonly label?: string;
    readonly rows: number;
  },
  overlaps: readonly KnownRows[] = [],
): ImportedRun {
  const [file = "-", ...others] = run.paths;
  const number = run.number === undefined ? {} : { run: run.number };
  const label = run.label === undefined ? {} : { label: run.label };
  const known = overlaps.length === 0 ? {} : { overlaps };
  return {
    file,
    ...(others.length === 0 ? {} : { beside: others }),
    ...number,
    ...label,
    ...known,
    dataSets: run.rows,
  };
}
