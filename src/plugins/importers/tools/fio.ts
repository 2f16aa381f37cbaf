import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { type JsonLocation, embeddedDocuments } from "../../../formats/json/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { prefixedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { LogResults, type LogReader } from "../log-importer.ts";
import { reportImporter } from "../report-importer.ts";

const percentiles = "1 5 10 20 30 40 50 60 70 80 90 95 99 99.5 99.9 99.95 99.99".split(" ");

const metrics: readonly ReportMetric[] = [
  { name: "rate", unit: "Byte/s", better: "higher", synopsis: "bandwidth" },
  { name: "iops", unit: "1/s", better: "higher" },
  {
    name: "latency_mean",
    unit: "s",
    better: "lower",
    synopsis: "from the submission to the completion of an operation",
  },
  { name: "latency_stddev", unit: "s" },
  { name: "latency_min", unit: "s", better: "lower" },
  { name: "latency_max", unit: "s", better: "lower" },
  ...percentiles.map((each): ReportMetric => ({ name: `completion_p${each}`, unit: "s", better: "lower" })),
  { name: "bytes", unit: "Byte", better: "higher", whole: true, synopsis: "transferred in all" },
  { name: "operations", better: "higher", whole: true },
  { name: "runtime", unit: "s" },
];

/** Options of a job that become parameters. */
const options = ["rw", "bs", "iodepth", "ioengine", "numjobs", "direct", "size"];

/**
 * fio 2.0 to 3.40: `--output-format=json` (and json+), also between other lines of fio, and the normal text. A result
 * for each job and direction with I/O. Failed jobs have none.
 */
export const fio = reportImporter({
  name: "fio",
  synopsis: "fio, its text and --output-format=json",
  marks: 'JSON with "fio version" and a list "jobs", or lines as `job: (groupid=0, jobs=1): err= 0: pid=1`',
  sniff(head) {
    if (isJson(head)) return 1;
    return [...reportLines(head)].some((line) => jobHeader.test(line)) ? 0.95 : 0;
  },
  reports: (bytes, file) =>
    isJson(bytes) ? finished(embeddedDocuments(bytes, file, "fio version", "jobs")).map(report) : [textReport(bytes)],
});

