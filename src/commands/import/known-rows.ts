import { counted } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { EqualRows, RunSummary, StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { WrittenRun } from "./index-runs.ts";
import type { ImportedRun, KnownRows } from "./options.ts";
import { importedRun } from "./tidy.ts";

export interface KnownRowsOptions {
  /** Whether a file may duplicate an active run; its rows are not compared. */
  forced(path: string): boolean;
  /** `refuse` runs whose rows are those of an earlier run, `report` them, or `ignore` equal rows. */
  readonly mode: "refuse" | "report" | "ignore";
  readonly remark?: ((file: string, text: string) => void) | undefined;
}

/**
 * The new runs of an import, compared with earlier runs within its transaction; equal rows are reported. With `refuse`,
 * fails with `already-imported` for a run with at least two rows that are, in any order, those of an earlier run with
 * the same values. Equal rows of another commit are measurements of their own.
 */
export async function comparedRuns(
  experiments: Pick<Experiments, "equalRows" | "runs">,
  stored: StoredExperiment,
  written: readonly WrittenRun[],
  options: KnownRowsOptions,
): Promise<ImportedRun[]> {
  const known = options.mode === "ignore" ? new Map() : await compareRows(experiments, stored, written, options);
  return written.map((run) => importedRun(run, known.get(run.number)));
}

async function compareRows(
  experiments: Pick<Experiments, "equalRows" | "runs">,
  stored: StoredExperiment,
  written: readonly WrittenRun[],
  { forced, mode, remark = () => {} }: KnownRowsOptions,
): Promise<Map<number, readonly KnownRows[]>> {
  const compared = written.filter(({ paths }) => !paths.some(forced));
  const equal = await experiments.equalRows(
    stored,
    compared.map(({ number }) => number),
  );
  const known = new Map<number, readonly KnownRows[]>();
  if (equal === undefined)
    remark(stored.experiment.name, "its rows are on several servers and were not compared with those of earlier runs");
  if (equal === undefined || equal.length === 0) return known;
  const runs = new Map((await experiments.runs(stored, false)).map((run) => [run.number, run]));
  for (const [at, each] of equal.entries()) {
    const [run, same] = [runs.get(each.run), runs.get(each.same ?? 0)];
    if (mode === "refuse" && same !== undefined && each.rows >= minRows && isSameCommit(run, same))
      throw repeated(stored.experiment.name, pathOf(run), each, runs);
    if (at < maxRemarks) remark(pathOf(run), remarkOn(each, runs));
    known.set(each.run, knownRows(each, runs));
  }
  if (equal.length > maxRemarks)
    remark(stored.experiment.name, `${counted(equal.length - maxRemarks, "more run")} with rows of earlier runs`);
  return known;
}

/** A single row may be equal by chance. */
const minRows = 2;

/** Maximum number of reported runs. */
const maxRemarks = 20;

type Runs = ReadonlyMap<number, RunSummary>;

function pathOf(run: RunSummary | undefined): string {
  return run?.sources.map(({ path }) => path).join(", ") || "-";
}

function isSameCommit(one: RunSummary | undefined, other: RunSummary | undefined): boolean {
  return one?.version === undefined || other?.version === undefined || one.version === other.version;
}

function repeated(experiment: string, path: string, { same, rows }: EqualRows, runs: Runs): Failure {
  const file = pathOf(runs.get(same ?? 0));
  return new Failure("already-imported", { path, experiment, run: String(same), file, rows });
}

function remarkOn({ rows, others, same }: EqualRows, runs: Runs): string {
  const name = (run: number): string => `run ${run} (${pathOf(runs.get(run))})`;
  if (same !== undefined) return rows === 0 ? `same values as ${name(same)}` : `same rows as ${name(same)}`;
  const [first, ...more] = others;
  if (first === undefined) return "";
  const further = more.reduce((sum, other) => sum + other.rows, 0);
  const rest = more.length === 0 ? "" : `, ${further} those of ${counted(more.length, "other run")}`;
  const are = first.rows === 1 ? "is one" : "are those";
  return `${first.rows} of ${counted(rows, "row")} ${are} of ${name(first.run)}${rest}`;
}

function knownRows({ others, same, rows }: EqualRows, runs: Runs): KnownRows[] {
  const all = others.length === 0 && same !== undefined ? [{ run: same, rows }] : others;
  return all.map((other) => ({ run: other.run, file: pathOf(runs.get(other.run)), rows: other.rows }));
}
