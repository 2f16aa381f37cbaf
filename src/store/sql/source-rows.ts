import { rowsOf, type Column, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { always, type Predicate, type RowExpression, type Summary } from "../../query/plan/index.ts";
import type { RowPlan, SourceRows } from "../../query/description/index.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import type { Statement } from "./query-statement.ts";
import { activeRunCheck, type RunCheck } from "./hidden-run-check.ts";
import { hasPatterns, resolvePatterns } from "./resolve-patterns.ts";
import { canSkipRuns, compileDistinct, compileRows } from "./compile-rows.ts";
import { decodeColumn } from "./select.ts";

/**
 * The statement for the rows of a source. Runs one query per variable with a pattern. `sourceRows` may run a second
 * statement if a run is deleted.
 */
export async function rowStatement(engine: Engine, stored: StoredExperiment, asked: RowPlan): Promise<Statement> {
  const plan = await withoutPatterns(engine, stored, asked);
  const check = canSkipRuns(plan) ? await activeRunCheck(engine, stored) : "compare";
  return compileRows(plan, stored, engine.dialect, check);
}

/** The plan with its patterns resolved to values. */
async function withoutPatterns(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<RowPlan> {
  const plans = [plan, ...(plan.joins ?? []).map(({ rows }) => rows)];
  const predicates = plans.flatMap(({ once, multiple }) => [once, multiple]);
  if (!predicates.some(hasPatterns)) return plan;
  const resolved = await resolvePatterns(predicates, (variable) => distinctValues(engine, stored, variable, always));
  const conditionsOf = (at: number): Pick<RowPlan, "once" | "multiple"> => ({
    once: resolved[2 * at] ?? always,
    multiple: resolved[2 * at + 1] ?? always,
  });
  const joins = plan.joins?.map((join, at) => ({ ...join, rows: { ...join.rows, ...conditionsOf(at + 1) } }));
  return { ...plan, ...conditionsOf(0), ...(joins === undefined ? {} : { joins }) };
}

/** Runs the statement of a plan. */
async function runPlan(engine: Engine, stored: StoredExperiment, asked: RowPlan): Promise<Table> {
  const plan = await withoutPatterns(engine, stored, asked);
  const runWith = (check: RunCheck): Promise<Table> => {
    const { sql, params } = compileRows(plan, stored, engine.dialect, check);
    return engine.query(sql, params);
  };
  const check = canSkipRuns(plan) ? await activeRunCheck(engine, stored) : "compare";
  const rows = await runWith(check);
  return check === "none if hidden" && rows.length === 0 ? runWith("compare") : rows;
}

/** The rows of a source, by one statement and one more per text condition. */
export async function sourceRows(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<SourceRows> {
  const table = await runPlan(engine, stored, plan);
  if (plan.summary !== undefined) return { table: summaryTable(plan.summary, table), chronology: [] };
  const run: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };
  const variables = [plan, ...(plan.joins ?? []).map(({ rows }) => rows)].flatMap((each) => [run, ...each.variables]);
  const columns = table.columns.map((column, at) => decodeColumn(column, variables[at] as Variable));
  return { table: { variables, columns, length: table.length }, chronology: chronologyOf(table) };
}

/** Decodes versions, which the database stores as sortable keys. */
function summaryTable({ by, columns, common }: Summary, table: Table): Table {
  const keys = by === "run" ? [] : "of" in by ? [by.of, by.of] : by;
  const aggregated = columns.map(({ of, aggregate: { kind } }) =>
    kind === "min" || kind === "max" || kind === "rank" ? columnVariable(of) : undefined,
  );
  const known = [
    undefined,
    ...keys.map(columnVariable),
    ...aggregated,
    ...common.flatMap((variable) => [variable, variable, undefined]),
  ];
  return { ...table, columns: table.columns.map((column, at) => decodeIfVariable(column, known[at])) };
}

function columnVariable(of: RowExpression): Variable | undefined {
  return of.kind === "column" ? of.variable : undefined;
}

function decodeIfVariable(column: Column, variable: Variable | undefined): Column {
  return variable === undefined ? column : decodeColumn(column, variable);
}

/** The runs in order; rows of a run must be adjacent. */
function chronologyOf({ columns: [runs] }: Table): number[] {
  return runs?.kind === "number" ? [...new Set(runs.values)] : [];
}

/** The distinct values of a variable that satisfy the condition, ascending. */
export async function distinctValues(
  engine: Engine,
  stored: StoredExperiment,
  variable: Variable,
  condition: Predicate,
): Promise<Value[]> {
  const [resolved = always] = await resolvePatterns([condition], (each) =>
    distinctValues(engine, stored, each, always),
  );
  const { sql, params } = compileDistinct(variable, resolved, stored, engine.dialect);
  const table = await engine.query(sql, params);
  const columns = table.columns.map((column) => decodeColumn(column, variable));
  return rowsOf({ variables: [variable], columns, length: table.length }).map(([value]) => value as Value);
}
