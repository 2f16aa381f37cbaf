import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import { mostMatches, type RowJoin, type RowPlan } from "../../query/description/index.ts";
import {
  always,
  isAlways,
  join,
  type Predicate,
  expressionType,
  type RowExpression,
  type RowLimit,
  type RunSlice,
  isRunVariable,
} from "../../query/plan/index.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { gatherFromShards, type Statement } from "./query-statement.ts";
import { StatementTerms, runOf, usedIn } from "./statement-terms.ts";
import type { RunCheck } from "./hidden-run-check.ts";
import { dataTable, onceTable } from "../schema/index.ts";
import { compileShardedDistinct, compileShardedRows } from "./sharded/partial-aggregation.ts";
import { orderedSql, summarySql } from "./summary-sql.ts";

/**
 * Compiles a plan to one statement. Its columns are the run and the variables of the plan, then those of each joined
 * source.
 */
export function compileRows(plan: RowPlan, stored: StoredExperiment, dialect: Dialect, check: RunCheck): Statement {
  const compileLocally = (): Statement => gatherFromShards(new RowCompiler(stored, dialect, check).rows(plan), stored);
  return compileShardedRows(plan, stored, dialect) ?? compileLocally();
}

/** Whether groups of rows can be computed without the table of runs, provided that no run is deleted. */
export function canSkipRuns(plan: RowPlan): boolean {
  const { summary, runs, joins, slice } = plan;
  if (summary === undefined || summary.by === "run" || runs !== undefined || joins !== undefined || slice !== undefined)
    return false;
  return plan.of === "data" && !usedIn(plan).some(isRunVariable);
}

/** Compiles a statement for the distinct values of a variable in active runs, ascending, as column c. */
export function compileDistinct(
  variable: Variable,
  condition: Predicate,
  stored: StoredExperiment,
  dialect: Dialect,
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
    compileShardedDistinct(variable, plan, stored, dialect) ??
    gatherFromShards(new RowCompiler(stored, dialect, "compare").distinct(variable, condition), stored)
  );
}

/** The source of rows and their order: expressions, each with a direction. */
interface Rows {
  /** `from …` and `where …`. */
  readonly from: string;
  /** Named columns: the run, then the variables, of each source. */
  readonly columns: readonly string[];
  readonly order: readonly { readonly of: string; readonly way: string }[];
}

class RowCompiler {
  readonly #stored: StoredExperiment;
  readonly #check: RunCheck;
  readonly #terms: StatementTerms;

  constructor(stored: StoredExperiment, dialect: Dialect, check: RunCheck) {
    this.#stored = stored;
    this.#check = check;
    this.#terms = new StatementTerms(stored, dialect);
  }

  rows(plan: RowPlan): Statement {
    const rows = plan.joins === undefined ? this.#own(plan) : this.#joined(plan, plan.joins);
    // Without keys there would be a group even without rows.
    const having = this.#check === "none if hidden" ? " having count(*) > 0" : "";
    const { from } = rows;
    const sql =
      plan.summary === undefined
        ? this.#rows(plan, rows)
        : summarySql(
            plan.summary,
            { from, run: runOf(plan), chronology: `r.${plan.chronology}`, having },
            this.#terms.context,
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

  /** The joined rows of several sources. */
  #joined(plan: RowPlan, joins: readonly RowJoin[]): Rows {
    const { joins: _, limits = [], quotients = [], ...first } = plan;
    const plans = [first, ...joins.map(({ rows }) => rows)];
    const sources = plans.map((source) => this.#own(source));
    this.#terms.joined = plans;
    const [from = "", ...others] = sources.map((source, at) => `(${subselect(source)}) j${at}`);
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
      order: sources.flatMap(({ order }, at) => order.map(({ way }, key) => ({ of: `j${at}.o${key}`, way }))),
    };
  }

  /** Equality that treats nulls as equal, in a form that every engine executes as a hash join. */
  #same(before: RowExpression, own: RowExpression, at: number): string {
    const sides = [
      this.#terms.expression(before),
      this.#terms.expression(own.kind === "column" ? { ...own, from: at } : own),
    ];
    const substitute = nullSubstitutes[expressionType(own)] ?? "''";
    const equal = sides.map((side) => `coalesce(${side}, ${substitute})`).join(" = ");
    return `${equal} and ${sides.map((side) => `(${side} is null)`).join(" = ")}`;
  }

  #divided(quotients: NonNullable<RowPlan["quotients"]>[number]): string {
    const conditions = quotients.map(({ dividend, divisor }) => {
      const [of, by] = [this.#terms.expression(dividend), this.#terms.expression(divisor)];
      return `${of} is null or ${by} is null or ${by} <> 0`;
    });
    return conditions.length === 0 ? "true" : `(${conditions.join(" or ")})`;
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

  /** Restricts rows to a slice of the runs that have matching rows. */
  #sliced(plan: RowPlan, { descending, offset, limit }: RunSlice, limits: readonly RowLimit[]): string {
    const run = runOf(plan);
    const way = descending ? " desc" : "";
    const from = this.#from(plan, limits, false);
    const runs = `select ${run} as c, r.${plan.chronology} as o ${from} group by ${run}, r.${plan.chronology}`;
    const bounds = `${limit === undefined ? "" : ` limit ${limit}`}${offset === undefined ? "" : ` offset ${offset}`}`;
    return `${run} in (select k.c from (${runs}) k order by k.o${way}, k.c${way}${bounds})`;
  }

  #rows(plan: RowPlan, { from, columns, order }: Rows): string {
    const first =
      plan.first?.order.map(
        ({ of, descending }) => `${orderedSql(of, this.#terms.context)} ${descending ? "desc" : "asc"} nulls last`,
      ) ?? [];
    const keys = [...first, ...order.map(({ of, way }) => of + way)];
    const limit = plan.first?.count ?? (plan.joins === undefined ? undefined : mostMatches + 1);
    const bound = limit === undefined ? "" : ` limit ${limit}`;
    return `select ${columns.join(", ")} ${from} order by ${keys.join(", ")}${bound}`;
  }

  distinct(variable: Variable, condition: Predicate): Statement {
    const { id } = this.#stored;
    const isData = variable.occurrence === "multiple";
    const column = this.#terms.variable(variable);
    const conditions = [
      `${column} is not null`,
      ...(isAlways(condition) ? [] : [`(${this.#terms.condition(condition)})`]),
    ];
    const sql = [
      `select ${column} as c from ${isData ? `${dataTable(id)} d` : `${onceTable(id)} o`}`,
      `join run r on r.experiment = ${id} and r.number = ${isData ? "d.run" : "o.run"} and r.active`,
      `where ${conditions.join(" and ")} group by ${column}`,
      `order by ${isText(variable) ? collated(column) : column}`,
    ];
    return { sql: sql.join(" "), params: this.#terms.params };
  }

  #key({ key }: RowPlan): Rows["order"] {
    if (key === undefined) return [];
    const column = this.#terms.variable(key.variable);
    return [
      { of: isText(key.variable) ? collated(column) : column, way: ` ${key.descending ? "desc" : "asc"} nulls last` },
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

/** Values that replace nulls in comparisons; the empty text for text types. */
const nullSubstitutes: Readonly<Partial<Record<Variable["type"], string>>> = {
  integer: "0",
  float: "0",
  duration: "0",
  timeofday: "0",
  boolean: "false",
  date: "date '1970-01-01'",
  timestamp: "timestamp '1970-01-01 00:00:00'",
};
