import type { Variable } from "../../../core/variables/index.ts";
import {
  columnsIn,
  expressionType,
  type LogicalPlan,
  type Output,
  type RowExpression,
  type RowKind,
  type RowLimit,
  usedIn,
} from "../../../query/plan/index.ts";
import { collated, isText } from "../bind-value.ts";
import type { StoredExperiment } from "../../catalogue/index.ts";
import { binKeys } from "../binned-sql.ts";
import { aggregateOfRun, partialAggregate, type PartialAggregate } from "../aggregate-sql.ts";
import type { CompileContext, Statement } from "../statement.ts";
import { clauses, direction, isKey, orderBy, sortKeys } from "../order-sql.ts";
import { isInCatalogue, isOnceValue, ordinalRange, runList, runOf, StatementTerms } from "../statement-terms.ts";
import { ShardConditions } from "./shard-conditions.ts";
import { combineGroups, type ShardedGroups } from "./shard-groups.ts";
import type { ShardedRows } from "./shard-rows.ts";

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
  const terms = new StatementTerms(stored, context.dialect, true);
  terms.source = plan.of;
  const rows = rowsOf(plan, plan.of, { ...stored, shards }, terms);
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
): ShardedRows | undefined {
  const { slice, limits = [] } = plan;
  const conditions = conditionsOf(plan, of, limits, terms, "");
  const sliced = slice && conditionsOf(plan, of, slice.limits, terms, "slice_");
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
  if (runs !== undefined) conditions.runs.push(runList("r.number", runs));
  if (versions !== undefined) conditions.runs.push(terms.among("r.version", versions));
  return conditions;
}
