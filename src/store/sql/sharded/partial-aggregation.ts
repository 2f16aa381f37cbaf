import type { Variable } from "../../../core/variables/index.ts";
import type { Dialect } from "../../../plugins/engines/engine.ts";
import {
  columnsIn,
  expressionType,
  type RowExpression,
  type RowLimit,
  type Summary,
  isRunVariable,
} from "../../../query/plan/index.ts";
import type { RowPlan } from "../../../query/description/index.ts";
import { collated, isText } from "../bind-value.ts";
import type { StoredExperiment } from "../../catalogue/index.ts";
import { binKeys } from "../summary-sql.ts";
import { ShardConditions } from "./shard-conditions.ts";
import { combineGroups, type CombinedGroups, type ShardedGroups } from "./shard-groups.ts";
import type { ShardedRows } from "./shard-rows.ts";
import { aggregateOfRun, partialAggregate, partialCount, type PartialAggregate } from "../aggregate-sql.ts";
import type { Statement } from "../query-statement.ts";
import { isInCatalogue, StatementTerms, runOf, usedIn } from "../statement-terms.ts";

/** Compiles grouped rows over shards, with the columns of `summarySql`; undefined if that is not possible. */
export function compileShardedRows(plan: RowPlan, stored: StoredExperiment, dialect: Dialect): Statement | undefined {
  const { shards } = stored;
  const { summary } = plan;
  if (shards === undefined || summary === undefined || plan.joins !== undefined) return undefined;
  const terms = new StatementTerms(stored, dialect, runOf(plan));
  const rows = shardedRowsOf(plan, { ...stored, shards }, terms);
  const aggregates = aggregatesOf(summary, terms);
  if (rows === undefined || aggregates === undefined) return undefined;
  const grouped = groupedBy(plan, summary, rows, aggregates, terms);
  return grouped && { sql: grouped.sql, params: terms.params, shards: { count: shards, passes: grouped.passes } };
}

/** Like `compileDistinct`, over shards. */
export function compileShardedDistinct(
  variable: Variable,
  plan: RowPlan,
  stored: StoredExperiment,
  dialect: Dialect,
): Statement | undefined {
  const { shards } = stored;
  if (shards === undefined) return undefined;
  const terms = new StatementTerms(stored, dialect, runOf(plan));
  const rows = shardedRowsOf(plan, { ...stored, shards }, terms);
  const key = keyOf({ kind: "column", variable, from: 0 }, terms);
  if (rows === undefined || key === undefined) return undefined;
  const { before, from, group, passes } = combineGroups({ ...rows, keys: [key], aggregates: [] });
  return {
    sql: `${before} select k0 as c ${from} ${group} order by k0`,
    params: terms.params,
    shards: { count: shards, passes },
  };
}

function groupedBy(
  plan: RowPlan,
  { by }: Summary,
  rows: ShardedRows,
  aggregates: readonly PartialAggregate[],
  terms: StatementTerms,
): { sql: string; passes: number } | undefined {
  if (by === "run") {
    const chronology = { sql: `r.${plan.chronology}`, ofRun: true };
    const groups = combineGroups({ ...rows, keys: [{ sql: runOf(plan), ofRun: false }, chronology], aggregates });
    return { sql: `${selectOf(groups, ["k0", ...groups.aggregates])} order by k1, k0`, passes: groups.passes };
  }
  if ("of" in by) {
    if (columnsIn(by.of).some(({ variable }) => isInCatalogue(variable))) return undefined;
    const { keys, ...bins } = binKeys(by, terms.context);
    const extremes = ["min", "max"].map(
      (kind) =>
        ({ partial: [`${kind}(${bins.range.of})`], combine: ([of]) => `${kind}(${of})` }) satisfies PartialAggregate,
    );
    const groups = combineGroups({
      ...rows,
      ...bins,
      keys: keys.map((sql) => ({ sql, ofRun: false })),
      aggregates: [...extremes, ...aggregates],
    });
    return { sql: selectOf(groups, ["null", ...groups.aggregates]), passes: groups.passes };
  }
  const keys = by.flatMap((of) => keyOf(of, terms) ?? []);
  if (keys.length < by.length) return undefined;
  const groups = combineGroups({ ...rows, keys, aggregates });
  return { sql: selectOf(groups, ["null", ...groups.keys, ...groups.aggregates]), passes: groups.passes };
}

