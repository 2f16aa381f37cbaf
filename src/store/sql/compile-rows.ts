import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { mostMatches } from "../../query/description/operators/matching.ts";
import { always, isAlways, join, type Predicate } from "../../query/plan/predicate.ts";
import { expressionType, type RowExpression } from "../../query/plan/row-expression.ts";
import type { RowLimit, RunSlice } from "../../query/plan/row-summary.ts";
import type { RowJoin, RowPlan } from "../../query/description/sources/source-plan.ts";
import { isRunVariable } from "../../query/plan/run-variables.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import type { Memberships } from "./condition-sql.ts";
import { gathered, type Statement } from "./query-statement.ts";
import { RowTerms, runOf, usedIn } from "./row-terms.ts";
import type { RunCheck } from "./hidden-run-check.ts";
import { dataTable, onceTable } from "../schema/schema.ts";
import { splitDistinct, splitRows } from "./sharded/partial-aggregation.ts";
import { orderedSql, summarySql } from "./summary-sql.ts";

/**
 * One statement for the rows of a source: columns are the run and the variables of the plan, then those of each source
 * that is joined.
 */
export function lowerRows(
  plan: RowPlan,
  stored: StoredExperiment,
  dialect: Engine["dialect"],
  memberships: Memberships,
  check: RunCheck,
): Statement {
  const inOnePlace = (): Statement => gathered(new Lowering(stored, dialect, memberships, check).rows(plan), stored);
  return splitRows(plan, stored, dialect, memberships) ?? inOnePlace();
}

/** Whether groups of rows can be told without the runs that they are from, where none of these is hidden. */
export function canSkipRuns(plan: RowPlan): boolean {
  const { summary, runs, joins, slice } = plan;
  if (summary === undefined || summary.by === "run" || runs !== undefined || joins !== undefined || slice !== undefined)
    return false;
  return plan.of === "data" && !usedIn(plan).some(isRunVariable);
}

/** One statement for the contents of a variable that active runs have, each once, ascending, as column c. */
export function lowerDistinct(
  variable: Variable,
  condition: Predicate,
  stored: StoredExperiment,
  dialect: Engine["dialect"],
  memberships: Memberships,
): Statement {
  const of = variable.occurrence === "multiple" ? "data" : "runs";
  const conditions: Predicate[] = [{ kind: "notnull", variable }, condition];
  const plan: RowPlan = {
    variables: [variable],
    once: always,
    multiple: join("and", conditions),
    chronology: "created",
    of,
  };
  return (
    splitDistinct(variable, plan, stored, dialect, memberships) ??
    gathered(new Lowering(stored, dialect, memberships, "compare").distinct(variable, condition), stored)
  );
}

/** Where rows come from, and what they are in order of: expressions with a direction behind. */
interface Rows {
  /** `from …` and `where …`. */
  readonly from: string;
  /** Columns with their names: the run, then the variables, of each source. */
  readonly columns: readonly string[];
  readonly order: readonly { readonly of: string; readonly way: string }[];
}

class Lowering {
  readonly #stored: StoredExperiment;
  readonly #check: RunCheck;
  readonly #terms: RowTerms;

  constructor(stored: StoredExperiment, dialect: Engine["dialect"], memberships: Memberships, check: RunCheck) {
    this.#stored = stored;
    this.#check = check;
    this.#terms = new RowTerms(stored, dialect, memberships);
  }

