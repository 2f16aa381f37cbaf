import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import {
  variablesIn,
  type Output,
  type Query,
  isRunVariable,
  rowNumberInRun,
  summaryOf,
} from "../../query/plan/index.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import type { RunCheck } from "./hidden-run-check.ts";
import { aggregateOfRun, partialAggregate, partialCount, type PartialAggregate } from "./aggregate-sql.ts";
import { ShardConditions } from "./sharded/shard-conditions.ts";
import { combineGroups } from "./sharded/shard-groups.ts";
import { isInCatalogue, runOf, StatementTerms } from "./statement-terms.ts";
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
interface CompileContext {
  readonly dialect: Dialect;
  readonly check: RunCheck;
  /** Some values are not finite or make a variance overflow. Handling them doubles the time. */
  readonly hasOverflow: boolean;
}

/** Compiles `query` to one statement over tables that are, or appear to be, local. */
function compileLocalQuery(query: Query, stored: StoredExperiment, context: CompileContext): Statement {
  return new QueryCompiler(query, stored, context).statement();
}

class QueryCompiler {
  readonly #query: Query;
  readonly #stored: StoredExperiment;
  readonly #context: CompileContext;
  readonly #terms: StatementTerms;

  constructor(query: Query, stored: StoredExperiment, context: CompileContext) {
    this.#query = query;
    this.#stored = stored;
    this.#context = context;
    this.#terms = new StatementTerms(stored, context.dialect);
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
    return [...this.#query.outputs.flatMap((output) => output.source ?? []), ...this.#query.where.flatMap(variablesIn)];
  }

  #where(): string {
    const run = this.#query.of === "data" ? "d.run" : "o.run";
    const conditions = this.#query.where.map((condition) => `(${this.#terms.condition(condition)})`);
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
    return output.source === undefined ? "null" : this.#terms.variable(output.source);
  }

  #column(output: Output): GroupColumn {
    const { statistic, source } = output;
    if (statistic === undefined)
      return source !== undefined && isText(source) ? collated(this.#sourceColumn(output)) : this.#sourceColumn(output);
    if (source === undefined) return "count(*)";
    const { dialect, hasOverflow } = this.#context;
    const operand = { expression: this.#terms.variable(source), type: source.type, dialect, hasOverflow };
    return { of: source, aggregate: summaryOf(statistic), operand };
  }
}

/** Sorts as requested; then groups by their keys and rows in import order. */
function orderOf({ sort, outputs, grouped, of }: Query): string {
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

/** Compiles `query` to one statement. */
export function compileQuery(query: Query, stored: StoredExperiment, context: CompileContext): Statement {
  return (
    compileShardedGroups(query, stored, context) ?? gatherFromShards(compileLocalQuery(query, stored, context), stored)
  );
}

/**
 * Compiles a grouped query over shards, each of which aggregates its own rows. Returns undefined if the experiment is
 * not sharded or the query cannot be aggregated partially; `compileLocalQuery` then fetches the rows of the shards.
 */
function compileShardedGroups(
  query: Query,
  stored: StoredExperiment,
  { dialect, hasOverflow }: CompileContext,
): Statement | undefined {
  const { id, shards } = stored;
  const { grouped, outputs, limit } = query;
  if (shards === undefined || !grouped) return undefined;
  const terms = new StatementTerms(stored, dialect, runOf(query));
  const aggregated = outputs.filter(({ statistic }) => statistic !== undefined);
  const aggregates = aggregated.flatMap((output) => aggregateOf(output, terms, { dialect, hasOverflow }) ?? []);
  if (
    aggregates.length < aggregated.length ||
    outputs.some((output) => output.statistic === undefined && output.source === undefined)
  )
    return undefined;
  const keys = keysOf(query);
  const { before, from, group, passes, ...columns } = combineGroups({
    experiment: id,
    shards,
    of: query.of,
    isJoined: isJoined(query),
    conditions: conditionsOf(query, terms),
    deleted: query.deleted === true,
    keys: keys.map((variable) => ({ sql: keySql(variable, terms), ofRun: isInCatalogue(variable) })),
    aggregates,
  });
  const selected = outputs.map((output, at) => {
    const sql =
      output.statistic === undefined
        ? columns.keys[keys.indexOf(output.source as Variable)]
        : columns.aggregates[aggregated.indexOf(output)];
    return `${sql} as c${at}`;
  });
  const bound = limit === undefined ? "" : `limit ${terms.bind(limit)}`;
  const sql = [before, `select ${selected.join(", ")}`, from, group, orderOf(query), bound]
    .filter((clause) => clause !== "")
    .join(" ");
  return { sql, params: terms.params, shards: { count: shards, passes } };
}

function keysOf({ outputs }: Query): Variable[] {
  return outputs.flatMap(({ statistic, source }) => (statistic === undefined && source !== undefined ? [source] : []));
}

function conditionsOf({ of, where, ordinals, runs, versions }: Query, terms: StatementTerms): ShardConditions {
  const conditions = new ShardConditions(runOf({ of }), "");
  for (const each of where) conditions.add(each, terms);
  if (ordinals)
    conditions.rows.push(`d.ordinal between ${terms.bind(ordinals.first)} and ${terms.bind(ordinals.last)}`);
  if (runs !== undefined) conditions.runs.push(terms.among("r.number", runs));
  if (versions !== undefined) conditions.runs.push(terms.among("r.version", versions));
  return conditions;
}

function keySql(variable: Variable, terms: StatementTerms): string {
  const column = terms.variable(variable);
  return isInCatalogue(variable) && isText(variable) ? collated(column) : column;
}

/** Undefined if it cannot be aggregated partially. */
function aggregateOf(
  { statistic, source }: Output,
  terms: StatementTerms,
  context: Pick<CompileContext, "dialect" | "hasOverflow">,
): PartialAggregate | undefined {
  if (source === undefined) return partialCount("*");
  if (statistic === undefined) return undefined;
  const operand = { expression: terms.variable(source), type: source.type, ...context };
  return (isInCatalogue(source) ? aggregateOfRun : partialAggregate)(summaryOf(statistic), operand);
}

function isJoined({ outputs, where }: Query): boolean {
  const used = [...outputs.flatMap(({ source }) => source ?? []), ...where.flatMap(variablesIn)];
  return used.some(
    (variable) => variable.occurrence === "once" && variable !== rowNumberInRun && !isRunVariable(variable),
  );
}