function isJson(bytes: Uint8Array): boolean {
  return /(?:^|\n)\s{0,100}\{\s{0,100}"fio version"\s{0,100}:/.test(new TextDecoder().decode(bytes));
}

/**
 * Drops intermediate documents of `--status-interval`: the next document belongs to a run that had already started.
 */
function finished(documents: readonly JsonLocation[]): JsonLocation[] {
  return documents.filter((document, at) => {
    const next = documents[at + 1];
    if (next === undefined) return true;
    const lasted = next
      .get("jobs")
      .list()
      .reduce((most, job) => Math.max(most, job.maybe("elapsed")?.number() ?? 0), 0);
    // The second in which a job started counts as a full one.
    return !(timestampMs(next) - timestampMs(document) < (lasted - 1) * 1000);
  });
}

/** The time of writing in milliseconds; NaN if missing. */
function timestampMs(document: JsonLocation): number {
  return document.maybe("timestamp_ms")?.number() ?? (document.maybe("timestamp")?.number() ?? Number.NaN) * 1000;
}

function report(document: JsonLocation): BenchmarkReport {
  const results = new RepeatedResults();
  const shared = document.maybe("global options");
  for (const job of document.get("jobs").list()) {
    const own = job.maybe("job options");
    const set = options.flatMap((name): [string, Value][] => {
      const value = (own?.maybe(name) ?? shared?.maybe(name))?.scalar;
      return value === undefined ? [] : [[name, value]];
    });
    if ((job.maybe("error")?.number() ?? 0) !== 0) continue;
    for (const direction of ["read", "write", "trim"]) {
      const measured = job.maybe(direction);
      const values = measured === undefined ? [] : valuesOf(measured);
      if (values.length > 0)
        results.add(job.get("jobname").text(), values, new Map<string, Value>([["direction", direction], ...set]));
    }
  }
  const version = document.get("fio version").scalar;
  const performed = Math.round(timestampMs(document) * 1000);
  const facts = new Map<string, Value>(version === undefined ? [] : [["fio", version]]);
  return results.report(metrics, { facts, ...(Number.isSafeInteger(performed) && performed > 0 ? { performed } : {}) });
}

/** Empty if the job did no I/O in that direction. Old versions have only bandwidth in KiB/s and latencies in µs. */
function valuesOf(measured: JsonLocation): [string, number][] {
  const bytes = measured.maybe("io_bytes")?.number() ?? 0;
  if (bytes === 0) return [];
  const [latency, over] = inUnit(measured, "lat");
  const [completion, under] = inUnit(measured, "clat");
  const times = ["mean", "stddev", "min", "max"].map((name): [string, number] => [
    `latency_${name}`,
    numberIn(latency, name) / over,
  ]);
  const tails = (completion?.maybe("percentile")?.members() ?? []).map(([percent, value]): [string, number] => [
    `completion_p${Number(percent)}`,
    value.number() / under,
  ]);
  const bandwidth = numberIn(measured, "bw_bytes");
  return [
    ["rate", Number.isNaN(bandwidth) ? numberIn(measured, "bw") * 1024 : bandwidth],
    ["iops", numberIn(measured, "iops")],
    ...times,
    ...tails,
    ["bytes", bytes],
    ["operations", numberIn(measured, "total_ios")],
    ["runtime", numberIn(measured, "runtime") / 1000],
  ];
}

function inUnit(measured: JsonLocation, name: string): [JsonLocation | undefined, number] {
  const fine = measured.maybe(`${name}_ns`);
  return fine ? [fine, 1e9] : [measured.maybe(name), 1e6];
}

function numberIn(location: JsonLocation | undefined, name: string): number {
  return location?.maybe(name)?.number() ?? Number.NaN;
}

const jobHeader =
  /^(\S.{0,200}?): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err= ?(\d{1,9})(?: \(.{0,200}\))?: pid=(\d{1,9})(?:: |$)/;
const definition =
  /^(\S.{0,200}?): \(g=\d{1,9}\): rw=(\w{1,20}), (?:bs=(.{1,200}), )?ioengine=([\w-]{1,40}), iodepth=(\d{1,9})$/;
const [number, time] = [String.raw`([\d.]{1,14})`, String.raw` {0,9}([\d.]{1,14}[kM]?)`];
const amounts = new RegExp(
  String.raw`^ {1,4}(read|write|trim) {0,2}: IOPS=${number}([kMG]?), BW=${number}([KMGT]?i?)B/s.{0,40}` +
    String.raw`\(${number}([KMGT]?i?)B/(\d{1,12})msec\)`,
);
const oldAmounts = new RegExp(
  String.raw`^ {1,4}(read|write|trim) {0,2}: io=${number}([KMGT]?)B, bw=${number}([KMGT]?)B/s, ` +
    String.raw`iops=${number}([kMG]?), runt= {0,9}(\d{1,12})msec$`,
);
const latencies = new RegExp(
  String.raw`^ {4,5}(lat|clat) \((nsec|usec|msec)\): {0,2}min=${time}, max=${time}, avg=${time}, stdev=${time}$`,
);
const exponents: ReadonlyMap<string, number> = new Map([
  ["nsec", -9],
  ["usec", -6],
  ["msec", -3],
]);

function textReport(bytes: Uint8Array): BenchmarkReport {
  const results = new LogResults(metrics);
  results.read(new FioTextReader(results), bytes);
  return results.report();
}

interface FioDirection {
  readonly name: string;
  readonly values: Map<string, number>;
}

interface FioJob {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly directions: FioDirection[];
  /** The exponent of the percentiles that follow. */
  exponent: number | undefined;
  isComplete: boolean;
}

/** Reads the text of jobs. With `--status-interval` a job is printed several times; the last one holds the totals. */
class FioTextReader implements LogReader {
  readonly #results: LogResults;
  readonly #definitions = new Map<string, ReadonlyMap<string, Value>>();
  readonly #jobs = new Map<string, FioJob>();
  #job: FioJob | undefined;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const line = text.trimEnd();
    if (isCut) return this.#results.warn("skipped an incomplete line");
    const [, version] = /^(fio-\d[\w.-]{0,40})$/.exec(line) ?? [];
    if (version !== undefined) this.#results.fact("fio", version);
    const [, name = "", rw = "", bs = "", ioengine = "", depth] = definition.exec(line) ?? [];
    if (depth !== undefined) {
      const known: [string, Value][] = [["rw", rw], ...blockSizes(bs), ["iodepth", depth], ["ioengine", ioengine]];
      this.#definitions.set(name, new Map(known));
    } else if (jobHeader.test(line)) this.#begin(line);
    else if (line.startsWith("Run status group ")) this.#job = undefined;
    else if (this.#job !== undefined) this.#take(this.#job, line);
  }

  end(): void {
    for (const { name, parameters, directions, isComplete } of this.#jobs.values()) {
      if (!isComplete) this.#results.warn(`job ${name} has no end: it is left out`);
      else
        for (const { name: direction, values } of directions)
          this.#results.add(name, values, parametersOf(parameters, direction));
    }
  }

  #begin(line: string): void {
    const [, name = "", group = "", jobs = "", error = "", pid = ""] = jobHeader.exec(line)!;
    this.#job = undefined;
    if (Number(error) !== 0) return this.#results.warn(`job ${name} failed with error ${error}: it is left out`);
    const parameters = new Map(this.#definitions.get(name) ?? []);
    if (jobs !== "1") parameters.set("numjobs", jobs);
    this.#job = { name, parameters, directions: [], exponent: undefined, isComplete: false };
    this.#jobs.set(`${name} ${group} ${pid}`, this.#job);
  }

  #take(job: FioJob, line: string): void {
    const direction = directionOf(line);
    if (direction !== undefined) job.directions.push(direction);
    const current = job.directions.at(-1);
    if (current === undefined) return;
    takeLatencies(job, current.values, line);
    const [, totals] = /^ {4,5}issued(?: rwts)? {0,4}: total=(\S{1,100})/.exec(line) ?? [];
    if (totals === undefined) return;
    job.isComplete = true;
    const counts = [...totals.matchAll(/\d+/g)].map(([count]) => Number(count));
    for (const { name, values } of job.directions)
      values.set("operations", counts[["read", "write", "trim"].indexOf(name)] ?? Number.NaN);
  }
}

