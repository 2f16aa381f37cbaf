import type { Variable } from "../../core/variables/index.ts";
import {
  variablesOf,
  type Conditions,
  summaryOf,
  type Query,
  type Output,
  isRunVariable,
  rowNumberInRun,
} from "../../query/plan/index.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { isInCatalogue, ShardConditions } from "./sharded/shard-conditions.ts";
import { combineGroups } from "./sharded/shard-groups.ts";
import { aggregateOfRun, partialAggregate, partialCount, type PartialAggregate } from "./aggregate-sql.ts";
import {
  gatherFromShards,
  compileLocalQuery,
  type CompileContext,
  type Statement,
  orderOf,
} from "./query-statement.ts";
import { QueryTerms } from "./query-terms.ts";

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
  const terms = new QueryTerms(stored, dialect, runOf(query));
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

function runOf({ of }: Pick<Query, "of">): string {
  return of === "data" ? "d.run" : "o.run";
}

function conditionsOf({ of, where, ordinals, runs, versions }: Query, terms: QueryTerms): ShardConditions {
  const conditions = new ShardConditions(runOf({ of }), "");
  for (const each of where)
    conditions.add<Conditions>(each, {
      variables: variablesOf,
      junction: (condition) => ("junction" in condition ? { kind: condition.junction, of: condition.of } : undefined),
      sql: (condition, ofRuns) => terms.conditions(condition, ofRuns),
    });
  if (ordinals)
    conditions.rows.push(`d.ordinal between ${terms.bind(ordinals.first)} and ${terms.bind(ordinals.last)}`);
  if (runs !== undefined) conditions.runs.push(terms.among("r.number", runs));
  if (versions !== undefined) conditions.runs.push(terms.among("r.version", versions));
  return conditions;
}

function keySql(variable: Variable, terms: QueryTerms): string {
  const column = terms.expression(variable);
  return isInCatalogue(variable) && isText(variable) ? collated(column) : column;
}

/** Undefined if it cannot be aggregated partially. */
function aggregateOf(
  { statistic, source }: Output,
  terms: QueryTerms,
  context: Pick<CompileContext, "dialect" | "hasOverflow">,
): PartialAggregate | undefined {
  if (source === undefined) return partialCount("*");
  if (statistic === undefined) return undefined;
  const operand = { expression: terms.expression(source), type: source.type, ...context };
  return (isInCatalogue(source) ? aggregateOfRun : partialAggregate)(summaryOf(statistic), operand);
}

function isJoined({ outputs, where }: Query): boolean {
  const used = [...outputs.flatMap(({ source }) => source ?? []), ...where.flatMap(variablesOf)];
  return used.some(
    (variable) => variable.occurrence === "once" && variable !== rowNumberInRun && !isRunVariable(variable),
  );
}
