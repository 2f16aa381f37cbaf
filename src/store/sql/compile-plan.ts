import type { DataType } from "../../core/values/index.ts";
import {
  asImported,
  expressionType,
  usedIn,
  type JoinedRows,
  type LogicalPlan,
  type Output,
  type Quotient,
  type RowExpression,
  type RowKind,
  type RowLimit,
  type RowOrder,
  type RunSlice,
  type SummaryAggregate,
} from "../../query/plan/index.ts";
import { binnedSql } from "./binned-sql.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { clauses, direction, isKey, orderBy, sortKeys } from "./order-sql.ts";
import type { CompileContext, Statement } from "./statement.ts";
import { compileSharded, selectFromShards, type SelectedRows } from "./sharded/partial-aggregation.ts";
import { aggregateSql, quantilesSql, type Operand } from "./aggregate-sql.ts";
import { isInCatalogue, isOnceValue, ordinalRange, runOf, StatementTerms } from "./statement-terms.ts";
import { dataTable, isOneOf, onceTable } from "../schema/index.ts";

/**
 * Compiles a plan to one statement. Over shards, each shard aggregates its own rows if the plan has groups, and
 * computes and limits them otherwise; where that is not possible, the rows of all shards are fetched.
 */
export function compilePlan(plan: LogicalPlan, stored: StoredExperiment, context: CompileContext): Statement {
  const rewritten = compileSharded(plan, stored, context);
  if (rewritten !== undefined) return rewritten;
  const statement = new PlanCompiler(stored, context).statement(plan);
  return stored.shards === undefined ? statement : { ...statement, shards: { count: stored.shards, passes: 0 } };
}

/** Whether a plan reads all active runs, so that their table is not needed if no run is deleted. */
export function readsAllRuns({ of, runs, versions, deleted, slice }: LogicalPlan): boolean {
  const isLimited = runs !== undefined || versions !== undefined || deleted === true || slice !== undefined;
  return typeof of === "string" && !isLimited;
}

/** Compiles to one statement over tables that are, or appear to be, local. */
class PlanCompiler {
  readonly #stored: StoredExperiment;
  readonly #context: CompileContext;
  readonly #terms: StatementTerms;
  /** Steps before the select. */
  readonly #steps: string[] = [];

  constructor(stored: StoredExperiment, context: CompileContext) {
    this.#stored = stored;
    this.#context = context;
    this.#terms = new StatementTerms(stored, context.dialect);
  }

