import type { Variable } from "../../core/variables/variable.ts";
import { variablesOf, type Conditions } from "../../query/plan/condition.ts";
import { summaryOf } from "../../query/plan/row-summary.ts";
import type { Query, Output } from "../../query/plan/query.ts";
import { isRunVariable, rowNumberInRun } from "../../query/plan/run-variables.ts";
import { collated, isText } from "./bind-value.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { isOfCatalogue, PartConditions } from "./sharded/shard-conditions.ts";
import { combinedGroups } from "./sharded/shard-groups.ts";
import {
  aggregateOfRun,
  partialAggregate,
  partialCount,
  type PartialAggregate,
} from "./sharded/partial-aggregate-sql.ts";
import { gathered, lowerInOnePlace, type Knowledge, type Statement, orderOf } from "./query-statement.ts";
import { QuestionTerms } from "./query-terms.ts";

/** One statement that answers `query`. */
export function lower(query: Query, stored: StoredExperiment, knowledge: Knowledge): Statement {
  return splitQuestion(query, stored, knowledge) ?? gathered(lowerInOnePlace(query, stored, knowledge), stored);
}

/**
 * One statement for groups of rows that lie in parts: each part sums up its own. Undefined where the rows are in one
 * place, or where what is asked for cannot be told from parts: then the statement for rows in one place answers, for
 * which rows come from the parts.
 */
function splitQuestion(query: Query, stored: StoredExperiment, { dialect, wild }: Knowledge): Statement | undefined {
  const { id, shards: parts } = stored;
  const { grouped, outputs, limit } = query;
  if (parts === undefined || !grouped) return undefined;
  const terms = new QuestionTerms(stored, dialect, runOf(query));
  const aggregated = outputs.filter(({ statistic }) => statistic !== undefined);
  const aggregates = aggregated.flatMap((output) => aggregateOf(output, terms, wild) ?? []);
  if (
    aggregates.length < aggregated.length ||
    outputs.some((output) => output.statistic === undefined && output.source === undefined)
  )
    return undefined;
  const keys = outputs.flatMap(({ statistic, source }) =>
    statistic === undefined && source !== undefined ? [source] : [],
  );
  const { before, from, group, passes, ...columns } = combinedGroups({
    experiment: id,
    parts,
    of: query.of,
    isJoined: isJoined(query),
    conditions: conditionsOf(query, terms),
    deleted: query.deleted === true,
    keys: keys.map((variable) => ({ sql: keySql(variable, terms), ofRun: isOfCatalogue(variable) })),
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
    .filter((piece) => piece !== "")
    .join(" ");
  return { sql, params: terms.params, parts: { count: parts, passes } };
}

function runOf({ of }: Pick<Query, "of">): string {
  return of === "data" ? "d.run" : "o.run";
}

function conditionsOf({ of, where, ordinals, runs, versions }: Query, terms: QuestionTerms): PartConditions {
  const conditions = new PartConditions(runOf({ of }), "");
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

function keySql(variable: Variable, terms: QuestionTerms): string {
  const content = terms.expression(variable);
  return isOfCatalogue(variable) && isText(variable) ? collated(content) : content;
}

/** Undefined for what does not split. */
function aggregateOf({ statistic, source }: Output, terms: QuestionTerms, wild: boolean): PartialAggregate | undefined {
  if (source === undefined) return partialCount("*");
  if (statistic === undefined) return undefined;
  const content = terms.expression(source);
  const aggregate = summaryOf(statistic);
  return isOfCatalogue(source)
    ? aggregateOfRun(aggregate, content, source.type)
    : partialAggregate(aggregate, content, source.type, wild);
}

function isJoined({ outputs, where }: Query): boolean {
  const used = [...outputs.flatMap(({ source }) => source ?? []), ...where.flatMap(variablesOf)];
  return used.some((variable) => variable.occurrence === "once" && variable !== rowNumberInRun && !isRunVariable(variable));
}
