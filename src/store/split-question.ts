import type { Variable } from "../core/variable.ts";
import { summaryOf } from "../query/graph/row-summary.ts";
import { variablesOf } from "../query/condition.ts";
import type { Output, Query } from "../query/query.ts";
import { isRunVariable, placeInRun } from "../query/run-variables.ts";
import { collated, isText } from "./bound-content.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { combinedGroups, partialAggregate, partialCount, type PartialAggregate } from "./partial-sql.ts";
import { QuestionTerms } from "./question-terms.ts";
import type { Knowledge, Statement } from "./query-sql.ts";
import { dataTable, onceTable, partTable } from "./schema.ts";

/**
 * One statement for groups of rows that lie in parts: each part sums up its own. Undefined where the rows are in one place, or where what is asked for
 * cannot be told from parts: then the statement for rows in one place answers, for which rows come from the parts.
 */
export function splitQuestion(query: Query, stored: StoredExperiment, { dialect, wild }: Knowledge): Statement | undefined {
  const { id, parts } = stored;
  const { grouped, outputs, limit } = query;
  if (parts === undefined || !grouped || wild || !conditionsSplit(query)) return undefined;
  const terms = new QuestionTerms(stored, dialect, true);
  const aggregated = outputs.filter(({ statistic }) => statistic !== undefined);
  const aggregates = aggregated.flatMap((output) => aggregateOf(output, terms) ?? []);
  if (aggregates.length < aggregated.length || outputs.some((output) => output.statistic === undefined && output.source === undefined))
    return undefined;
  const keys = outputs.flatMap(({ statistic, source }) => (statistic === undefined && source !== undefined ? [source] : []));
  const run = query.of === "data" ? "d.run" : "o.run";
  const groups = combinedGroups({
    experiment: id,
    parts,
    from: (at) => tablesOf(query, id, at),
    conditions: rowConditions(query, terms),
    run,
    runs: runConditions(query, terms),
    deleted: query.deleted === true,
    keys: keys.map((variable) => ({ sql: keySql(variable, terms), ofRun: isRunVariable(variable) })),
    aggregates,
  });
  if (groups === undefined) return undefined;
  const { before, from, group, ...columns } = groups;
  const selected = outputs.map((output, at) => {
    const sql =
      output.statistic === undefined
        ? columns.keys[keys.indexOf(output.source as Variable)]
        : columns.aggregates[aggregated.indexOf(output)];
    return `${sql} as c${at}`;
  });
  const bound = limit === undefined ? "" : `limit ${terms.bind(limit)}`;
  const sql = [before, `select ${selected.join(", ")}`, from, group, orderOf(query), bound].filter((piece) => piece !== "").join(" ");
  return { sql, params: terms.params, parts };
}

/** What is known of runs lies here, and their contents lie there: a condition is on one of these. */
function conditionsSplit({ where }: Query): boolean {
  return where.every((each) => {
    const variables = variablesOf(each);
    return variables.every(isRunVariable) || !variables.some(isRunVariable);
  });
}

function rowConditions({ where, ordinals }: Query, terms: QuestionTerms): string[] {
  const own = where.filter((each) => !variablesOf(each).every(isRunVariable)).map((each) => terms.conditions(each));
  if (ordinals) own.push(`d.ordinal between ${terms.bind(ordinals.first)} and ${terms.bind(ordinals.last)}`);
  return own;
}

function runConditions({ where, runs, versions }: Query, terms: QuestionTerms): string[] {
  const own = where.filter((each) => variablesOf(each).every(isRunVariable)).map((each) => terms.conditions(each));
  if (runs !== undefined) own.push(terms.among("r.number", runs));
  if (versions !== undefined) own.push(terms.among("r.version", versions));
  return own;
}

function keySql(variable: Variable, terms: QuestionTerms): string {
  const content = terms.expression(variable);
  return isRunVariable(variable) && isText(variable) ? collated(content) : content;
}

/** Undefined for what does not split, also for statistics of what is known of runs. */
function aggregateOf({ statistic, source }: Output, terms: QuestionTerms): PartialAggregate | undefined {
  if (source === undefined) return partialCount("*");
  if (statistic === undefined || isRunVariable(source)) return undefined;
  return partialAggregate(summaryOf(statistic), terms.expression(source), source.type);
}

function tablesOf(query: Query, id: number, at: number): string {
  const once = `${partTable(onceTable(id), at)} o`;
  if (query.of !== "data") return `from ${once}`;
  const used = [...query.outputs.flatMap(({ source }) => source ?? []), ...query.where.flatMap(variablesOf)];
  const isJoined = used.some((variable) => variable.occurrence === "once" && variable !== placeInRun && !isRunVariable(variable));
  return `from ${partTable(dataTable(id), at)} d${isJoined ? ` join ${once} on o.run = d.run` : ""}`;
}

/** As of rows in one place. */
function orderOf({ sort, outputs }: Query): string {
  const keys = outputs.flatMap((output, index) => (output.statistic === undefined ? [{ output: index, descending: false }] : []));
  const rest = keys.filter((key) => !sort.some((each) => each.output === key.output));
  const places = [...sort, ...rest].map(({ output, descending }) => `c${output} ${descending ? "desc" : "asc"} nulls last`);
  return places.length === 0 ? "" : `order by ${places.join(", ")}`;
}