  statement(plan: LogicalPlan): Statement {
    const { bins, limit } = plan;
    const rows = this.#rows(plan, "");
    const binned = bins && binnedSql({ ...plan, bins }, rows.from, this.#terms.context);
    this.#steps.push(...(binned?.steps ?? []));
    const sql = [
      binned?.sql ?? this.#selected(plan, rows),
      this.#order(plan, rows),
      limit === undefined ? "" : `limit ${this.#terms.bind(limit)}`,
    ];
    const before = this.#steps.length === 0 ? "" : `with ${this.#steps.join(", ")}`;
    return { sql: clauses([before, ...sql]), params: this.#terms.params };
  }

  #rows(plan: LogicalPlan, prefix: string): SelectedRows {
    const order = plan.grouped ? [] : rowOrder(plan);
    const sharded = selectFromShards(plan, order, this.#stored, this.#terms, prefix);
    this.#steps.push(...(sharded?.steps ?? []));
    if (sharded !== undefined) return sharded;
    const from = this.#source(plan);
    const sqlOf = ({ of }: Pick<Output, "of">): string => (of === undefined ? "null" : this.#terms.expression(of));
    return { from, columns: plan.outputs.map(sqlOf), order: order.map(sqlOf) };
  }

  #source(plan: LogicalPlan): string {
    if (typeof plan.of !== "string") return this.#joined(plan, plan.of);
    this.#terms.source = plan.of;
    return this.#from(plan, plan.of, plan.limits, plan.slice);
  }

  #selected(plan: LogicalPlan, { from, columns: values }: SelectedRows): string {
    const columns = plan.outputs.map((output, at) => this.#column(plan, output, at, values[at] as string));
    const keys = plan.grouped ? values.filter((_, at) => isKey(plan.outputs[at])) : [];
    return selectGroups(columns, clauses([from, this.#group(plan, keys)]));
  }

  /** Text sorts by code point, regardless of the locale of the database. */
  #column(plan: LogicalPlan, { of, aggregate }: Output, at: number, expression: string): GroupColumn {
    const type = of === undefined ? "integer" : expressionType(of);
    if (aggregate === undefined) {
      const isSorted = plan.grouped || plan.sort.some(({ output }) => output === at);
      return isSorted && isText({ type }) ? collated(expression) : expression;
    }
    const { dialect, hasOverflow } = this.#context;
    return { of: inputOf(of), aggregate, operand: { expression, type, dialect, hasOverflow } };
  }

  /** Without keys there would be a group even without rows. */
  #group({ grouped }: LogicalPlan, keys: readonly string[]): string {
    if (keys.length > 0) return `group by ${keys.join(", ")}`;
    return grouped && this.#context.check === "none if hidden" ? "having count(*) > 0" : "";
  }

  /** Rows d, run values o and runs r, as far as they are used, and all conditions. */
  #from(plan: LogicalPlan, of: RowKind, limits: readonly RowLimit[] = [], slice?: LogicalPlan["slice"]): string {
    const { id } = this.#stored;
    const run = runOf(of);
    const used = usedIn(plan);
    const runs = this.#runConditions(plan);
    const joinsRuns = used.some(isInCatalogue);
    const conditions = plan.where.map((each) => `(${this.#terms.condition(each)})`);
    conditions.push(...limits.map((limit) => this.#terms.limit(limit)), ...ordinalRange(plan));
    if (slice !== undefined) conditions.push(...slice.of.map((each) => this.#sliced(plan, of, slice, each)));
    if (runs.length > 0 && !joinsRuns)
      conditions.push(
        `${run} in (select r.number from run r where ${[`r.experiment = ${id}`, ...runs].join(" and ")})`,
      );
    if (this.#context.check === "none if hidden")
      conditions.push(`not exists (select 1 from run where experiment = ${id} and not active)`);
    return clauses([
      `from ${of === "data" ? `${dataTable(id)} d` : `${onceTable(id)} o`}`,
      of === "data" && used.some(isOnceValue) ? `join ${onceTable(id)} o on o.run = d.run` : "",
      joinsRuns ? `join run r on ${[`r.experiment = ${id}`, `r.number = ${run}`, ...runs].join(" and ")}` : "",
      whereAll(conditions),
    ]);
  }

  #runConditions({ runs, versions, deleted = false }: LogicalPlan): string[] {
    if (this.#context.check !== "compare") return [];
    return [
      ...(deleted ? [] : ["r.active"]),
      ...(runs === undefined ? [] : [isOneOf("r.number", runs)]),
      ...(versions === undefined ? [] : [this.#terms.among("r.version", versions)]),
    ];
  }

  /** Restricts rows to a slice of the runs that have matching rows. */
  #sliced(
    plan: LogicalPlan,
    of: RowKind,
    slice: NonNullable<LogicalPlan["slice"]>,
    { descending, offset, limit }: RunSlice,
  ): string {
    const [run, by] = [runOf(of), this.#terms.variable(slice.by)];
    const way = descending ? " desc" : "";
    const runs = `select ${run} as c, ${by} as o ${this.#from(plan, of, slice.limits)} group by ${run}, ${by}`;
    const bounds = `${limit === undefined ? "" : ` limit ${limit}`}${offset === undefined ? "" : ` offset ${offset}`}`;
    return `${run} in (select k.c from (${runs}) k order by k.o${way}, k.c${way}${bounds})`;
  }

  /** The joined rows of several plans, whose columns are c0, c1, …, and o0, o1, … that order them. */
  #joined({ limits = [] }: LogicalPlan, { plans, on, quotients }: JoinedRows): string {
    const [first = "", ...others] = plans.map((plan, at) => `(${this.#subselect(plan, at)}) j${at}`);
    this.#terms.source = plans;
    const joins = others.map((other, at) => {
      const pairs = (on[at] ?? []).map(({ before, own }) => this.#same(before, inSource(own, at + 1)));
      return `join ${other} on ${pairs.join(" and ")}`;
    });
    const conditions = [
      ...limits.map((limit) => this.#terms.limit(limit)),
      ...quotients.map((each) => this.#divided(each)),
    ];
    return clauses([`from ${first}`, ...joins, whereAll(conditions)]);
  }

  #subselect(plan: LogicalPlan, at: number): string {
    const rows = this.#rows(plan, `j${at}_`);
    const columns = rows.columns.map((sql, column) => `${sql} as c${column}`);
    const order = rowOrder(plan).map(({ of }, key) => `${sortable(rows.order[key] as string, of)} as o${key}`);
    return `select ${[...columns, ...order].join(", ")} ${rows.from}`;
  }

  /** Equality that treats nulls as equal, in a form that every engine executes as a hash join. */
  #same(before: RowExpression, own: RowExpression): string {
    const sides = [this.#terms.expression(before), this.#terms.expression(own)];
    const substitute = nullSubstitutes[expressionType(own)] ?? "''";
    const equal = sides.map((side) => `coalesce(${side}, ${substitute})`).join(" = ");
    return `${equal} and ${sides.map((side) => `(${side} is null)`).join(" = ")}`;
  }

  #divided(quotients: readonly Quotient[]): string {
    const conditions = quotients.map(({ dividend, divisor }) => {
      const [of, by] = [this.#terms.expression(dividend), this.#terms.expression(divisor)];
      return `${of} is null or ${by} is null or ${by} <> 0`;
    });
    return conditions.length === 0 ? "true" : `(${conditions.join(" or ")})`;
  }

  #order(plan: LogicalPlan, rows: SelectedRows): string {
    const terms = sortKeys(plan).map(({ output, descending }) => direction(`c${output}`, descending));
    if (!plan.grouped) {
      const keys = rowOrder(plan).map(({ of, descending }, key) =>
        direction(sortable(rows.order[key] as string, of), descending),
      );
      terms.push(...keys);
      const joined = typeof plan.of === "string" ? [] : plan.of.plans;
      for (const [at, each] of joined.entries())
        terms.push(...rowOrder(each).map(({ descending }, key) => direction(`j${at}.o${key}`, descending)));
    }
    return orderBy(terms);
  }
}

/** Text sorts by code point. */
function sortable(sql: string, of: RowExpression): string {
  return isText({ type: expressionType(of) }) ? collated(sql) : sql;
}

function rowOrder({ of, order }: LogicalPlan): readonly RowOrder[] {
  return order ?? (typeof of === "string" ? asImported(of) : []);
}

/** Aggregates of one variable or expression share their input. */
function inputOf(of: RowExpression | undefined): object {
  if (of === undefined) return {};
  return of.kind === "column" && of.from === 0 ? of.variable : of;
}

/** The expression of a plan's own column, for the rows of a join. */
function inSource(own: RowExpression, from: number): RowExpression {
  return own.kind === "column" ? { ...own, from } : own;
}

function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
}

/** Values that replace nulls in comparisons; the empty text for text types. */
const nullSubstitutes: Readonly<Partial<Record<DataType, string>>> = {
  integer: "0",
  float: "0",
  duration: "0",
  timeofday: "0",
  boolean: "false",
  date: "date '1970-01-01'",
  timestamp: "timestamp '1970-01-01 00:00:00'",
};

/** A column of groups: SQL, or an aggregate. Aggregates of the same `of` share their input. */
type GroupColumn = string | { readonly of: object; readonly aggregate: SummaryAggregate; readonly operand: Operand };

/** The SQL of a column. `element`: its position in the list that column `first` computes. */
interface SelectedColumn {
  readonly sql: string;
  readonly element?: { readonly first: number; readonly at: number };
}

/**
 * A select of columns c0, c1, … followed by `rest`. Several quantiles of one input are computed in one pass, as a list
 * that an outer select expands; `order` then follows that select.
 */
function selectGroups(columns: readonly GroupColumn[], rest: string): string {
  const selected = columns.map((_, at) => selectedColumn(columns, at));
  const inner = selected.flatMap(({ sql }, at) => (sql === "" ? [] : [`${sql} as c${at}`]));
  const plain = `select ${inner.join(", ")} ${rest}`;
  if (selected.every(({ element }) => element === undefined)) return plain;
  const outer = selected.map(({ element }, at) =>
    element === undefined ? `c${at}` : `c${element.first}[${element.at + 1}] as c${at}`,
  );
  return `select ${outer.join(", ")} from (${plain}) g`;
}

function selectedColumn(columns: readonly GroupColumn[], index: number): SelectedColumn {
  const column = columns[index] as GroupColumn;
  if (typeof column === "string") return { sql: column };
  const { aggregate, operand } = column;
  const list = columns.flatMap((each, at) => (levelOf(each, column.of).length > 0 ? [at] : []));
  const [first = index] = list;
  if (aggregate.kind !== "interpolated" || list.length < 2) return { sql: aggregateSql(aggregate, operand) };
  const element = { first, at: list.indexOf(index) };
  if (first !== index) return { sql: "", element };
  return {
    sql: quantilesSql(
      list.flatMap((at) => levelOf(columns[at], column.of)),
      operand,
    ),
    element,
  };
}

/** The level of a quantile of `of`. */
function levelOf(column: GroupColumn | undefined, of: object): number[] {
  if (column === undefined || typeof column === "string" || column.of !== of) return [];
  return column.aggregate.kind === "interpolated" ? [column.aggregate.at] : [];
}