  rows(plan: RowPlan): Statement {
    const rows = plan.joins === undefined ? this.#own(plan) : this.#beside(plan, plan.joins);
    // Where all rows are one group there is one also of no rows.
    const having = this.#check === "none if hidden" ? " having count(*) > 0" : "";
    const { from } = rows;
    const sql =
      plan.summary === undefined
        ? this.#rows(plan, rows)
        : summarySql(
            plan.summary,
            { from, run: runOf(plan), chronology: `r.${plan.chronology}`, having },
            this.#terms.written,
          );
    return { sql, params: this.#terms.params };
  }

  /** The rows of one source. */
  #own(plan: RowPlan): Rows {
    const run = runOf(plan);
    const columns = plan.variables.map((variable, at) => `${this.#terms.variable(variable)} as c${at}`);
    return {
      from: this.#from(plan, plan.limits ?? [], true),
      columns: [`${run} as c`, ...columns],
      order: [{ of: `r.${plan.chronology}`, way: "" }, { of: run, way: "" }, ...this.#key(plan), ...ordinal(plan)],
    };
  }

  /** The rows of several sources beside each other. */
  #beside(plan: RowPlan, joins: readonly RowJoin[]): Rows {
    const { joins: _, limits = [], quotients = [], ...first } = plan;
    const plans = [first, ...joins.map(({ rows }) => rows)];
    const parts = plans.map((part) => this.#own(part));
    this.#terms.joined = plans;
    const [from = "", ...others] = parts.map((part, at) => `(${subselect(part)}) j${at}`);
    const joined = joins.map(
      ({ on }, at) =>
        `join ${others[at]} on ${on.map(({ before, own }) => this.#same(before, own, at + 1)).join(" and ")}`,
    );
    const conditions = [
      ...limits.map((limit) => this.#terms.limit(limit)),
      ...quotients.map((each) => this.#divided(each)),
    ];
    return {
      from: [`from ${from}`, ...joined, whereAll(conditions)].filter((part) => part !== "").join(" "),
      columns: plans.flatMap(({ variables }, at) => [
        `j${at}.c as j${at}c`,
        ...variables.map((_, column) => `j${at}.c${column} as j${at}c${column}`),
      ]),
      order: parts.flatMap(({ order }, at) => order.map(({ way }, key) => ({ of: `j${at}.o${key}`, way }))),
    };
  }

  /** Missing contents are the same. In this form every engine finds them by their hashes. */
  #same(before: RowExpression, own: RowExpression, at: number): string {
    const sides = [
      this.#terms.expression(before),
      this.#terms.expression(own.kind === "content" ? { ...own, from: at } : own),
    ];
    const none = nothing[expressionType(own)] ?? "''";
    return `${sides.map((side) => `coalesce(${side}, ${none})`).join(" = ")} and ${sides.map((side) => `(${side} is null)`).join(" = ")}`;
  }

  #divided(quotients: NonNullable<RowPlan["quotients"]>[number]): string {
    const found = quotients.map(({ dividend, divisor }) => {
      const [of, by] = [this.#terms.expression(dividend), this.#terms.expression(divisor)];
      return `${of} is null or ${by} is null or ${by} <> 0`;
    });
    return found.length === 0 ? "true" : `(${found.join(" or ")})`;
  }

  #from(plan: RowPlan, limits: readonly RowLimit[], isSliced: boolean): string {
    const { id } = this.#stored;
    const run = runOf(plan);
    const joinsOnce =
      plan.of === "data" && usedIn(plan).some((variable) => variable.occurrence === "once" && !isRunVariable(variable));
    const conditions = [plan.once, plan.multiple]
      .filter((each) => !isAlways(each))
      .map((each) => `(${this.#terms.condition(each)})`);
    conditions.push(...limits.map((limit) => this.#terms.limit(limit)));
    if (plan.runs !== undefined)
      conditions.push(plan.runs.length === 0 ? "false" : `${run} in (${plan.runs.map(Number).join(", ")})`);
    if (isSliced && plan.slice)
      conditions.push(...plan.slice.of.map((each) => this.#sliced(plan, each, plan.slice?.limits ?? [])));
    if (this.#check === "none if hidden")
      conditions.push(`not exists (select 1 from run where experiment = ${id} and not active)`);
    return [
      `from ${plan.of === "data" ? `${dataTable(id)} d` : `${onceTable(id)} o`}`,
      ...(joinsOnce ? [`join ${onceTable(id)} o on o.run = d.run`] : []),
      ...(this.#check === "compare" ? [`join run r on r.experiment = ${id} and r.number = ${run} and r.active`] : []),
      ...(conditions.length > 0 ? [whereAll(conditions)] : []),
    ].join(" ");
  }

  /** Of the runs that there would be rows of. */
  #sliced(plan: RowPlan, { descending, offset, limit }: RunSlice, limits: readonly RowLimit[]): string {
    const run = runOf(plan);
    const way = descending ? " desc" : "";
    const runs = `select ${run} as c, r.${plan.chronology} as o ${this.#from(plan, limits, false)} group by ${run}, r.${plan.chronology}`;
    const bounds = `${limit === undefined ? "" : ` limit ${limit}`}${offset === undefined ? "" : ` offset ${offset}`}`;
    return `${run} in (select k.c from (${runs}) k order by k.o${way}, k.c${way}${bounds})`;
  }

  #rows(plan: RowPlan, { from, columns, order }: Rows): string {
    const first =
      plan.first?.order.map(
        ({ of, descending }) => `${orderedSql(of, this.#terms.written)} ${descending ? "desc" : "asc"} nulls last`,
      ) ?? [];
    const keys = [...first, ...order.map(({ of, way }) => of + way)];
    const most = plan.first?.count ?? (plan.joins === undefined ? undefined : mostMatches + 1);
    return `select ${columns.join(", ")} ${from} order by ${keys.join(", ")}${most === undefined ? "" : ` limit ${most}`}`;
  }

  distinct(variable: Variable, condition: Predicate): Statement {
    const { id } = this.#stored;
    const isData = variable.occurrence === "multiple";
    const content = this.#terms.variable(variable);
    const conditions = [
      `${content} is not null`,
      ...(isAlways(condition) ? [] : [`(${this.#terms.condition(condition)})`]),
    ];
    const sql = [
      `select ${content} as c from ${isData ? `${dataTable(id)} d` : `${onceTable(id)} o`}`,
      `join run r on r.experiment = ${id} and r.number = ${isData ? "d.run" : "o.run"} and r.active`,
      `where ${conditions.join(" and ")} group by ${content}`,
      `order by ${isText(variable) ? collated(content) : content}`,
    ];
    return { sql: sql.join(" "), params: this.#terms.params };
  }

  #key({ key }: RowPlan): Rows["order"] {
    if (key === undefined) return [];
    const content = this.#terms.variable(key.variable);
    return [
      { of: isText(key.variable) ? collated(content) : content, way: ` ${key.descending ? "desc" : "asc"} nulls last` },
    ];
  }
}

function ordinal({ of }: RowPlan): Rows["order"] {
  return of === "data" ? [{ of: "d.ordinal", way: "" }] : [];
}

function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
}

function subselect({ from, columns, order }: Rows): string {
  return `select ${[...columns, ...order.map(({ of }, at) => `${of} as o${at}`)].join(", ")} ${from}`;
}

/** What stands for missing contents where they are compared; of texts an empty one. */
const nothing: Readonly<Partial<Record<Variable["type"], string>>> = {
  integer: "0",
  float: "0",
  duration: "0",
  timeofday: "0",
  boolean: "false",
  date: "date '1970-01-01'",
  timestamp: "timestamp '1970-01-01 00:00:00'",
};
