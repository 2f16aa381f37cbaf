import { Failure } from "../../../core/failures/index.ts";
import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import { RepeatedResults, type ReportUnit, reportLines, reportUnit } from "../../../formats/benchmarks/index.ts";
import { inflateBounded } from "../../../formats/store/index.ts";
import { reportImporter } from "../report-importer.ts";

/** First word of a histogram; bits 4 to 7 hold the size of a count. */
const cookies = { v2: 0x1c849303, compressed: 0x1c849304, doubles: 0x0c72124e, compressedDoubles: 0x0c72124f } as const;
const sizeBits = 0xf0;

/** Counts of a histogram take at most 9 bytes each, and most are runs of zeros. */
const mostBytes = 1 << 26;

const percentiles = [50, 75, 90, 95, 99, 99.9, 99.99];

/** Values from `low` to `high` that are not distinguished. */
interface Bucket {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  count: number;
}

/** A histogram: buckets that are not empty, by rising values. */
type Buckets = readonly Bucket[];

const line =
  /^(?:Tag=([^,]{1,500}),)?(\d+(?:[.,]\d+)?),(\d+(?:[.,]\d+)?),(\d+(?:[.,]\d+)?),([A-Za-z0-9+/]{20,}={0,2})$/;
const format = /^#\[Histogram log format version [\d.]{1,10}\]$/;

/**
 * Logs of HdrHistogram 2 (HistogramLogWriter: versions 1.2 and 1.3, histograms of encoding V2), as jHiccup,
 * cassandra-stress and many load generators write them. A tag is a benchmark: percentiles of all intervals together, as
 * HdrHistogram computes them, and some of each interval as samples. Logs hold no unit.
 */
export const hdrHistogram = reportImporter({
  name: "hdr-histogram",
  aliases: ["hlog"],
  synopsis: "logs of HdrHistogram (.hlog)",
  marks: "a line `#[Histogram log format version 1.3]`, or lines `0.127,1.007,2.769,HISTFAAAAEV42pNpmS…`",
  options: [
    {
      name: "unit",
      role: "parameter",
      occurrence: "once",
      type: "text",
      default: null,
      synopsis: "unit of the recorded values, such as ns or us; logs do not hold it",
    },
  ],
  sniff(head) {
    for (const each of reportLines(head)) {
      if (format.test(each)) return 1;
      if (each.includes(",HIST") && line.test(each)) return 0.9;
    }
    return 0;
  },
  reports: (bytes, file, options) => {
    const unit = options.get("unit");
    return [report(reportLines(bytes), file, reportUnit(typeof unit === "string" ? unit : ""))];
  },
});

function report(lines: Iterable<string>, file: string, unit: ReportUnit): BenchmarkReport {
  const tags = new Map<string, Buckets[]>();
  const skipped: number[] = [];
  let started = Number.NaN;
  let number = 0;
  for (const each of lines) {
    number += 1;
    const [, seconds] = /^#\[StartTime: (\d{1,12}(?:\.\d{1,6})?) /.exec(each) ?? [];
    if (seconds !== undefined && Number.isNaN(started)) started = Number(seconds);
    // Lines of other programs stand between those of a log.
    if (!/^(?:Tag=[^,]{1,500},)?\d+[.,]\d+,/.test(each)) continue;
    const [, tag = "", , , , encoded] = line.exec(each) ?? [];
    if (encoded === undefined) skipped.push(number);
    else {
      const intervals = tags.get(tag) ?? [];
      tags.set(tag, intervals);
      intervals.push(bucketsOf(Buffer.from(encoded, "base64"), file, number));
    }
  }
  const results = new RepeatedResults();
  for (const [tag, intervals] of tags) addTag(results, tag, intervals, unit);
  const performed = Math.round(started * 1e6);
  const rest = Number.isSafeInteger(performed) ? { performed } : {};
  const found = results.report(metricsIn(unit.unit), rest);
  if (skipped.length === 0) return found;
  const more = skipped.length > 1 ? ` and ${skipped.length - 1} more` : "";
  return { ...found, notices: [`skipped a line that is no interval: line ${skipped[0]}${more}`] };
}

function metricsIn(unit: string): ReportMetric[] {
  const metric = (name: string): ReportMetric => ({ name, ...(unit === "" ? {} : { unit }), better: "lower" });
  return [
    ...percentiles.map((each) => metric(`p${each}`)),
    ...["mean", "stddev", "min", "max"].map(metric),
    { name: "count", whole: true },
    ...["interval_p50", "interval_p99", "interval_max"].map(metric),
    { name: "interval_count", whole: true },
  ];
}

/** Empty intervals have a count only. */
function addTag(results: RepeatedResults, tag: string, intervals: readonly Buckets[], unit: ReportUnit): void {
  const whole = merged(intervals);
  const scaled = (value: number): number => (value * unit.times) / unit.over;
  const count = countOf(whole);
  const values: [string, number][] = [
    ...percentiles.map((each): [string, number] => [`p${each}`, scaled(valueAt(whole, each, count))]),
    ...moments(whole, count).map(([name, value]): [string, number] => [name, scaled(value)]),
    ["count", count],
  ];
  const samples = intervals.map((each): [string, number][] => {
    const own = countOf(each);
    return [
      ["interval_p50", scaled(valueAt(each, 50, own))],
      ["interval_p99", scaled(valueAt(each, 99, own))],
      ["interval_max", scaled(each.at(-1)?.high ?? Number.NaN)],
      ["interval_count", own],
    ];
  });
  results.addWithIntervals(tag === "" ? "all" : tag, values, new Map(), samples);
}

