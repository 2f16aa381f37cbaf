import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import {
  variablesOf,
  type Output,
  type Query,
  isRunVariable,
  rowNumberInRun,
  summaryOf,
} from "../../query/plan/index.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import type { RunCheck } from "./hidden-run-check.ts";
import { QueryTerms } from "./query-terms.ts";
import { selectGroups, type GroupColumn } from "./select-groups.ts";
import { dataTable, onceTable } from "../schema/index.ts";

/** A statement and the values bound to its $1, $2, …. Column i of its result is named c<i>. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Value[];
  /** How shards are read; absent if the experiment is not sharded. */
  readonly shards?: ShardedStatement;
}

export interface ShardedStatement {
  readonly count: number;
  /** How often each shard aggregates its rows; 0 if all matching rows are fetched. */
  readonly passes: number;
}

/** Marks a statement that fetches the matching rows of all shards. */
export function gatherFromShards(statement: Statement, { shards }: Pick<StoredExperiment, "shards">): Statement {
  return shards === undefined ? statement : { ...statement, shards: { count: shards, passes: 0 } };
}

/** Properties of the data and the database. */
export interface CompileContext {
  readonly dialect: Dialect;
  readonly check: RunCheck;
  /** Some values are not finite or make a variance overflow. Handling them doubles the time. */
  readonly hasOverflow: boolean;
}

/** Compiles `query` to one statement over tables that are, or appear to be, local. */
export function compileLocalQuery(query: Query, stored: StoredExperiment, context: CompileContext): Statement {
  return new QueryCompiler(query, stored, context).statement();
}

class QueryCompiler {
  readonly #query: Query;
  readonly #stored: StoredExperiment;
  readonly #context: CompileContext;
  readonly #terms: QueryTerms;

  constructor(query: Query, stored: StoredExperiment, context: CompileContext) {
    this.#query = query;
    this.#stored = stored;
    this.#context = context;
    this.#terms = new QueryTerms(stored, context.dialect);
  }

  statement(): Statement {
    const { outputs, limit } = this.#query;
    const where = this.#where();
    const keys = outputs.filter((output) => output.statistic === undefined).map((output) => this.#sourceColumn(output));
    const columns = outputs.map((output) => this.#column(output));
    const rest = [`from ${this.#tables()}`, where, this.#group(keys)];
    const sql = [
      selectGroups(columns, rest.filter((part) => part !== "").join(" ")),
      orderOf(this.#query),
      limit === undefined ? "" : `limit ${this.#terms.bind(limit)}`,
    ];
    return { sql: sql.filter((part) => part !== "").join(" "), params: this.#terms.params };
  }

  /** Reads rows (d); joins runs (r) and once-values (o) only if they are used. */
  #tables(): string {
    const { id } = this.#stored;
    const used = this.#used();
    const base = this.#query.of === "data" ? `${dataTable(id)} d` : `${onceTable(id)} o`;
    const run = this.#query.of === "data" ? "d.run" : "o.run";
    const joins = [];
    if (
      this.#query.of === "data" &&
      used.some((v) => v.occurrence === "once" && v !== rowNumberInRun && !isRunVariable(v))
    ) {
      joins.push(`join ${onceTable(id)} o on o.run = d.run`);
    }
    if (used.some(isRunVariable)) joins.push(`join run r on r.experiment = ${id} and r.number = ${run}`);
    return [base, ...joins].join(" ");
  }

  #used(): Variable[] {
    return [...this.#query.outputs.flatMap((output) => output.source ?? []), ...this.#query.where.flatMap(variablesOf)];
  }

  #where(): string {
    const run = this.#query.of === "data" ? "d.run" : "o.run";
    const conditions = this.#query.where.map((condition) => this.#terms.conditions(condition));
    const { ordinals } = this.#query;
    if (ordinals)
      conditions.push(`d.ordinal between ${this.#terms.bind(ordinals.first)} and ${this.#terms.bind(ordinals.last)}`);
    conditions.push(...this.#runCondition(run));
    return conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  }

  #runCondition(run: string): string[] {
    const { check } = this.#context;
    if (check === "skip") return [];
    if (check === "compare") return [`${run} in (select number from run where ${this.#runs()})`];
    return [`not exists (select 1 from run where experiment = ${this.#stored.id} and not active)`];
  }

  /** Without keys there would be a group even without rows. */
  #group(keys: readonly string[]): string {
    if (!this.#query.grouped) return "";
    if (keys.length > 0) return `group by ${keys.join(", ")}`;
    return this.#context.check === "none if hidden" ? "having count(*) > 0" : "";
  }

  #runs(): string {
    const { runs, versions, deleted = false } = this.#query;
    const conditions = [`experiment = ${this.#stored.id}`, ...(deleted ? [] : ["active"])];
    if (runs !== undefined) conditions.push(this.#terms.among("number", runs));
    if (versions !== undefined) conditions.push(this.#terms.among("version", versions));
    return conditions.join(" and ");
  }

  #sourceColumn(output: Output): string {
    return output.source === undefined ? "null" : this.#terms.expression(output.source);
  }

  #column(output: Output): GroupColumn {
    const { statistic, source } = output;
    if (statistic === undefined)
      return source !== undefined && isText(source) ? collated(this.#sourceColumn(output)) : this.#sourceColumn(output);
    if (source === undefined) return "count(*)";
    const { dialect, hasOverflow } = this.#context;
    const operand = { expression: this.#terms.expression(source), type: source.type, dialect, hasOverflow };
    return { of: source, aggregate: summaryOf(statistic), operand };
  }
}

/** Sorts as requested; then groups by their keys and rows in import order. */
export function orderOf({ sort, outputs, grouped, of }: Query): string {
  const keys = grouped
    ? outputs.flatMap(({ statistic }, output) => (statistic === undefined ? [{ output, descending: false }] : []))
    : [];
  const rest = keys.filter((key) => !sort.some((each) => each.output === key.output));
  const terms = [...sort, ...rest].map(
    ({ output, descending }) => `c${output} ${descending ? "desc" : "asc"} nulls last`,
  );
  if (!grouped) terms.push(...(of === "data" ? ["d.run", "d.ordinal"] : ["o.run"]));
  return terms.length === 0 ? "" : `order by ${terms.join(", ")}`;
}
