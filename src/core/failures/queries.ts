import { type FailureKind, suggestion } from "./kind.ts";

/** Failures of queries. */
export const queryFailures = {
  "bad-condition": {
    exit: "usage",
    message: (d) => `invalid condition '${d.condition}': ${d.problem}`,
    remedy: () =>
      `write NAME OPERATOR VALUE, as in S_size>=1KiByte; operators are = != < <= > >=, ~ !~ (patterns), ` +
      `contains, lacks, like, in, not in, and NAME is null, NAME is not null`,
  },
  "ambiguous-variable": {
    exit: "usage",
    message: (d) => `'${d.variable}' is in both experiments, '${d.first}' and '${d.second}'`,
    remedy: (d) => `write ${d.first}.${d.variable} or ${d.second}.${d.variable}`,
  },
  "join-not-possible": {
    exit: "usage",
    message: (d) => `${d.problem}`,
    remedy: (d) => `${d.advice}`,
  },
  "nothing-joined": {
    exit: "nothingMatched",
    message: (d) => `no row of '${d.first}' has a partner in '${d.second}' on ${d.keys}`,
    remedy: (d) => `compare the values of the keys: ${d.values}`,
  },
  "unknown-statistic": {
    exit: "usage",
    message: (d) => `unknown statistic '${d.statistic}'${suggestion(d)}`,
    remedy: () =>
      `choose from min, max, mean, median, mode, geomean, stddev, variance, mad, sum, count, distinct, trim10 for ` +
      `the mean without 10 % at each end, and q95, p95 or quantile=0.95 for the 95 % quantile (any percent)`,
  },
  "statistic-not-possible": {
    exit: "usage",
    message: (d) => `there is no ${d.statistic} of '${d.variable}', which is a ${d.type}`,
    remedy: () => `use its count, or another result`,
  },
  "unknown-sort-key": {
    exit: "usage",
    message: (d) => `cannot sort by '${d.key}', which is no column of the result${suggestion(d)}`,
    remedy: (d) => `columns are ${d.known}`,
  },
  "nothing-selected": {
    exit: "nothingMatched",
    message: (d) =>
      d.runs === 0 ? `experiment '${d.experiment}' has no runs yet` : `no row of '${d.experiment}' matches the query`,
    remedy: (d) =>
      d.runs === 0
        ? `perfkeep import -e ${d.experiment} -d DESCRIPTION FILE... imports the output of a benchmark`
        : `relax the conditions; perfkeep experiment info ${d.experiment} lists its runs`,
  },
  "unknown-element": {
    exit: "badInput",
    message: (d) => `the query has no ${d.kind} '${d.id}'${d.by ? `, which '${d.by}' names` : ""}${suggestion(d)}`,
    remedy: (d) => (d.known ? `it has ${d.known}` : `write the element, or correct the id`),
  },
  "query-cycle": {
    exit: "badInput",
    message: (d) => `the elements of the query form a cycle: ${d.path}`,
    remedy: () => `an element cannot be its own direct or indirect input: correct one of these inputs`,
  },
  "query-not-possible": {
    exit: "badInput",
    message: (d) => `element '${d.element}' of the query: ${d.problem}`,
    remedy: (d) => `${d.advice ?? "correct the element"}`,
  },
  "operator-not-known": {
    exit: "badInput",
    message: (d) => `element '${d.element}' of the query: unknown operator '${d.operator}'${suggestion(d)}`,
    remedy: (d) => `operators are ${d.known}`,
  },
  "matrix-too-large": {
    exit: "usage",
    message: (d) => `${d.parameters} have ${d.size} combinations of values, more than ${d.most}`,
    remedy: () => `name fewer parameters with --by, or filter their values with --where`,
  },
  "no-numbers": {
    exit: "usage",
    message: (d) => (d.variable ? `'${d.variable}' is no numeric result` : `'${d.experiment}' has no numeric result`),
    remedy: (d) => (d.known ? `choose from ${d.known}` : `mining compares numbers: integers, floats and durations`),
  },
  "no-result-of-direction": {
    exit: "nothingMatched",
    message: (d) => `'${d.experiment}' has no result that is known to be better when it is ${d.better}`,
    remedy: (d) =>
      d.undirected
        ? `name the results, as in perfkeep export ${d.experiment} ` +
          `${String(d.undirected).split(", ", 1)[0]}, or declare better=${d.better} in the description`
        : `choose the format of the other direction, custom-${d.better === "lower" ? "bigger" : "smaller"}`,
  },
  "no-parameter": {
    exit: "usage",
    message: (d) => `'${d.variable}' is no parameter${d.where ? ` ${d.where}` : ""}`,
    remedy: (d) => (d.known ? `choose from ${d.known}` : `omit it`),
  },
  "bad-job": {
    exit: "usage",
    message: (d) => `cannot create a job: ${d.problem}`,
    remedy: (d) => `${d.instead}`,
  },
  "frozen-query-changed": {
    exit: "found",
    message: (d) => `frozen query '${d.name}' cannot be reproduced: ${d.problem}`,
    remedy: (d) =>
      `perfkeep experiment undelete ${d.experiment} --run NUMBER restores deleted runs; to accept ` +
      `the change, detach the query and freeze it again`,
  },
  "frozen-query-damaged": {
    exit: "badInput",
    message: (d) => `the frozen query '${d.name}' cannot be read: ${d.problem}`,
    remedy: () => `detach it and freeze the query again`,
  },
  "no-query": {
    exit: "usage",
    message: () => `no query given: neither an experiment nor a query description`,
    remedy: () => `perfkeep query EXPERIMENT selects values, perfkeep query --description FILE evaluates a description`,
  },
  "query-too-long": {
    exit: "host",
    message: (d) => `the query did not finish within ${d.seconds} s`,
    remedy: () => `narrow the query, or run it without a time limit: perfkeep query -d FILE`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

/** Failures of views and renderers. */
export const figureFailures = {
  "nothing-to-draw": {
    exit: "nothingMatched",
    message: (d) => `nothing to draw: ${d.what}`,
    remedy: (d) => `${d.instead ?? "widen the filter or import data first"}`,
  },
  "unknown-frame": {
    exit: "nothingMatched",
    message: (d) => `no stack has a frame called '${d.frame}'`,
    remedy: (d) => (d.near === "" ? `use the name of a frame of the flame graph` : `did you mean ${d.near}`),
  },
  "flame-graph-too-large": {
    exit: "badInput",
    message: (d) => `the inverted flame graph has more than ${d.frames} frames`,
    remedy: () => `select a frame with focus, fold recursion with merged, or draw it plain`,
  },
  "flame-graphs-differ": {
    exit: "usage",
    message: (d) => `flame graphs of different forms cannot be compared: ${d.before} and ${d.after}`,
    remedy: () => `draw both with the same form, focus and recursion`,
  },
  "font-missing": {
    exit: "host",
    message: (d) => `no usable font for a ${d.medium} picture${d.path === undefined ? "" : `: ${d.path}`}`,
    remedy: () => `reinstall perfkeep, or write an svg instead`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

/** Failures of comparison and change detection. */
export const verdictFailures = {
  "bad-series": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () =>
      `a table of series is CSV: a header of names, then one line per point with its label and a ` +
      `number or nothing for each series`,
  },
  "bad-triage": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}:${d.column}: ${d.reason}`,
    remedy: () =>
      `correct the line: "KEY" COMMIT STATE WHO, WHEN AND WHY (docs/triage.md); perfkeep triage add writes such lines`,
  },
  "bad-threshold": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () =>
      `correct or delete the entry (docs/calibrate.md); perfkeep calibrate rewrites entries, ` +
      `--no-thresholds ignores them`,
  },
  "circular-names": {
    exit: "badInput",
    message: (d) => `${d.file}: '${d.key}' is renamed in a cycle, or to two names`,
    remedy: () => `keep one line with 'renamed' for each old key, without cycles`,
  },
  "no-series": {
    exit: "inconclusive",
    message: (d) => {
      const commits = d.versions === 1 ? "the only commit" : `the ${d.versions} commits`;
      const notes = Array.isArray(d.notes) && d.notes.length > 0 ? ` (${d.notes.slice(0, 3).join("; ")})` : "";
      return `nothing to check: no matching measurement in ${commits} of the history${notes}`;
    },
    remedy: (d) =>
      `check --collector, --cmd, --location and the range, add profiles (perfkeep run job, perfkeep ` +
      `add), or name an experiment` +
      (Array.isArray(d.experiments) && d.experiments.length > 0 ? `: --experiment ${d.experiments.join(" or ")}` : ""),
  },
  "nothing-to-compare": {
    exit: "inconclusive",
    message: (d) => `nothing to compare: ${d.what}`,
    remedy: (d) => `${d.instead}`,
  },
  "no-measurements": {
    exit: "badInput",
    message: (d) => `${d.file} contains no samples: ${d.reason}`,
    remedy: () =>
      `pass a format of perfkeep import --list-formats, CSV with columns benchmark,value,unit, or ` +
      `one JSON object with these keys per line (docs/compare.md)`,
  },
  "bad-measurement": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () => `each line has a benchmark and one finite number: "benchmark", "value", and optionally "unit"`,
  },
  "no-models-compared": {
    exit: "usage",
    message: (d) => `method ${d.method} compares no models, so --models-type ${d.modelsType} has no effect`,
    remedy: () => `omit --models-type, or choose integral-comparison or local-statistics with --method`,
  },
  "bisect-ends": {
    exit: "usage",
    message: (d) => `no commits between ${d.good} and ${d.bad}: ${d.reason}`,
    remedy: () => `name a commit before the change first, then one of its descendants that has the change`,
  },
  "bisect-end-unmeasurable": {
    exit: "host",
    message: (d) => `commit ${d.version}, an end of the range, cannot be measured: ${d.reason}`,
    remedy: () => `name commits that build and run, and set the build command with --build`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
