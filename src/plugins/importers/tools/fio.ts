import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { type JsonLocation, embeddedDocuments } from "../../../formats/json/index.ts";
import { RepeatedResults, reportLines } from "../../../formats/benchmarks/index.ts";
import { LogResults } from "../log-importer.ts";
import { reportImporter } from "../report-importer.ts";
import { FioTextReader, fioJobHeader } from "./fio-text.ts";

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
 * for each job and direction with I/O. Failed jobs have none, and are reported.
 */
export const fio = reportImporter({
  name: "fio",
  synopsis: "fio, its text and --output-format=json",
  marks: 'JSON with "fio version" and a list "jobs", or lines as `job: (groupid=0, jobs=1): err= 0: pid=1`',
  sniff(head) {
    if (isJson(head)) return 1;
    return [...reportLines(head)].some((line) => fioJobHeader.test(line)) ? 0.95 : 0;
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
  const [results, notices] = [new RepeatedResults(), [] as string[]];
  const shared = document.maybe("global options");
  for (const job of document.get("jobs").list()) {
    const own = job.maybe("job options");
    const set = options.flatMap((name): [string, Value][] => {
      const value = (own?.maybe(name) ?? shared?.maybe(name))?.scalar;
      return value === undefined ? [] : [[name, value]];
    });
    const error = job.maybe("error")?.number() ?? 0;
    if (error !== 0) {
      notices.push(`job ${job.get("jobname").text()} failed with error ${error}: its numbers are left out`);
      continue;
    }
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
  const time = Number.isSafeInteger(performed) && performed > 0 ? { performed } : {};
  return { ...results.report(metrics, { facts, ...time }), ...(notices.length === 0 ? {} : { notices }) };
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

function textReport(bytes: Uint8Array): BenchmarkReport {
  const results = new LogResults(metrics);
  results.read(new FioTextReader(results), bytes);
  return results.report();
}
