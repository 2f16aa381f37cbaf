import type { Variable } from "../../../core/variables/variable.ts";
import type { Engine } from "../../../plugins/engines/engine.ts";
import { variablesIn, type Predicate } from "../../../query/plan/predicate.ts";
import { columnsIn, expressionType, type RowExpression } from "../../../query/plan/row-expression.ts";
import type { RowLimit, Summary } from "../../../query/plan/row-summary.ts";
import type { RowPlan } from "../../../query/description/sources/source-plan.ts";
import { isRunVariable } from "../../../query/plan/run-variables.ts";
import { collated, isText } from "../bind-value.ts";
import type { StoredExperiment } from "../../catalogue/catalogue.ts";
import type { Memberships } from "../condition-sql.ts";
import { nearNumberKeys } from "../binning-sql.ts";
import { isOfCatalogue, PartConditions } from "./shard-conditions.ts";
import { combinedGroups, type CombinedGroups, type PartedGroups } from "./shard-groups.ts";
import type { PartedRows } from "./shard-rows.ts";
import { aggregateOfRun, partialAggregate, partialCount, type PartialAggregate } from "./partial-aggregate-sql.ts";
import type { Statement } from "../query-statement.ts";
import { RowTerms, runOf, usedIn } from "../row-terms.ts";

/** As `splitQuestion`, for groups of rows of a described query; columns are those of `summarySql`. */
export function splitRows(
  plan: RowPlan,
  stored: StoredExperiment,
  dialect: Engine["dialect"],
  memberships: Memberships,
): Statement | undefined {
  const { shards: parts } = stored;
  const { summary } = plan;
  if (parts === undefined || summary === undefined || plan.joins !== undefined) return undefined;
  const terms = new RowTerms(stored, dialect, memberships, runOf(plan));
  const rows = rowsOf(plan, { ...stored, shards: parts }, terms);
  const aggregates = aggregatesOf(summary, terms);
  if (rows === undefined || aggregates === undefined) return undefined;
  const asked = groupedBy(plan, summary, rows, aggregates, terms);
  return asked && { sql: asked.sql, params: terms.params, parts: { count: parts, passes: asked.passes } };
}

/** As `lowerDistinct`. */
export function splitDistinct(
  variable: Variable,
  plan: RowPlan,
  stored: StoredExperiment,
  dialect: Engine["dialect"],
  memberships: Memberships,
): Statement | undefined {
  const { shards: parts } = stored;
  if (parts === undefined) return undefined;
  const terms = new RowTerms(stored, dialect, memberships, runOf(plan));
  const rows = rowsOf(plan, { ...stored, shards: parts }, terms);
  const key = keyOf({ kind: "content", variable, from: 0 }, terms);
  if (rows === undefined || key === undefined) return undefined;
  const { before, from, group, passes } = combinedGroups({ ...rows, keys: [key], aggregates: [] });
  return {
    sql: `${before} select k0 as c ${from} ${group} order by k0`,
    params: terms.params,
    parts: { count: parts, passes },
  };
}

function groupedBy(
  plan: RowPlan,
  { by }: Summary,
  rows: PartedRows,
  aggregates: readonly PartialAggregate[],
  terms: RowTerms,
): { sql: string; passes: number } | undefined {
  if (by === "run") {
    const chronology = { sql: `r.${plan.chronology}`, ofRun: true };
    const groups = combinedGroups({ ...rows, keys: [{ sql: runOf(plan), ofRun: false }, chronology], aggregates });
    return { sql: `${written(groups, ["k0", ...groups.aggregates])} order by k1, k0`, passes: groups.passes };
  }
  if ("of" in by) {
    if (columnsIn(by.of).some(({ variable }) => isOfCatalogue(variable))) return undefined;
    const { keys, ...near } = nearNumberKeys(by, terms.written);
    const extremes = ["min", "max"].map(
      (kind) =>
        ({ parts: [`${kind}(${near.range.of})`], whole: ([of]) => `${kind}(${of})` }) satisfies PartialAggregate,
    );
    const groups = combinedGroups({
      ...rows,
      ...near,
      keys: keys.map((sql) => ({ sql, ofRun: false })),
      aggregates: [...extremes, ...aggregates],
    });
    return { sql: written(groups, ["null", ...groups.aggregates]), passes: groups.passes };
  }
  const keys = by.flatMap((of) => keyOf(of, terms) ?? []);
  if (keys.length < by.length) return undefined;
  const groups = combinedGroups({ ...rows, keys, aggregates });
  return { sql: written(groups, ["null", ...groups.keys, ...groups.aggregates]), passes: groups.passes };
}

function written({ before, from, group }: CombinedGroups, columns: readonly string[]): string {
  return [before, `select ${columns.map((sql, at) => `${sql} as c${at}`).join(", ")}`, from, group]
    .filter((piece) => piece !== "")
    .join(" ");
}

/** Undefined for what is partly known of runs. */
function keyOf(of: RowExpression, terms: RowTerms): PartedGroups["keys"][number] | undefined {
  const ofRun = isOfRuns(of);
  if (ofRun === undefined) return undefined;
  const sql = terms.expression(of);
  return { sql: ofRun && isText({ type: expressionType(of) }) ? collated(sql) : sql, ofRun };
}

/** Whether it is of what is known of runs, or of contents; undefined: of both. */
function isOfRuns(of: RowExpression): boolean | undefined {
  const known = columnsIn(of).map(({ variable }) => isOfCatalogue(variable));
  if (!known.includes(true)) return false;
  return known.includes(false) ? undefined : true;
}

/** The aggregates, what is common and the number of rows; undefined where one of them cannot be told from parts. */
function aggregatesOf({ columns, common }: Summary, terms: RowTerms): PartialAggregate[] | undefined {
  const shared = common.flatMap((variable) => {
    const of: RowExpression = { kind: "content", variable, from: 0 };
    return (["min", "max", "count"] as const).map((kind) => ({ of, aggregate: { kind } }));
  });
  const found: PartialAggregate[] = [];
  for (const { of, aggregate } of [...columns, ...shared]) {
    const ofRuns = isOfRuns(of);
    if (ofRuns === undefined) return undefined;
    const [sql, type] = [terms.expression(of), expressionType(of)];
    const partial = ofRuns ? aggregateOfRun(aggregate, sql, type) : partialAggregate(aggregate, sql, type, false);
    if (partial === undefined) return undefined;
    found.push(partial);
  }
  return [...found, partialCount("*")];
}

/** Undefined where a limit is partly on what is known of runs. */
function rowsOf(
  plan: RowPlan,
  { id, shards: parts }: StoredExperiment & { readonly parts: number },
  terms: RowTerms,
): PartedRows | undefined {
  const { slice, limits = [] } = plan;
  const conditions = conditionsOf(plan, limits, terms, "");
  const sliced = slice && conditionsOf(plan, slice.limits, terms, "slice_");
  if (conditions === undefined || (slice !== undefined && sliced === undefined)) return undefined;
  const { chronology } = plan;
  return {
    experiment: id,
    parts,
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
  terms: RowTerms,
  prefix: string,
): PartConditions | undefined {
  const conditions = new PartConditions(runOf(plan), prefix);
  for (const each of [plan.once, plan.multiple])
    conditions.add<Predicate>(each, {
      variables: variablesIn,
      junction: (predicate) => ("of" in predicate ? { kind: predicate.kind, of: predicate.of } : undefined),
      sql: (predicate, ofRuns) => terms.condition(predicate, ofRuns),
    });
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
