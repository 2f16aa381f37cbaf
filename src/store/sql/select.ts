import { isFailure } from "../../core/failures/index.ts";
import { rowsOf, type Column, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { SourceRows } from "../../query/description/index.ts";
import { distinctValuesPlan, type LogicalPlan, type Output, type Predicate } from "../../query/plan/index.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { compilePlan, readsAllRuns } from "./compile-plan.ts";
import type { Statement } from "./statement.ts";
import { activeRunCheck, type RunCheck } from "./hidden-run-check.ts";
import { hasPatterns, resolvePatterns } from "./resolve-patterns.ts";
import { versionOfKey } from "../schema/index.ts";

/** Runs a plan and returns its result with the names, types and units of its outputs. */
export async function select(engine: Engine, stored: StoredExperiment, asked: LogicalPlan): Promise<Table> {
  const plan = await withoutPatterns(engine, stored, asked);
  try {
    return await answer(engine, stored, plan);
  } catch (error) {
    // DuckDB fails on a variance that overflows or has values that are not finite.
    if (!plan.outputs.some(isVariance) || !isFailure(error, "database-refused")) throw error;
    return answer(engine, stored, plan, true);
  }
}

function isVariance({ aggregate }: Output): boolean {
  return aggregate?.kind === "stddev" || aggregate?.kind === "variance";
}

/** The rows of a source of a described query. Unlike `select`, fails if a variance overflows. */
export async function sourceRows(engine: Engine, stored: StoredExperiment, asked: LogicalPlan): Promise<SourceRows> {
  const plan = await withoutPatterns(engine, stored, asked);
  const table = await answer(engine, stored, plan);
  return { table, chronology: plan.grouped ? [] : chronologyOf(table) };
}

/** The runs in order; rows of a run must be adjacent. */
function chronologyOf({ columns: [runs] }: Table): number[] {
  if (runs?.kind !== "number") return [];
  return [...new Set(runs.values.filter((run, at, all) => at === 0 || run !== all[at - 1]))];
}

/** The statement of a plan. Runs one query per variable with a pattern. */
export async function planStatement(engine: Engine, stored: StoredExperiment, asked: LogicalPlan): Promise<Statement> {
  const plan = await withoutPatterns(engine, stored, asked);
  const check = await checkFor(engine, stored, plan);
  return compilePlan(plan, stored, { dialect: engine.dialect, check, hasOverflow: false });
}

/** The plan with its patterns resolved to values, by one more query for each variable that has one. */
export async function withoutPatterns(
  engine: Engine,
  stored: StoredExperiment,
  plan: LogicalPlan,
): Promise<LogicalPlan> {
  if (typeof plan.of !== "string") {
    const plans: LogicalPlan[] = [];
    for (const each of plan.of.plans) plans.push(await withoutPatterns(engine, stored, each));
    return { ...plan, of: { ...plan.of, plans } };
  }
  if (!plan.where.some(hasPatterns)) return plan;
  const { deleted } = plan;
  const where = await resolvePatterns(plan.where, (variable) =>
    valuesOf(engine, stored, { ...distinctValuesPlan(variable), ...(deleted === undefined ? {} : { deleted }) }),
  );
  return { ...plan, where };
}

/** The values of the only column of a plan. */
async function valuesOf(engine: Engine, stored: StoredExperiment, plan: LogicalPlan): Promise<Value[]> {
  return rowsOf(await select(engine, stored, plan)).map(([value]) => value as Value);
}

/** The distinct values of a variable that satisfy the condition, ascending. */
export function distinctValues(
  engine: Engine,
  stored: StoredExperiment,
  variable: Variable,
  condition: Predicate,
): Promise<Value[]> {
  return valuesOf(engine, stored, distinctValuesPlan(variable, condition));
}

/** `hasOverflow`: with a variance that is safe for all values, and slower. */
async function answer(
  engine: Engine,
  stored: StoredExperiment,
  plan: LogicalPlan,
  hasOverflow = false,
): Promise<Table> {
  const runWith = (check: RunCheck): Promise<Table> => {
    const { sql, params } = compilePlan(plan, stored, { dialect: engine.dialect, check, hasOverflow });
    return engine.query(sql, params);
  };
  const check = await checkFor(engine, stored, plan);
  const first = await runWith(check);
  const found = check === "none if hidden" && first.length === 0 ? await runWith("compare") : first;
  const variables = plan.outputs.map((output) => output.variable);
  const columns = found.columns.map((column, at) => decodeColumn(column, variables[at] as Variable));
  return { variables, columns, length: found.length };
}

/** Avoids joining millions of rows with the runs if all runs are selected and none is deleted. */
async function checkFor(engine: Engine, stored: StoredExperiment, plan: LogicalPlan): Promise<RunCheck> {
  return readsAllRuns(plan) ? activeRunCheck(engine, stored) : "compare";
}

/** Decodes a column of the engine's result to values of the variable. */
function decodeColumn(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}

/** Distinct values, ascending. `distinct` is their number; `values` may hold only the first ones. */
export interface DistinctValues {
  readonly values: readonly Value[];
  readonly distinct: number;
}

/**
 * The distinct values of each run by run number, at most `maxValues` per run. `query` must group by the run number and
 * one variable. Runs without values are omitted.
 */
export async function valuesPerRun(
  engine: Engine,
  stored: StoredExperiment,
  asked: LogicalPlan,
  maxValues: number,
): Promise<Map<number, DistinctValues>> {
  const query = await withoutPatterns(engine, stored, asked);
  const { sql, params } = compilePlan(query, stored, {
    dialect: engine.dialect,
    check: "compare",
    hasOverflow: false,
  });
  const counted = [
    "select c0, c1, row_number() over (partition by c0 order by c1) as nth,",
    "count(*) over (partition by c0) as total",
    `from (${sql}) pairs`,
  ];
  const table = await engine.query(
    `select c0, c1, total from (${counted.join(" ")}) counted where nth <= $${params.length + 1} order by c0, nth`,
    [...params, Math.min(maxValues, Number.MAX_SAFE_INTEGER)],
  );
  return grouped(table, query);
}

function grouped(table: Table, query: LogicalPlan): Map<number, DistinctValues> {
  const variables = [...query.outputs.map((output) => output.variable), total];
  const columns = table.columns.map((column, at) => decodeColumn(column, variables[at] as Variable));
  const byRun = new Map<number, { values: Value[]; distinct: number }>();
  for (const [run, value, distinct] of rowsOf({ variables, columns, length: table.length })) {
    const values = byRun.get(Number(run))?.values;
    if (values) values.push(value as Value);
    else byRun.set(Number(run), { values: [value as Value], distinct: Number(distinct) });
  }
  return byRun;
}

const total: Variable = { name: "total", role: "result", occurrence: "multiple", type: "integer" };
