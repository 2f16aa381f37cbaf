import type { FailureKind } from "./kind.ts";

/** Failures of questions to an experiment. */
export const queryFailures = {
  "bad-condition": {
    exit: "usage",
    message: (d) => `condition '${d.condition}' is not understood: ${d.problem}`,
    remedy: () =>
      `write NAME OPERATOR CONTENT, as in S_size>=1KiByte; operators are = != < <= > >= ~ !~ in, and NAME is null, NAME is not null`,
  },
  "unknown-statistic": {
    exit: "usage",
    message: (d) => `unknown statistic '${d.statistic}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: () =>
      `there are min, max, mean, median, stddev, variance, sum, count, distinct, and q95 for the 95 % quantile (any percent)`,
  },
  "statistic-not-possible": {
    exit: "usage",
    message: (d) => `there is no ${d.statistic} of '${d.variable}', which is a ${d.type}`,
    remedy: () => `ask for its count, or for another result`,
  },
  "unknown-sort-key": {
    exit: "usage",
    message: (d) =>
      `cannot sort by '${d.key}', which is no column of the answer${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `columns are ${d.known}`,
  },
  "nothing-selected": {
    exit: "nothingMatched",
    message: (d) =>
      d.runs === 0
        ? `experiment '${d.experiment}' has no runs yet`
        : `no data set of '${d.experiment}' fits the question`,
    remedy: (d) =>
      d.runs === 0
        ? `perfkeep import -e ${d.experiment} -d DESCRIPTION FILE... reads the output of a benchmark into it`
        : `loosen the conditions; perfkeep experiment info ${d.experiment} lists its runs`,
  },
  "unknown-element": {
    exit: "badInput",
    message: (d) =>
      `the query has no ${d.kind} '${d.id}'${d.by ? `, which '${d.by}' names` : ""}${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => (d.known ? `it has ${d.known}` : `write the element, or correct the id`),
  },
  "query-cycle": {
    exit: "badInput",
    message: (d) => `the elements of the query go round in a circle: ${d.path}`,
    remedy: () => `an element may not be, by whatever way, an input of its own: correct one of these inputs`,
  },
  "query-not-possible": {
    exit: "badInput",
    message: (d) => `element '${d.element}' of the query: ${d.problem}`,
    remedy: (d) => `${d.advice ?? "correct the element"}`,
  },
  "operator-not-known": {
    exit: "badInput",
    message: (d) =>
      `element '${d.element}' of the query: there is no operator '${d.operator}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `operators are ${d.known}`,
  },
  "matrix-too-large": {
    exit: "usage",
    message: (d) => `${d.parameters} have ${d.size} combinations of contents, more than ${d.most}`,
    remedy: () => `name fewer parameters with --by, or choose among their contents with --where`,
  },
  "no-numbers": {
    exit: "usage",
    message: (d) =>
      d.variable ? `'${d.variable}' is no result that is a number` : `'${d.experiment}' has no result that is a number`,
    remedy: (d) => (d.known ? `there are ${d.known}` : `mining compares numbers: integers, floats and durations`),
  },
  "no-result-of-direction": {
    exit: "nothingMatched",
    message: (d) => `'${d.experiment}' has no result that is known to be better when it is ${d.better}`,
    remedy: (d) =>
      d.open
        ? `name those that are, as in perfkeep export ${d.experiment} ${String(d.open).split(", ", 1)[0]}, or say it in the description (better=${d.better})`
        : `choose the format of the other direction, custom-${d.better === "lower" ? "bigger" : "smaller"}`,
  },
  "no-parameter": {
    exit: "usage",
    message: (d) => `'${d.variable}' is no parameter${d.where ? ` ${d.where}` : ""}`,
    remedy: (d) => (d.known ? `there are ${d.known}` : `leave it out`),
  },
  "bad-job": {
    exit: "usage",
    message: (d) => `no job can be made: ${d.problem}`,
    remedy: (d) => `${d.instead}`,
  },
  "frozen-query-changed": {
    exit: "found",
    message: (d) => `frozen query '${d.name}' cannot be answered as it was: ${d.problem}`,
    remedy: (d) =>
      `perfkeep experiment undelete ${d.experiment} --run NUMBER brings deleted runs back; to accept what changed, detach the query and freeze it anew`,
  },
  "frozen-query-damaged": {
    exit: "badInput",
    message: (d) => `the frozen query kept as '${d.name}' cannot be read: ${d.problem}`,
    remedy: () => `detach it and freeze the query anew`,
  },
  "no-query": {
    exit: "usage",
    message: () => `there is nothing to ask: neither an experiment nor the description of a query is given`,
    remedy: () => `perfkeep query EXPERIMENT asks for values, perfkeep query --description FILE evaluates a query`,
  },
  "query-too-long": {
    exit: "host",
    message: (d) => `the query was not answered within ${d.seconds} s`,
    remedy: () => `ask for less, or let perfkeep query -d FILE take its time`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