function countOf(buckets: Buckets): number {
  return buckets.reduce((sum, { count }) => sum + count, 0);
}

/** The highest value that is equivalent to the value at a percentile; NaN of an empty histogram. */
function valueAt(buckets: Buckets, percentile: number, total: number): number {
  const wanted = Math.max(1, Math.ceil((percentile * total) / 100 - 1e-9));
  let seen = 0;
  for (const { high, count } of buckets) {
    seen += count;
    if (seen >= wanted) return high;
  }
  return Number.NaN;
}

function moments(buckets: Buckets, count: number): [string, number][] {
  const mean = buckets.reduce((sum, bucket) => sum + bucket.middle * bucket.count, 0) / count;
  const squares = buckets.reduce((sum, bucket) => sum + (bucket.middle - mean) ** 2 * bucket.count, 0);
  const lowest = buckets.find(({ high }) => high > 0)?.low ?? Number.NaN;
  return [
    ["mean", mean],
    ["stddev", Math.sqrt(squares / count)],
    ["min", lowest],
    ["max", buckets.at(-1)?.high ?? Number.NaN],
  ];
}

/** The sum of histograms, which may have different resolutions. */
function merged(histograms: readonly Buckets[]): Buckets {
  if (histograms.length === 1) return histograms[0]!;
  const sums = new Map<string, Bucket>();
  for (const bucket of histograms.flat()) {
    const key = `${bucket.low} ${bucket.high}`;
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { ...bucket });
    else known.count += bucket.count;
  }
  return [...sums.values()].toSorted((a, b) => a.high - b.high || a.low - b.low);
}

/** Decodes a histogram, compressed or not, of whole numbers or of doubles. Fails with `damaged-report`. */
function bucketsOf(encoded: Uint8Array, file: string, at: number): Buckets {
  const bad = (problem: string): Failure => new Failure("damaged-report", { file, line: at, problem });
  const word = (words: Uint8Array, from: number): number => {
    if (from + 4 > words.length) throw bad("its histogram is cut");
    return viewOf(words).getInt32(from);
  };
  const outer = word(encoded, 0);
  const isDouble = outer === cookies.doubles || outer === cookies.compressedDoubles;
  const bytes = isDouble ? encoded.subarray(16) : encoded;
  const first = isDouble ? word(bytes, 0) : outer;
  if ((first & ~sizeBits) === cookies.v2) return plainBuckets(bytes, bad);
  if ((first & ~sizeBits) !== cookies.compressed) throw bad("its histogram is not of encoding V2");
  const length = word(bytes, 4);
  let inflated: Uint8Array;
  try {
    inflated = inflateBounded(bytes.subarray(8, 8 + length), mostBytes);
  } catch {
    throw bad("its histogram cannot be inflated");
  }
  if ((word(inflated, 0) & ~sizeBits) !== cookies.v2) throw bad("its histogram is not of encoding V2");
  return plainBuckets(inflated, bad);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const headerSize = 40;

/** Header: cookie, size of the counts, offset, digits, lowest and highest value, factor of doubles. */
function plainBuckets(bytes: Uint8Array, bad: (problem: string) => Failure): Buckets {
  if (bytes.length < headerSize) throw bad("its histogram is cut");
  const view = viewOf(bytes);
  const [size, digits] = [view.getInt32(4), view.getInt32(12)];
  const [lowest, factor] = [Number(view.getBigInt64(16)), view.getFloat64(32)];
  if (digits < 0 || digits > 5 || lowest < 1 || !(factor > 0) || !Number.isFinite(factor))
    throw bad("the header of its histogram is invalid");
  if (size < 0 || headerSize + size > bytes.length) throw bad("its histogram is cut");
  const magnitude = Math.floor(Math.log2(lowest));
  const half = 2 ** (Math.max(1, Math.ceil(Math.log2(2 * 10 ** digits))) - 1);
  const buckets: Bucket[] = [];
  for (const [index, count] of countsIn(bytes.subarray(headerSize, headerSize + size), bad)) {
    if (index >= half * 65) throw bad("its histogram has too many counts");
    // Each bucket after the first has half as many values, each twice as wide.
    const bucket = Math.max(0, Math.floor(index / half) - 1);
    const width = 2 ** (bucket + magnitude);
    const low = (index - bucket * half) * width;
    const [middle, high] = [low + Math.floor(width / 2), low + width - 1];
    buckets.push({ low: low * factor, middle: middle * factor, high: high * factor, count });
  }
  return buckets;
}

/** The counts that are not 0 with their index: ZigZag LEB128 of at most 9 bytes, negative for runs of zeros. */
function* countsIn(bytes: Uint8Array, bad: (problem: string) => Failure): Generator<readonly [number, number]> {
  let index = 0;
  for (let at = 0; at < bytes.length;) {
    let [coded, weight] = [0, 1];
    for (let byte = 0; ; byte++, weight *= 128) {
      const next = bytes[at++];
      if (next === undefined) throw bad("its histogram is cut");
      // The ninth byte has eight bits.
      coded += (byte === 8 ? next : next & 0x7f) * weight;
      if (byte === 8 || next < 0x80) break;
    }
    const value = coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
    if (value < 0) index -= value;
    else {
      if (value > 0) yield [index, value];
      index += 1;
    }
  }
}