function selectOf({ before, from, group }: CombinedGroups, columns: readonly string[]): string {
  return [before, `select ${columns.map((sql, at) => `${sql} as c${at}`).join(", ")}`, from, group]
    .filter((clause) => clause !== "")
    .join(" ");
}

/** Undefined for expressions that mix catalogue columns and others. */
function keyOf(of: RowExpression, terms: StatementTerms): ShardedGroups["keys"][number] | undefined {
  const ofRun = isOfRuns(of);
  if (ofRun === undefined) return undefined;
  const sql = terms.expression(of);
  return { sql: ofRun && isText({ type: expressionType(of) }) ? collated(sql) : sql, ofRun };
}

/** Whether an expression uses catalogue columns only (true), none (false) or both (undefined). */
function isOfRuns(of: RowExpression): boolean | undefined {
  const inCatalogue = columnsIn(of).map(({ variable }) => isInCatalogue(variable));
  if (!inCatalogue.includes(true)) return false;
  return inCatalogue.includes(false) ? undefined : true;
}

/** The aggregates, the common values and the row count; undefined if one cannot be aggregated partially. */
function aggregatesOf({ columns, common }: Summary, terms: StatementTerms): PartialAggregate[] | undefined {
  const shared = common.flatMap((variable) => {
    const of: RowExpression = { kind: "column", variable, from: 0 };
    return (["min", "max", "count"] as const).map((kind) => ({ of, aggregate: { kind } }));
  });
  const aggregates: PartialAggregate[] = [];
  for (const { of, aggregate } of [...columns, ...shared]) {
    const ofRuns = isOfRuns(of);
    if (ofRuns === undefined) return undefined;
    const operand = { expression: terms.expression(of), type: expressionType(of), dialect: terms.context.dialect };
    const partial = (ofRuns ? aggregateOfRun : partialAggregate)(aggregate, operand);
    if (partial === undefined) return undefined;
    aggregates.push(partial);
  }
  return [...aggregates, partialCount("*")];
}

/** Undefined if a limit mixes catalogue columns and others. */
function shardedRowsOf(
  plan: RowPlan,
  { id, shards }: StoredExperiment & { readonly shards: number },
  terms: StatementTerms,
): ShardedRows | undefined {
  const { slice, limits = [] } = plan;
  const conditions = conditionsOf(plan, limits, terms, "");
  const sliced = slice && conditionsOf(plan, slice.limits, terms, "slice_");
  if (conditions === undefined || (slice !== undefined && sliced === undefined)) return undefined;
  const { chronology } = plan;
  return {
    experiment: id,
    shards: shards,
    of: plan.of,
    isJoined: isJoined(plan),
    conditions,
    deleted: false,
    ...(slice && sliced ? { slice: { of: slice.of, conditions: sliced, chronology } } : {}),
  };
}

function conditionsOf(
  plan: RowPlan,
  limits: readonly RowLimit[],
  terms: StatementTerms,
  prefix: string,
): ShardConditions | undefined {
  const conditions = new ShardConditions(runOf(plan), prefix);
  for (const each of [plan.once, plan.multiple]) conditions.add(each, terms);
  for (const limit of limits) {
    const ofRuns = isOfRuns(limit.of);
    if (ofRuns === undefined) return undefined;
    (ofRuns ? conditions.runs : conditions.rows).push(`(${terms.limit(limit, ofRuns)})`);
  }
  const { runs } = plan;
  if (runs !== undefined)
    conditions.runs.push(runs.length === 0 ? "false" : `r.number in (${runs.map(Number).join(", ")})`);
  return conditions;
}

function isJoined(plan: RowPlan): boolean {
  const isOnce = (variable: Variable): boolean => variable.occurrence === "once" && !isRunVariable(variable);
  return usedIn(plan).some(isOnce) || (plan.summary?.common ?? []).some(isOnce);
}
