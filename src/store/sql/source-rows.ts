import { Failure } from "../../core/failures/index.ts";
import { rowsOf, type Column, type Table } from "../../core/tables/index.ts";
import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  always,
  textTest,
  type CompilePattern,
  type Predicate,
  type RowExpression,
  type Summary,
} from "../../query/plan/index.ts";
import type { RowPlan, SourceRows } from "../../query/description/index.ts";
import { maxMembers } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import type { Statement } from "./query-statement.ts";
import type { Membership, Memberships } from "./condition-sql.ts";
import { activeRunCheck, type RunCheck } from "./hidden-run-check.ts";
import { canSkipRuns, compileDistinct, compileRows } from "./compile-rows.ts";
import { versionOfKey } from "../schema/index.ts";

export const compileRegex: CompilePattern = (source) => {
  const pattern = compilePattern(source);
  return (text) => pattern.test(text);
};

/**
 * The statement for the rows of a source. Runs one query per text condition. `sourceRows` may run a second statement if
 * a run is deleted.
 */
export async function rowStatement(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<Statement> {
  const check = canSkipRuns(plan) ? await activeRunCheck(engine, stored) : "compare";
  return compileRows(plan, stored, engine.dialect, await membershipsFor(engine, stored, plan), check);
}

function membershipsFor(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<Memberships> {
  const plans = [plan, ...(plan.joins ?? []).map(({ rows }) => rows)];
  return membershipsOf(
    engine,
    stored,
    plans.flatMap(({ once, multiple }) => [once, multiple]),
  );
}

/** Runs the statement of a plan. */
async function runPlan(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<Table> {
  const memberships = await membershipsFor(engine, stored, plan);
  const runWith = (check: RunCheck): Promise<Table> => {
    const { sql, params } = compileRows(plan, stored, engine.dialect, memberships, check);
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
  const memberships = await membershipsOf(engine, stored, [condition]);
  const { sql, params } = compileDistinct(variable, condition, stored, engine.dialect, memberships);
  const table = await engine.query(sql, params);
  const columns = table.columns.map((column) => decodeColumn(column, variable));
  return rowsOf({ variables: [variable], columns, length: table.length }).map(([value]) => value as Value);
}

/**
 * Evaluates text conditions on the distinct values with perfkeep's own regular expression engine, so that all databases
 * agree and every pattern takes linear time.
 */
async function membershipsOf(
  engine: Engine,
  stored: StoredExperiment,
  predicates: readonly Predicate[],
): Promise<Memberships> {
  const memberships = new Map<Predicate, Membership>();
  for (const predicate of predicates.flatMap(textConditions)) {
    const values = await distinctValues(engine, stored, predicate.variable, always);
    memberships.set(predicate, membershipOf(predicate, values));
  }
  return memberships;
}

type TextCondition = Extract<Predicate, { readonly text: string }>;

function textConditions(predicate: Predicate): TextCondition[] {
  if ("of" in predicate) return predicate.of.flatMap(textConditions);
  return "text" in predicate ? [predicate] : [];
}

function membershipOf({ kind, text, variable }: TextCondition, all: readonly Value[]): Membership {
  const matches = textTest(kind, text, compileRegex);
  const [inside, outside]: [Value[], Value[]] = [[], []];
  for (const value of all) (matches(formatValue(value, variable.type)) ? inside : outside).push(value);
  const not = outside.length < inside.length;
  const values = not ? outside : inside;
  if (values.length <= maxMembers) return { not, values };
  const problem = `'${text.slice(0, 40)}' divides ${all.length} values of '${variable.name}', too many to list`;
  throw new Failure("query-not-possible", {
    element: variable.name,
    problem,
    advice: "compare with complete values, or add a narrower condition",
  });
}

function decodeColumn(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}
