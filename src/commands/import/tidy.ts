import type { RunWriter } from "../../store/catalogue/index.ts";
import type { ImportResult, ImportedRun, KnownRows } from "./options.ts";
import { writing, type ImportJob } from "./prepare.ts";

/** Step 6 of an import: the result of what was stored. */
export function tidy<T extends Omit<ImportResult, "runs" | "stored">>(
  result: T,
  runs: readonly ImportedRun[],
): T & Pick<ImportResult, "runs" | "stored"> {
  return { ...result, runs, stored: true };
}

/** Skips the numbers of the runs of a failed import. Best effort: the user sees why the import failed. */
export async function spendLostNumbers(job: ImportJob, lost: number, failed: RunWriter | undefined): Promise<void> {
  if (lost > 0) await writing(job, (each) => each.spendRunNumbers(job.stored, lost, job.now, failed)).catch(() => {});
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
  return {
    file,
    ...(others.length === 0 ? {} : { beside: others }),
    ...(run.number === undefined ? {} : { run: run.number }),
    ...(run.label === undefined ? {} : { label: run.label }),
    ...(overlaps.length === 0 ? {} : { overlaps }),
    dataSets: run.rows,
  };
}

/** The runs with the labels that they got in the end: a concurrent import may have taken the first ones. */
export function withLabels(runs: readonly ImportedRun[], writer: RunWriter | undefined): readonly ImportedRun[] {
  const labels = new Map((writer?.runs ?? []).map(({ number, label }) => [number, label]));
  return runs.map((run) => {
    const label = labels.get(run.run ?? 0);
    return label === undefined ? run : { ...run, label };
  });
}
