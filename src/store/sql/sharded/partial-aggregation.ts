import type { Variable } from "../../../core/variables/index.ts";
import {
  columnsIn,
  expressionType,
  type LogicalPlan,
  type Output,
  type RowExpression,
  type RowKind,
  type RowLimit,
  type RowOrder,
  usedIn,
} from "../../../query/plan/index.ts";
import { collated, isText } from "../bind-value.ts";
import type { StoredExperiment } from "../../catalogue/index.ts";
import { binKeys } from "../binned-sql.ts";
import { aggregateOfRun, partialAggregate, type PartialAggregate } from "../aggregate-sql.ts";
import type { CompileContext, Statement } from "../statement.ts";
import { clauses, direction, isKey, orderBy, sortKeys } from "../order-sql.ts";
import { isInCatalogue, isOnceValue, ordinalRange, runOf, StatementTerms } from "../statement-terms.ts";
import { isOneOf } from "../../schema/index.ts";
import { ShardConditions } from "./shard-conditions.ts";
import { combineGroups, type ShardedGroups } from "./shard-groups.ts";
import { fromShards, runSelection, type ShardedRows, whereOf } from "./shard-rows.ts";

/**
 * Compiles a grouped plan over shards, each of which aggregates its own rows. Undefined if the experiment is not
 * sharded, or the plan cannot be divided: it has no groups, it is a join, an aggregate has no partial form, or an
 * expression mixes columns of the catalogue's runs with others.
 */
export function compileSharded(
  plan: LogicalPlan,
  stored: StoredExperiment,
  context: Omit<CompileContext, "check">,
): Statement | undefined {
  const { shards } = stored;
  if (shards === undefined || !plan.grouped || typeof plan.of !== "string") return undefined;
  const terms = new StatementTerms(stored, context.dialect);
  Object.assign(terms, { isRemote: true, source: plan.of });
  const rows = rowsOf(plan, plan.of, { ...stored, shards }, terms, "");
  const keys = keysOf(plan, terms);
  const aggregates = aggregatesOf(plan, terms, context);
  if (rows === undefined || keys === undefined || aggregates === undefined) return undefined;
  const { before, from, group, passes, ...columns } = combineGroups({ ...rows, ...keys, aggregates });
  const { limit, outputs } = plan;
  const [keyOutputs, computed] = [outputs.filter(isKey), outputs.filter((output) => !isKey(output))];
  const selected = outputs.map((output, at) => {
    const sql = isKey(output) ? columns.keys[keyOutputs.indexOf(output)] : columns.aggregates[computed.indexOf(output)];
    return `${sql} as c${at}`;
  });
  const order = orderBy(sortKeys(plan).map(({ output, descending }) => direction(`c${output}`, descending)));
  const bound = limit === undefined ? "" : `limit ${terms.bind(limit)}`;
  const sql = clauses([before, `select ${selected.join(", ")}`, from, group, order, bound]);
  return { sql, params: terms.params, shards: { count: shards, passes } };
}

/** Rows of an experiment: where they come from, the SQL of each output, and of each key of their order. */
export interface SelectedRows {
  readonly from: string;
  readonly columns: readonly string[];
  readonly order: readonly string[];
}

/**
 * Selects rows from shards, each of which evaluates conditions, expressions and limits of its own rows. `steps` come
 * before the select; their names begin with `prefix`. Undefined if the experiment is not sharded, the plan has groups
 * or is a join, or an expression mixes columns of the catalogue's runs with others.
 */
export function selectFromShards(
  plan: LogicalPlan,
  order: readonly RowOrder[],
  stored: StoredExperiment,
  terms: StatementTerms,
  prefix: string,
): (SelectedRows & { readonly steps: readonly string[] }) | undefined {
  const { shards } = stored;
  const { outputs, limits = [], slice } = plan;
  const given = [...outputs, ...order, ...limits, ...(slice?.limits ?? [])];
  const isDivisible = given.every(({ of }) => of === undefined || isOfRuns(of) !== undefined);
  if (shards === undefined || plan.grouped || typeof plan.of !== "string" || !isDivisible) return undefined;
  Object.assign(terms, { isRemote: true, source: plan.of });
  const rows = rowsOf(plan, plan.of, { ...stored, shards }, terms, prefix) as ShardedRows;
  const selected = [`${rows.conditions.run} as run`];
  const columns = [...outputs, ...order].map(({ of }, at) => {
    if (of === undefined) return "null";
    const sql = terms.expression(of);
    if (isOfRuns(of) === true) return sql;
    selected.push(`${sql} as c${at}`);
    return `s.c${at}`;
  });
  const steps = runSelection(rows).map(({ name, sql }) => `${name} as materialized (${sql})`);
  const where = `where ${whereOf(rows.conditions, plan.of)}`;
  const union = fromShards(rows, selected.join(", "), clauses([where, firstRows(plan, order, terms)]));
  Object.assign(terms, { isRemote: false });
  const joinsRuns = given.some(({ of }) => of !== undefined && isOfRuns(of) === true);
  const runs = joinsRuns ? `join run r on r.experiment = ${stored.id} and r.number = s.run` : "";
  const from = clauses([`from (${union}) s`, runs]);
  return { steps, from, columns: columns.slice(0, outputs.length), order: columns.slice(outputs.length) };
}

