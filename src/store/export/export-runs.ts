import type { Table } from "../../core/tables/table.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Query } from "../../query/plan/query.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { exportSlices, type ExportSlice, type RunSpan } from "./export-slices.ts";
import { RowBudget, weightOf } from "./row-budget.ts";
import { recordsOf } from "../schema/result-rows.ts";
import { dataTable } from "../schema/schema.ts";
import { select } from "../sql/select.ts";

/** What is to be exported: contents of runs, one row each, and rows of data sets (or of runs). */
export interface ExportPlan {
  /** In the order wanted. Deleted ones are exported, too, when they are named. */
  readonly runs: readonly number[];
  readonly once?: Query;
  readonly rows?: Query;
}

/** `rows` belong to the runs of `once`; where that is absent, to the last run of the pieces before. */
export interface ExportPiece {
  readonly once?: Table;
  readonly rows?: Table;
}

/** Piece by piece, each of at most `most` rows and of what fits in memory. */
export async function exportRuns(
  engine: Engine,
  stored: StoredExperiment,
  plan: ExportPlan,
  take: (piece: ExportPiece) => void | Promise<void>,
  most?: number,
): Promise<void> {
  const spans = plan.rows?.of === "data" ? await spansOf(engine, stored) : new Map<number, RunSpan>();
  const budget = new RowBudget(most);
  for (const slice of exportSlices(plan.runs, spans, () => budget.rows)) {
    const piece = await pieceOf(engine, stored, plan, slice);
    await take(piece);
    const { once, rows = once } = piece;
    if (rows !== undefined) budget.took(rows.length, weightOf(rows));
  }
}

async function pieceOf(
  engine: Engine,
  stored: StoredExperiment,
  { once, rows }: ExportPlan,
  slice: ExportSlice,
): Promise<ExportPiece> {
  const { runs, ordinals } = slice;
  const ask = (query: Query, window?: ExportSlice["ordinals"]): Promise<Table> =>
    select(engine, stored, { ...query, runs, deleted: true, ...(window === undefined ? {} : { ordinals: window }) });
  return {
    ...(once === undefined || slice.continues ? {} : { once: await ask(once) }),
    ...(rows === undefined ? {} : { rows: await ask(rows, ordinals) }),
  };
}

/** Where the data sets of each run stand in it. */
export async function spansOf(engine: Engine, { id }: StoredExperiment): Promise<Map<number, RunSpan>> {
  const found = await engine.query(
    `select run, min(ordinal) as first, max(ordinal) as last from ${dataTable(id)} group by run`,
  );
  return new Map(
    recordsOf(found).map((row) => [
      Number(row.get("run")),
      { first: Number(row.get("first")), last: Number(row.get("last")) },
    ]),
  );
}