function directionOf(line: string): FioDirection | undefined {
  const [, name, iops = "", over = "", rate = "", prefix = "", size = "", unit = "", time = ""] =
    amounts.exec(line) ?? [];
  if (name !== undefined) return { name, values: amountsOf([rate, prefix], [iops, over], [size, unit], time) };
  const [, old, total = "", letter = "", speed = "", per = "", count = "", thousands = "", runtime = ""] =
    oldAmounts.exec(line) ?? [];
  if (old === undefined) return undefined;
  // Version 2 prints KB for 1024 bytes.
  const binary = (each: string): string => (each === "" ? "" : `${each}i`);
  return { name: old, values: amountsOf([speed, binary(per)], [count, thousands], [total, binary(letter)], runtime) };
}

type Printed = readonly [amount: string, prefix: string];

function amountsOf(rate: Printed, iops: Printed, bytes: Printed, runtime: string): Map<string, number> {
  return new Map([
    ["rate", prefixedNumber(...rate)],
    ["iops", prefixedNumber(...iops)],
    ["bytes", Math.round(prefixedNumber(...bytes))],
    ["runtime", scaledNumber(runtime, -3)],
  ]);
}

function takeLatencies(job: FioJob, values: Map<string, number>, line: string): void {
  const [, kind, unit = "", ...texts] = latencies.exec(line) ?? [];
  if (kind === "lat")
    for (const [at, name] of ["min", "max", "mean", "stddev"].entries())
      values.set(`latency_${name}`, inSeconds(texts[at]!, exponents.get(unit)!));
  const [, what, percentileUnit = ""] = /^ {4,5}(c?lat|slat) percentiles \((nsec|usec|msec)\):$/.exec(line) ?? [];
  if (what !== undefined) job.exponent = what === "clat" ? exponents.get(percentileUnit) : undefined;
  if (/^ {4,5}\|/.test(line) && job.exponent !== undefined)
    for (const [, percent = "", time = ""] of line.matchAll(/([\d.]{1,9})th=\[ {0,12}([\d.]{1,12}[kM]?)\]/g))
      values.set(`completion_p${Number(percent)}`, inSeconds(time, job.exponent));
}

/** `4881.1k` thousands of a unit. */
function inSeconds(text: string, exponent: number): number {
  const [, amount = "", thousands = ""] = /^([\d.]+)([kM]?)$/.exec(text) ?? [];
  return scaledNumber(amount, exponent + (thousands === "k" ? 3 : thousands === "M" ? 6 : 0));
}

/** Sizes by direction: `(R) 4096B-4096B, (W) 16.0KiB-64.0KiB, (T) …`, or `4K-4K/4K-4K/4K-4K` of version 2. */
function blockSizes(text: string): [string, Value][] {
  const parts = text.includes("(R)")
    ? [...text.matchAll(/\([RWT]\) ([\w.]+)-([\w.]+)/g)]
    : [...text.matchAll(/([\w.]+)-([\w.]+)(?:\/|$)/g)];
  return parts.map(([, from = "", to = ""], at): [string, Value] => {
    const [least, most] = [sizeText(from), sizeText(to)];
    return [["bs read", "bs write", "bs trim"][at] ?? "bs", least === most ? least : `${least}-${most}`];
  });
}

/** A size as it is given to fio: `4096B` and `4K` are 4k. */
function sizeText(text: string): string {
  const [, amount = "", prefix = ""] = /^([\d.]+)([KMG]?)(?:iB|B)?$/.exec(text) ?? [];
  const bytes = prefixedNumber(amount, prefix === "" ? "" : `${prefix}i`);
  if (Number.isNaN(bytes)) return text;
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20}m`;
  return bytes % 1024 === 0 ? `${bytes / 1024}k` : String(bytes);
}

/** The parameters of a direction, as the JSON names them. */
function parametersOf(known: ReadonlyMap<string, Value>, direction: string): Map<string, Value> {
  const size = known.get(`bs ${direction}`);
  const rest = [...known].filter(([name]) => !name.startsWith("bs "));
  const at = Math.min(1, rest.length);
  const sized: [string, Value][] = size === undefined ? [] : [["bs", size]];
  return new Map<string, Value>([["direction", direction], ...rest.slice(0, at), ...sized, ...rest.slice(at)]);
}