/** The limit of a shard's rows; none if the order depends on the catalogue. */
function firstRows({ sort, outputs, limit }: LogicalPlan, order: readonly RowOrder[], terms: StatementTerms): string {
  const keys = [...sort.map(({ output, descending }) => ({ of: outputs[output]?.of, descending })), ...order];
  const sorted = keys.flatMap(({ of, descending }) =>
    of === undefined || isOfRuns(of) !== false ? [] : [direction(terms.expression(of), descending)],
  );
  return limit === undefined || sorted.length < keys.length ? "" : `${orderBy(sorted)} limit ${limit}`;
}

/** Undefined for expressions that mix catalogue columns and others. */
function keysOf(
  { outputs, bins }: LogicalPlan,
  terms: StatementTerms,
): Pick<ShardedGroups, "keys" | "range"> | undefined {
  if (bins !== undefined) {
    if (isOfRuns(bins.of) !== false) return undefined;
    const { keys, range } = binKeys(bins, terms.context);
    return { keys: keys.map((sql) => ({ sql, ofRun: false })), range };
  }
  const keys = outputs.filter(isKey);
  const found = keys.flatMap(({ of }) => {
    const ofRun = of && isOfRuns(of);
    if (of === undefined || ofRun === undefined) return [];
    const sql = terms.expression(of);
    return [{ sql: ofRun && isText({ type: expressionType(of) }) ? collated(sql) : sql, ofRun }];
  });
  return found.length < keys.length ? undefined : { keys: found };
}

/** Whether an expression uses catalogue columns only (true), none (false) or both (undefined). */
function isOfRuns(of: RowExpression): boolean | undefined {
  const inCatalogue = columnsIn(of).map(({ variable }) => isInCatalogue(variable));
  if (!inCatalogue.includes(true)) return false;
  return inCatalogue.includes(false) ? undefined : true;
}

/** Undefined if one cannot be aggregated partially. */
function aggregatesOf(
  { outputs }: LogicalPlan,
  terms: StatementTerms,
  context: Omit<CompileContext, "check">,
): PartialAggregate[] | undefined {
  const aggregated = outputs.filter((output) => !isKey(output));
  const found = aggregated.flatMap((output) => aggregateOf(output, terms, context) ?? []);
  return found.length < aggregated.length ? undefined : found;
}

function aggregateOf(
  { of, aggregate }: Output,
  terms: StatementTerms,
  { dialect, hasOverflow }: Omit<CompileContext, "check">,
): PartialAggregate | undefined {
  const ofRuns = of === undefined ? false : isOfRuns(of);
  if (aggregate === undefined || ofRuns === undefined) return undefined;
  const expression = of === undefined ? "*" : terms.expression(of);
  const operand = { expression, type: of ? expressionType(of) : ("integer" as const), dialect, hasOverflow };
  return (ofRuns ? aggregateOfRun : partialAggregate)(aggregate, operand);
}

/** Undefined if a limit mixes catalogue columns and others. */
function rowsOf(
  plan: LogicalPlan,
  of: RowKind,
  { id, shards }: StoredExperiment & { readonly shards: number },
  terms: StatementTerms,
  prefix: string,
): ShardedRows | undefined {
  const { slice, limits = [] } = plan;
  const conditions = conditionsOf(plan, of, limits, terms, prefix);
  const sliced = slice && conditionsOf(plan, of, slice.limits, terms, `${prefix}slice_`);
  if (conditions === undefined || (slice !== undefined && sliced === undefined)) return undefined;
  return {
    experiment: id,
    shards,
    of,
    isJoined: usedIn(plan).some(isOnceValue),
    conditions,
    deleted: plan.deleted === true,
    ...(slice && sliced ? { slice: { of: slice.of, conditions: sliced, chronology: columnOfRuns(slice.by) } } : {}),
  };
}

/** Slices are ordered by a column of the runs q. */
function columnOfRuns({ name }: Variable): string {
  return name === "run" ? "number" : name;
}

function conditionsOf(
  plan: LogicalPlan,
  of: RowKind,
  limits: readonly RowLimit[],
  terms: StatementTerms,
  prefix: string,
): ShardConditions | undefined {
  const { where, runs, versions } = plan;
  const conditions = new ShardConditions(runOf(of), prefix);
  for (const each of where) conditions.add(each, terms);
  conditions.rows.push(...ordinalRange(plan));
  for (const limit of limits) {
    const ofRuns = isOfRuns(limit.of);
    if (ofRuns === undefined) return undefined;
    (ofRuns ? conditions.runs : conditions.rows).push(`(${terms.limit(limit, ofRuns)})`);
  }
  if (runs !== undefined) conditions.runs.push(isOneOf("r.number", runs));
  if (versions !== undefined) conditions.runs.push(terms.among("r.version", versions));
  return conditions;
}
