import { Failure } from "../../core/failures/failure.ts";
import { rowsOf, type Column, type Table } from "../../core/tables/table.ts";
import { formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { compilePattern } from "../../formats/text/pattern.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { always, textTest, type CompilePattern, type Predicate } from "../../query/plan/predicate.ts";
import type { RowExpression } from "../../query/plan/row-expression.ts";
import type { Summary } from "../../query/plan/row-summary.ts";
import type { RowPlan } from "../../query/description/sources/source-plan.ts";
import type { SourceRows } from "../../query/description/sources/source-vector.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import type { Statement } from "./query-statement.ts";
import type { Membership, Memberships } from "./condition-sql.ts";
import { quickCheck, type RunCheck } from "./hidden-run-check.ts";
import { canSkipRuns, lowerDistinct, lowerRows } from "./compile-rows.ts";
import { versionOfKey } from "../schema/version-key.ts";

/** Servers take so many bound contents at most, with some left for other conditions. */
const mostMembers = 30_000;

export const compile: CompilePattern = (source) => {
  const pattern = compilePattern(source);
  return (text) => pattern.test(text);
};

/**
 * The statement for the rows of a source; each condition on texts has been judged by one more. Where a run is hidden,
 * there may be another.
 */
export async function rowStatement(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<Statement> {
  const check = canSkipRuns(plan) ? await quickCheck(engine, stored) : "compare";
  return lowerRows(plan, stored, engine.dialect, await judged(engine, stored, plan), check);
}

function judged(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<Memberships> {
  const plans = [plan, ...(plan.joins ?? []).map(({ rows }) => rows)];
  return membershipsOf(
    engine,
    stored,
    plans.flatMap(({ once, multiple }) => [once, multiple]),
  );
}

/** The table that a plan asks for. */
async function answered(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<Table> {
  const memberships = await judged(engine, stored, plan);
  const ask = (check: RunCheck): Promise<Table> => {
    const { sql, params } = lowerRows(plan, stored, engine.dialect, memberships, check);
    return engine.query(sql, params);
  };
  const check = canSkipRuns(plan) ? await quickCheck(engine, stored) : "compare";
  const found = await ask(check);
  return check === "none if hidden" && found.length === 0 ? ask("compare") : found;
}

/** The rows of a source, by one statement, or one more for each condition on texts. */
export async function sourceRows(engine: Engine, stored: StoredExperiment, plan: RowPlan): Promise<SourceRows> {
  const table = await answered(engine, stored, plan);
  if (plan.summary !== undefined) return { table: summaryTable(plan.summary, table), chronology: [] };
  const run: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };
  const variables = [plan, ...(plan.joins ?? []).map(({ rows }) => rows)].flatMap((each) => [run, ...each.variables]);
  const columns = table.columns.map((column, at) => contentsOf(column, variables[at] as Variable));
  return { table: { variables, columns, length: table.length }, chronology: chronologyOf(table) };
}

/** Versions are sortable keys within the database. */
function summaryTable({ by, columns, common }: Summary, table: Table): Table {
  const keys = by === "run" ? [] : "of" in by ? [by.of, by.of] : by;
  const aggregated = columns.map(({ of, aggregate: { kind } }) =>
    kind === "min" || kind === "max" || kind === "rank" ? contentVariable(of) : undefined,
  );
  const known = [
    undefined,
    ...keys.map(contentVariable),
    ...aggregated,
    ...common.flatMap((variable) => [variable, variable, undefined]),
  ];
  return { ...table, columns: table.columns.map((column, at) => decoded(column, known[at])) };
}

function contentVariable(of: RowExpression): Variable | undefined {
  return of.kind === "content" ? of.variable : undefined;
}

function decoded(column: Column, variable: Variable | undefined): Column {
  return variable === undefined ? column : contentsOf(column, variable);
}

/** Rows of one run stand together, runs in their order. */
function chronologyOf({ columns: [runs] }: Table): number[] {
  return runs?.kind === "number" ? [...new Set(runs.values)] : [];
}

/** The contents of a variable that fulfil the condition, each once, ascending. */
export async function distinctContents(
  engine: Engine,
  stored: StoredExperiment,
  variable: Variable,
  condition: Predicate,
): Promise<Value[]> {
  const memberships = await membershipsOf(engine, stored, [condition]);
  const { sql, params } = lowerDistinct(variable, condition, stored, engine.dialect, memberships);
  const table = await engine.query(sql, params);
  const columns = table.columns.map((column) => contentsOf(column, variable));
  return rowsOf({ variables: [variable], columns, length: table.length }).map(([content]) => content as Value);
}

/**
 * Conditions on texts are judged by our own engine on the different contents there are, so that every database answers
 * alike and no pattern takes longer than linear time.
 */
async function membershipsOf(
  engine: Engine,
  stored: StoredExperiment,
  predicates: readonly Predicate[],
): Promise<Memberships> {
  const found = new Map<Predicate, Membership>();
  for (const predicate of predicates.flatMap(textConditions)) {
    const contents = await distinctContents(engine, stored, predicate.variable, always);
    found.set(predicate, membershipOf(predicate, contents));
  }
  return found;
}

type TextCondition = Extract<Predicate, { readonly text: string }>;

function textConditions(predicate: Predicate): TextCondition[] {
  if ("of" in predicate) return predicate.of.flatMap(textConditions);
  return "text" in predicate ? [predicate] : [];
}

function membershipOf({ kind, text, variable }: TextCondition, contents: readonly Value[]): Membership {
  const fits = textTest(kind, text, compile);
  const [inside, outside]: [Value[], Value[]] = [[], []];
  for (const content of contents) (fits(formatValue(content, variable.type)) ? inside : outside).push(content);
  const not = outside.length < inside.length;
  const values = not ? outside : inside;
  if (values.length <= mostMembers) return { not, values };
  const problem = `'${text.slice(0, 40)}' divides ${contents.length} different contents of '${variable.name}', too many to list`;
  throw new Failure("query-not-possible", {
    element: variable.name,
    problem,
    advice: "compare with whole contents, or add a narrower condition",
  });
}

function contentsOf(column: Column, variable: Variable): Column {
  if (variable.type !== "version" || column.kind !== "text") return column;
  return { ...column, dictionary: column.dictionary.map(versionOfKey) };
}
