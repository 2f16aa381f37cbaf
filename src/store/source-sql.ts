import type { Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import { isAlways, variablesIn, type Predicate } from "../query/graph/predicate.ts";
import type { RowPlan } from "../query/graph/source-plan.ts";
import { isRunVariable } from "../query/run-variables.ts";
import type { RowExpression, RowLimit, Summary } from "../query/graph/row-summary.ts";
import { aggregateSql } from "./aggregate-sql.ts";
import { boundContent, collated, double, isText } from "./bound-content.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { runColumns, type Statement } from "./query-sql.ts";
import { columnName, dataTable, onceTable } from "./schema.ts";

/** The contents that fulfil a condition on texts, looked through outside of the database; `not`: those that do not. */
export interface Membership {
  readonly not: boolean;
  readonly values: readonly Value[];
}

/** By condition, the same object as in the plan. */
export type Memberships = ReadonlyMap<Predicate, Membership>;

/** One statement for the rows of a source: column c is the run, c0, c1, … are the variables of the plan. */
export function lowerRows(plan: RowPlan, stored: StoredExperiment, dialect: Engine["dialect"], memberships: Memberships): Statement {
  return new Lowering(stored, dialect, memberships).rows(plan);
}

/** One statement for the contents of a variable that active runs have, each once, ascending, as column c. */
export function lowerDistinct(
  variable: Variable,
  condition: Predicate,
  stored: StoredExperiment,
  dialect: Engine["dialect"],
  memberships: Memberships,
): Statement {
  return new Lowering(stored, dialect, memberships).distinct(variable, condition);
}

/** All that a plan looks at. */
function usedIn({ variables, once, multiple, limits = [], first, summary }: RowPlan): Variable[] {
  const expressions = [...limits, ...(first?.order ?? []), ...(summary?.columns ?? [])].map(({ of }) => of.variable);
  return [...variables, ...variablesIn(once), ...variablesIn(multiple), ...expressions];
}

function isFloat({ type }: Variable): boolean {
  return type === "float" || type === "duration" || type === "timeofday";
}

type Leaf = Extract<Predicate, { readonly variable: Variable }>;

class Lowering {
  readonly #stored: StoredExperiment;
  readonly #dialect: Engine["dialect"];
  readonly #memberships: Memberships;
  readonly #params: Value[] = [];

  constructor(stored: StoredExperiment, dialect: Engine["dialect"], memberships: Memberships) {
    this.#stored = stored;
    this.#dialect = dialect;
    this.#memberships = memberships;
  }

  rows(plan: RowPlan): Statement {
    const { id } = this.#stored;
    const isData = plan.of === "data";
    const run = isData ? "d.run" : "o.run";
    const used = usedIn(plan);
    const once =
      isData && used.some((variable) => variable.occurrence === "once" && !isRunVariable(variable))
        ? ` join ${onceTable(id)} o on o.run = d.run`
        : "";
    const conditions = [plan.once, plan.multiple].filter((each) => !isAlways(each)).map((each) => `(${this.#condition(each)})`);
    conditions.push(...(plan.limits ?? []).map((limit) => this.#limit(limit)));
    if (plan.runs !== undefined) conditions.push(plan.runs.length === 0 ? "false" : `${run} in (${plan.runs.map(Number).join(", ")})`);
    const from = [
      `from ${isData ? `${dataTable(id)} d` : `${onceTable(id)} o`}${once}`,
      `join run r on r.experiment = ${id} and r.number = ${run} and r.active`,
      conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`,
    ].filter((part) => part !== "");
    const sql = plan.summary === undefined ? this.#rows(plan, run, from) : this.#summary(plan, plan.summary, run, from);
    return { sql: sql.join(" "), params: this.#params };
  }

  #rows(plan: RowPlan, run: string, from: readonly string[]): string[] {
    const columns = plan.variables.map((variable, at) => `, ${this.#expression(variable)} as c${at}`);
    const first = plan.first?.order.map(({ of, descending }) => `${this.#ordered(of)} ${descending ? "desc" : "asc"} nulls last`) ?? [];
    const order = [...first, `r.${plan.chronology}`, run, ...this.#key(plan), ...(plan.of === "data" ? ["d.ordinal"] : [])];
    const most = plan.first === undefined ? [] : [`limit ${plan.first.count}`];
    return [`select ${run} as c${columns.join("")}`, ...from, `order by ${order.join(", ")}`, ...most];
  }

  /** The columns are named by their places. */
  #summary(plan: RowPlan, summary: Summary, run: string, from: readonly string[]): string[] {
    const isByRun = summary.by === "run";
    const keys =
      summary.by === "run" ? [run, `r.${plan.chronology}`] : summary.by.map((variable) => this.#ordered({ variable, steps: [] }));
    const columns = [
      isByRun ? run : "null",
      ...(isByRun ? [] : keys),
      ...summary.columns.map(({ of, aggregate }) => aggregateSql(aggregate, this.#stepped(of), of.variable)),
      ...summary.common.flatMap((variable) => {
        const content = this.#expression(variable);
        return [...(["min", "max"] as const).map((kind) => aggregateSql({ kind }, content, variable)), `count(${content})`];
      }),
      "count(*)",
    ];
    const group = keys.length === 0 ? [] : [`group by ${keys.join(", ")}`];
    return [
      `select ${columns.map((column, at) => `${column} as c${at}`).join(", ")}`,
      ...from,
      ...group,
      ...(isByRun ? [`order by r.${plan.chronology}, ${run}`] : []),
    ];
  }

  #stepped({ variable, steps }: RowExpression): string {
    return steps.reduce(
      (content, { kind, by }) => `(${content} ${kind === "times" ? "*" : "+"} cast($${this.#params.push(by)} as ${double}))`,
      this.#expression(variable),
    );
  }

  /** Texts by code point. */
  #ordered(of: RowExpression): string {
    return isText(of.variable) ? collated(this.#stepped(of)) : this.#stepped(of);
  }

  #limit({ of, sign, value, absolute }: RowLimit): string {
    const { variable } = of;
    const plain = this.#stepped(of);
    const content = absolute ? `abs(${variable.type === "integer" ? `cast(${plain} as decimal(38, 0))` : plain})` : plain;
    const compared = this.#comparison(content, { kind: sign, variable, value });
    // Databases have NaN above all numbers.
    return isFloat(variable) && (sign === ">" || sign === ">=") ? `(${compared} and ${content} <> cast('NaN' as ${double}))` : compared;
  }

  distinct(variable: Variable, condition: Predicate): Statement {
    const { id } = this.#stored;
    const isData = variable.occurrence === "multiple";
    const content = this.#expression(variable);
    const conditions = [`${content} is not null`, ...(isAlways(condition) ? [] : [`(${this.#condition(condition)})`])];
    const sql = [
      `select ${content} as c from ${isData ? `${dataTable(id)} d` : `${onceTable(id)} o`}`,
      `join run r on r.experiment = ${id} and r.number = ${isData ? "d.run" : "o.run"} and r.active`,
      `where ${conditions.join(" and ")} group by ${content}`,
      `order by ${isText(variable) ? collated(content) : content}`,
    ];
    return { sql: sql.join(" "), params: this.#params };
  }

  #key({ key }: RowPlan): string[] {
    if (key === undefined) return [];
    const content = this.#expression(key.variable);
    return [`${isText(key.variable) ? collated(content) : content} ${key.descending ? "desc" : "asc"} nulls last`];
  }

  #expression(variable: Variable): string {
    if (isRunVariable(variable)) return runColumns[variable.name] ?? "null";
    const id = this.#stored.variableIds[this.#stored.experiment.variables.indexOf(variable)];
    return `${variable.occurrence === "multiple" ? "d" : "o"}.${columnName(id ?? 0)}`;
  }

  #bound(value: Value, variable: Variable): string {
    return boundContent(value, variable, this.#dialect, (each) => `$${this.#params.push(each)}`);
  }

  /** An empty junction is true for `and`, false for `or`. */
  #condition(predicate: Predicate): string {
    if ("of" in predicate) {
      if (predicate.of.length === 0) return predicate.kind === "and" ? "true" : "false";
      return predicate.of.map((each) => `(${this.#condition(each)})`).join(` ${predicate.kind} `);
    }
    return this.#leaf(predicate);
  }

  #leaf(predicate: Leaf): string {
    const content = this.#expression(predicate.variable);
    if (predicate.kind === "null") return `${content} is null`;
    if (predicate.kind === "notnull") return `${content} is not null`;
    if ("value" in predicate) return this.#comparison(content, predicate);
    return this.#membership(content, predicate.variable, this.#memberships.get(predicate));
  }

  #comparison(
    content: string,
    { kind, variable, value }: { readonly kind: RowLimit["sign"]; readonly variable: Variable; readonly value: Exclude<Value, null> },
  ): string {
    const isOrder = kind !== "=" && kind !== "<>";
    // A bound of a whole number may be a fraction.
    const bound =
      variable.type === "integer" && !Number.isInteger(Number(value))
        ? `cast(${this.#bound(value, { ...variable, type: "float" })} as ${double})`
        : this.#bound(value, variable);
    return `${isOrder && isText(variable) ? collated(content) : content} ${kind} ${bound}`;
  }

  #membership(content: string, variable: Variable, membership: Membership | undefined): string {
    const { not = false, values = [] } = membership ?? {};
    if (values.length === 0) return not ? `${content} is not null` : "false";
    return `${content} ${not ? "not in" : "in"} (${values.map((value) => this.#bound(value, variable)).join(", ")})`;
  }
}
