import type { Table } from "../../core/tables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { LogicalPlan } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { exportSlices, type ExportSlice, type RunSpan } from "./export-slices.ts";
import { RowBudget, tableBytes } from "./row-budget.ts";
import { recordsOf, dataTable } from "../schema/index.ts";
import { select, withoutPatterns } from "../sql/index.ts";

/** The queries of an export: once-values with one row per run, and the rows of the runs. */
export interface ExportPlan {
  /** Runs to export, in this order, including deleted ones. */
  readonly runs: readonly number[];
  readonly once?: LogicalPlan;
  readonly rows?: LogicalPlan;
}

/** `rows` belong to the runs of `once`, or, without `once`, to the last run of the previous pieces. */
export interface ExportPiece {
  readonly once?: Table;
  readonly rows?: Table;
}

/** Passes an export to `consume` in pieces of at most `maxRows` rows that fit in memory. */
export async function exportRuns(
  engine: Engine,
  stored: StoredExperiment,
  plan: ExportPlan,
  consume: (piece: ExportPiece) => void | Promise<void>,
  maxRows?: number,
): Promise<void> {
  const spans = plan.rows?.of === "data" ? await ordinalSpans(engine, stored) : new Map<number, RunSpan>();
  const budget = new RowBudget(maxRows);
  const resolved = await withoutPatternsIn(engine, stored, plan);
  for (const slice of exportSlices(plan.runs, spans, () => budget.rows)) {
    const piece = await readPiece(engine, stored, resolved, slice);
    await consume(piece);
    const { once, rows = once } = piece;
    if (rows !== undefined) budget.record(rows.length, tableBytes(rows));
  }
}

/** Patterns are resolved once for all pieces, with the values of deleted runs. */
async function withoutPatternsIn(engine: Engine, stored: StoredExperiment, plan: ExportPlan): Promise<ExportPlan> {
  const { runs, once, rows } = plan;
  const resolve = (query: LogicalPlan): Promise<LogicalPlan> =>
    withoutPatterns(engine, stored, { ...query, deleted: true });
  return {
    runs,
    ...(once === undefined ? {} : { once: await resolve(once) }),
    ...(rows === undefined ? {} : { rows: await resolve(rows) }),
  };
}

async function readPiece(
  engine: Engine,
  stored: StoredExperiment,
  { once, rows }: ExportPlan,
  slice: ExportSlice,
): Promise<ExportPiece> {
  const { runs, ordinals } = slice;
  const ask = (query: LogicalPlan, window?: ExportSlice["ordinals"]): Promise<Table> =>
    select(engine, stored, { ...query, runs, deleted: true, ...(window === undefined ? {} : { ordinals: window }) });
  return {
    ...(once === undefined || slice.continues ? {} : { once: await ask(once) }),
    ...(rows === undefined ? {} : { rows: await ask(rows, ordinals) }),
  };
}

/** The range of row ordinals of each run. */
export async function ordinalSpans(engine: Engine, { id }: StoredExperiment): Promise<Map<number, RunSpan>> {
  const ranges = await engine.query(
    `select run, min(ordinal) as first, max(ordinal) as last from ${dataTable(id)} group by run`,
  );
  return new Map(
    recordsOf(ranges).map((row) => [
      Number(row.get("run")),
      { first: Number(row.get("first")), last: Number(row.get("last")) },
    ]),
  );
}
