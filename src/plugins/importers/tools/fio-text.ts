import type { Value } from "../../../core/values/index.ts";
import { prefixedNumber, scaledNumber } from "../../../formats/text/index.ts";
import type { LogReader, LogResults } from "../log-importer.ts";

/** The first line of a job. */
export const fioJobHeader =
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
export class FioTextReader implements LogReader {
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
    if (version !== undefined) {
      // Another run of fio.
      this.end();
      this.#results.fact("fio", version);
    }
    const [, name = "", rw = "", bs = "", ioengine = "", depth] = definition.exec(line) ?? [];
    if (depth !== undefined) {
      const known: [string, Value][] = [["rw", rw], ...blockSizes(bs), ["iodepth", depth], ["ioengine", ioengine]];
      this.#definitions.set(name, new Map(known));
    } else if (fioJobHeader.test(line)) this.#begin(line);
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
    this.#jobs.clear();
    this.#job = undefined;
  }

  #begin(line: string): void {
    const [, name = "", group = "", jobs = "", error = "", pid = ""] = fioJobHeader.exec(line)!;
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
