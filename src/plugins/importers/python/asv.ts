import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { hasMembers, jsonHead, JsonLocation } from "../../../formats/json/index.ts";
import { commitIn, factsIn, parameterValue, reportOf } from "../../../formats/benchmarks/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Quantities by the prefix of a benchmark's name. */
const quantities: ReadonlyMap<string, ReportMetric> = new Map<string, ReportMetric>([
  ["time", { name: "time", unit: "s", better: "lower" }],
  ["timeraw", { name: "time", unit: "s", better: "lower" }],
  ["mem", { name: "bytes", unit: "Byte", better: "lower", synopsis: "size of an object" }],
  ["peakmem", { name: "peak_memory", unit: "Byte", better: "lower", synopsis: "peak resident memory of the process" }],
]);
const tracked: ReportMetric = { name: "value", synopsis: "what a track benchmark returned" };

const statistics: readonly ReportMetric[] = [
  { name: "median", unit: "s", better: "lower" },
  { name: "lower", unit: "s", better: "lower", synopsis: "lower end of the 99 % confidence interval" },
  { name: "upper", unit: "s", better: "lower", synopsis: "upper end of the 99 % confidence interval" },
  { name: "q1", unit: "s", better: "lower" },
  { name: "q3", unit: "s", better: "lower" },
];
const metrics = [
  ...new Map([...quantities.values(), tracked].map((metric) => [metric.name, metric])).values(),
  ...statistics,
];

/** Maximum number of parameters of a benchmark; larger files are not from asv. */
const mostParameters = 64;

/** Elements of lists over all combinations of parameters. */
type Cells = readonly (JsonLocation | undefined)[];

/** A benchmark of either version of the file, in lists over the combinations of its parameters. */
interface Measured {
  readonly name: string;
  readonly parameters: readonly (readonly string[])[];
  readonly result: JsonLocation;
  readonly statistics: ReadonlyMap<string, Cells>;
  readonly samples: Cells;
}

/**
 * Result files of airspeed velocity, `results/MACHINE/COMMIT-ENVIRONMENT.json`: version 2, and the plain numbers of
 * version 1.
 */
export const asv = reportImporter({
  name: "asv",
  synopsis: "asv run: results/MACHINE/COMMIT-ENVIRONMENT.json",
  marks: 'JSON with "commit_hash", "params", "results" and "requirements"',
  sniff: (head) => {
    const text = jsonHead(head, "{");
    return hasMembers(text, "commit_hash", "params") &&
      (hasMembers(text, "requirements") || hasMembers(text, "result_columns"))
      ? 1
      : 0;
  },
  reports: (bytes, file) => [report(JsonLocation.document(bytes, file))],
});

function report(document: JsonLocation): BenchmarkReport {
  const columns = document
    .maybe("result_columns")
    ?.list()
    .map((column) => column.text());
  const all = document.get("results").members();
  const measured = all.map(([name, location]) =>
    columns ? secondVersion(name, location, columns) : firstVersion(name, location),
  );
  const results = measured.flatMap((each) => (each ? [...resultsOf(each)] : []));
  return reportOf(metrics, results, {
    facts: factsOf(document),
    ...performedOf(document, columns),
    ...commitIn(document.maybe("commit_hash")?.scalar),
    notices: columns ? [] : outdated(all),
  });
}

/** Machine, environment and requirements. Requirements without a version are null or empty. */
function factsOf(document: JsonLocation): Map<string, Value> {
  const facts = factsIn(document, [["environment", "env_name"]]);
  for (const [name, { scalar }] of document.maybe("params")?.members() ?? [])
    if (scalar !== undefined && scalar !== "") facts.set(name, scalar);
  return facts;
}

/** The first start of a benchmark, or else the date of the commit; both in milliseconds. */
function performedOf(document: JsonLocation, columns: readonly string[] | undefined): { performed?: number } {
  const column = columns?.indexOf("started_at") ?? -1;
  const locations = columns
    ? document
        .get("results")
        .members()
        .map(([, location]) => (location.isList ? location.list()[column] : undefined))
    : (document.maybe("started_at")?.members() ?? []).map(([, location]) => location);
  const starts = locations.flatMap((location) => (location?.isNumber === true ? [location.number()] : []));
  const [date] = [
    starts.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY),
    document.maybe("date")?.scalar,
  ].filter((each) => typeof each === "number" && Number.isFinite(each));
  const performed = typeof date === "number" ? Math.round(date * 1000) : Number.NaN;
  return Number.isSafeInteger(performed) ? { performed } : {};
}

/** A number. Objects written by older programs need `asv update`, which converts them to version 2. */
function firstVersion(name: string, location: JsonLocation): Measured | undefined {
  return location.isNumber ? { name, parameters: [], result: location, statistics: new Map(), samples: [] } : undefined;
}

/** Reports results that are objects in version 1. */
function outdated(results: readonly (readonly [string, JsonLocation])[]): string[] {
  const names = results.filter(([, location]) => location.isObject).map(([name]) => name);
  if (names.length === 0) return [];
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return [
    `skipped ${names.slice(0, 3).join(", ").slice(0, 200)}${more}, in an old format: convert them with \`asv update\``,
  ];
}

/** A list in the order of `result_columns`. */
function secondVersion(name: string, location: JsonLocation, columns: readonly string[]): Measured | undefined {
  const cells = listIn(location);
  const cell = (column: string): JsonLocation | undefined => cells[columns.indexOf(column)];
  const result = cell("result");
  if (!result) return undefined;
  const names = { lower: "stats_ci_99_a", upper: "stats_ci_99_b", q1: "stats_q_25", q3: "stats_q_75" };
  const found = new Map(Object.entries(names).map(([statistic, column]) => [statistic, listIn(cell(column))] as const));
  return {
    name,
    parameters: parametersOf(cell("params")),
    result,
    statistics: found,
    samples: listIn(cell("samples")),
  };
}

function parametersOf(location: JsonLocation | undefined): string[][] {
  const lists = listIn(location);
  if (location && lists.length > mostParameters)
    throw new Failure("damaged-report", {
      file: location.file,
      problem: `${location.path.slice(0, 200)}: more than ${mostParameters} parameters`,
    });
  return lists.map((choices) => choices?.list().map((choice) => choice.text()) ?? []);
}

/** The elements of a list, undefined for null; empty when there is no list. */
function listIn(location: JsonLocation | undefined): Cells {
  return location?.isList === true ? location.list().map((each) => (each.isNull ? undefined : each)) : [];
}

/** One result per combination of parameters, the last of which varies fastest; null and NaN are failed or skipped. */
function* resultsOf({ name, parameters, result, statistics: found, samples }: Measured): Generator<BenchmarkResult> {
  const metric = quantityOf(name);
  const cells = result.isList ? result.list() : [result];
  for (const [at, cell] of cells.entries()) {
    const { scalar } = cell;
    if (typeof scalar !== "number") continue;
    const values = new Map<string, number | Float64Array>();
    const list = samples[at]?.numbers() ?? new Float64Array(0);
    values.set(metric.name, list.length > 0 ? list : scalar);
    if (metric.name === "time") {
      if (list.length > 0) values.set("median", scalar);
      for (const [statistic, numbers] of found) {
        const number = numbers[at]?.scalar;
        if (typeof number === "number") values.set(statistic, number);
      }
    }
    yield { benchmark: name, parameters: combination(parameters, at), values };
  }
}

function quantityOf(name: string): ReportMetric {
  const prefix =
    /^(?:[Tt]imeraw|[Tt]ime|[Pp]eakmem|[Mm]em)(?=[A-Z_])/.exec(name.slice(name.lastIndexOf(".") + 1))?.[0] ?? "";
  return quantities.get(prefix.toLowerCase()) ?? tracked;
}

/** asv stores the names of parameters elsewhere (benchmarks.json); here they are numbered. */
function combination(parameters: readonly (readonly string[])[], at: number): Map<string, Value> {
  const chosen: [string, Value][] = [];
  let rest = at;
  for (let index = parameters.length - 1; index >= 0; index--) {
    const choices = parameters[index]!;
    if (choices.length === 0) continue;
    chosen.unshift([`param${index + 1}`, parameterValue(choices[rest % choices.length]!)]);
    rest = Math.floor(rest / choices.length);
  }
  return new Map(chosen);
}
