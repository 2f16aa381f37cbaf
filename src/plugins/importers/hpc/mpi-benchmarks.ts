import type { ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { AlignedRows, logImporter, wordsOf, type LogReader, type LogResults } from "../log-importer.ts";

/** A column of a table of message sizes; `scale` converts to the unit of the metric. */
interface Column {
  readonly metric: ReportMetric;
  readonly scale: number;
}

const seconds = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });
const bandwidth: ReportMetric = { name: "bandwidth", unit: "Byte/s", better: "higher" };
const messageRate: ReportMetric = { name: "message_rate", unit: "1/s", better: "higher" };
const overlap: ReportMetric = { name: "overlap", unit: "%", better: "higher" };
/** The computation that a non-blocking operation has to hide is chosen by the benchmark. */
const compute: ReportMetric = { name: "compute", unit: "s" };

const microsecond = 1e6;

/** The OSU micro-benchmarks 3 to 7 for MPI, OpenSHMEM, UPC and NCCL. */
export const osu = logImporter({
  name: "osu",
  synopsis: "OSU micro-benchmarks (osu_latency, osu_bw, osu_allreduce, …)",
  marks: "a line `# OSU … Test v5.8`, a header `# Size …` and rows of numbers",
  metrics: [seconds("latency"), seconds("latency_min"), seconds("latency_max"), bandwidth, messageRate],
  reader: (results) => new OsuReader(results),
});

class OsuReader implements LogReader {
  readonly #results: LogResults;
  #rows: AlignedRows;
  #title = "";
  #columns: readonly (Column | "size" | "operation" | undefined)[] = [];
  #fixed: readonly (readonly [string, Value])[] = [];

  constructor(results: LogResults) {
    this.#results = results;
    this.#rows = new AlignedRows(results);
  }

  line(text: string, isCut: boolean): void {
    const [, title, version = ""] =
      /^# OSU (\S.{0,100}?) ?(?:\bTest\b)?(?: +v([\d.]{1,20}\S{0,20}))?\s{0,40}$/.exec(text) ?? [];
    if (title !== undefined) {
      this.#results.fact("osu", version);
      [this.#title, this.#columns, this.#fixed] = [title, [], []];
    } else if (this.#title === "") return;
    else if (text.startsWith("#")) this.#head(text);
    else if (this.#columns.length > 0) this.#row(text, isCut);
  }

  #head(text: string): void {
    const settings = [...text.matchAll(/\[ (pairs|window size): {1,10}(\d{1,9}) \]/g)];
    if (settings.length > 0)
      this.#fixed = settings.map(([, name = "", value]) => [name.replace(" ", "_"), Number(value)]);
    const columns = osuColumns(text.slice(1));
    if (columns === undefined) return;
    this.#columns = columns;
    this.#rows = new AlignedRows(this.#results);
    for (const column of columns) if (typeof column === "object") this.#results.metric(column.metric);
  }

  #row(text: string, isCut: boolean): void {
    const columns = this.#columns;
    const [name = ""] = columns[0] === "operation" ? wordsOf(text) : [];
    const marked = text.replace(/\b(?:Pass|Fail)\b/g, (word) => (word === "Pass" ? "1" : "0"));
    const plain = name === "" ? marked : marked.replace(name, "0");
    const numbers = this.#rows.numbers(plain, columns.length, isCut);
    if (numbers === undefined) return;
    if (/\bFail\b/.test(text)) this.#results.warn("the validation of the transferred data failed");
    const values = columns.flatMap((column, at): [string, number][] =>
      typeof column === "object" ? [[column.metric.name, numbers[at]! * column.scale]] : [],
    );
    const own = columns.flatMap((column, at): [string, Value][] =>
      typeof column === "string" ? [[column, column === "size" ? numbers[at]! : name]] : [],
    );
    this.#results.add(this.#title, exact(values), [...own, ...this.#fixed]);
  }
}

/** Removes the rounding of a conversion: the printed numbers have at most 15 digits. */
function exact(values: readonly (readonly [string, number])[]): [string, number][] {
  return values.map(([name, value]) => [name, Number(value.toPrecision(15))]);
}

/** Titles such as `Avg Latency(us)`, `Bandwidth (MB/s)`, `Coll. Init(us)`, `Messages/s`; words are one blank apart. */
const osuTitle =
  /(?:[A-Za-z][\w.]{0,30} )?(?:[A-Za-z][\w.]{0,30} )?[A-Za-z][\w.]{0,30} ?\([\w%/]{1,8}\)|[\w%/]{1,30}(?: ops\/s)?/g;

function osuColumns(head: string): (Column | "size" | "operation" | undefined)[] | undefined {
  const titles = head.match(osuTitle) ?? [];
  const words = titles.map((title) => title.toLowerCase());
  const isHead = words[0] === "size" || words[0] === "operation" || titles.every((title) => isOsuTitle(title));
  if (!isHead || titles.length === 0 || !titles.some(isMeasured)) return undefined;
  return titles.map((title, at) => {
    if (words[at] === "size" || words[at] === "operation") return words[at];
    return isMeasured(title) ? osuColumn(title) : undefined;
  });
}

function isOsuTitle(title: string): boolean {
  return isMeasured(title) || title === "Iterations" || title === "Validation";
}

function isMeasured(title: string): boolean {
  return /\((?:us|ms|s|MB\/s|%)\)$/.test(title) || /^(?:MB|Messages|Million ops|ops)\/s$/i.test(title);
}

function osuColumn(title: string): Column {
  const [, text = title, unit = ""] = /^(.{1,100}?) ?\(([\w%/]{1,8})\)$/.exec(title) ?? [];
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  if (name === "messages_s") return { metric: messageRate, scale: 1 };
  if (name.endsWith("ops_s")) return { metric: { ...messageRate, name: "operation_rate" }, scale: 1e6 };
  if (unit === "MB/s" || name === "mb_s") return { metric: bandwidth, scale: 1e6 };
  if (unit === "%") return { metric: { ...overlap, name }, scale: 1 };
  const [, which = "avg"] = /^(avg|min|max|p\d{1,3})(?:_tail)?_lat(?:ency)?$/.exec(name) ?? [];
  const isLatency = /(?:^|_)lat(?:ency)?$/.test(name);
  const latency = which === "avg" ? "latency" : `latency_${which}`;
  const metric = name === "compute" ? compute : seconds(isLatency ? latency : name);
  return { metric, scale: unit === "us" ? 1 / microsecond : unit === "ms" ? 1e-3 : 1 };
}

/** The Intel MPI Benchmarks 2.3 to 2021: MPI-1, EXT, NBC, RMA and MT. */
export const imb = logImporter({
  name: "imb",
  synopsis: "Intel MPI Benchmarks (IMB-MPI1, IMB-EXT, IMB-NBC, IMB-RMA)",
  marks: "`# Benchmarking PingPong`, a header with `#repetitions`, and rows of numbers",
  metrics: [seconds("time"), seconds("t_min"), seconds("t_max"), seconds("t_avg"), bandwidth, messageRate],
  reader: (results) => new ImbReader(results),
});

/** Columns of IMB that are no results. */
const imbParameters: ReadonlyMap<string, string> = new Map([
  ["#bytes", "size"],
  ["Group", "group"],
  ["#threads", "threads"],
]);

class ImbReader implements LogReader {
  readonly #results: LogResults;
  #rows: AlignedRows;
  #benchmark = "";
  #columns: readonly (Column | string | undefined)[] = [];
  #fixed = new Map<string, Value>();
  /** Bytes of an Mbyte; undefined before the version is known. */
  #megabyte: number | undefined;

  constructor(results: LogResults) {
    this.#results = results;
    this.#rows = new AlignedRows(results);
  }

  line(text: string, isCut: boolean): void {
    const [, version] = /^#\s{1,20}Intel ?\(R\) MPI Benchmark(?:s|Suite| Suite)? V?(\d[\w. ]{0,30}?),/.exec(text) ?? [];
    if (version !== undefined) {
      this.#results.fact("imb", version);
      // The 2018 release changed Mbytes from 2^20 to 10^6 bytes.
      this.#megabyte = printedNumber(version.split(/[. ]/)[0]!) >= 2018 ? 1e6 : 2 ** 20;
    }
    const [, benchmark] = /^# Benchmarking (\S.{0,60}?)\s{0,40}$/.exec(text) ?? [];
    if (benchmark !== undefined) [this.#benchmark, this.#columns, this.#fixed] = [benchmark, [], new Map()];
    if (this.#benchmark === "") return;
    if (text.startsWith("#")) this.#setting(text);
    if (/^[\s#A-Za-z]{0,60}#repetitions\s/.test(text)) this.#head(wordsOf(text));
    else if (this.#columns.length > 0 && !text.startsWith("#")) this.#row(text, isCut);
  }

  #setting(text: string): void {
    const [, procs] = /^#\s{0,9}\(? ?#processes = (\d{1,9})/.exec(text) ?? [];
    if (procs !== undefined) this.#fixed.set("procs", Number(procs));
    const [, threads] = /^#\s{0,9}#threads = (\d{1,9})/.exec(text) ?? [];
    if (threads !== undefined) this.#fixed.set("threads", Number(threads));
    const [, mode] = /^#\s{0,20}MODE:\s{1,20}([A-Z-]{1,40})/.exec(text) ?? [];
    if (mode === undefined) return;
    // A new mode starts a table of the same benchmark.
    this.#fixed.set("mode", mode);
    this.#columns = [];
  }

  #head(titles: readonly string[]): void {
    if (this.#megabyte === undefined && titles.includes("Mbytes/sec"))
      this.#results.warn("the version of IMB is missing: Mbytes are read as 10^6 bytes");
    this.#columns = titles.map((title) => imbParameters.get(title) ?? imbColumn(title, this.#megabyte ?? 1e6));
    this.#rows = new AlignedRows(this.#results);
    for (const column of this.#columns) if (typeof column === "object") this.#results.metric(column.metric);
  }

  #row(text: string, isCut: boolean): void {
    const numbers = this.#rows.numbers(text, this.#columns.length, isCut);
    if (numbers === undefined) return;
    const own: [string, Value][] = [];
    const values: [string, number][] = [];
    for (const [at, column] of this.#columns.entries())
      if (typeof column === "string") own.push([column, numbers[at]!]);
      else if (column !== undefined) values.push([column.metric.name, numbers[at]! * column.scale]);
    this.#results.add(this.#benchmark, exact(values), [...own, ...this.#fixed]);
  }
}

function imbColumn(title: string, megabyte: number): Column | undefined {
  if (title === "Mbytes/sec") return { metric: bandwidth, scale: megabyte };
  if (title === "Msg/sec") return { metric: messageRate, scale: 1 };
  if (title === "overlap[%]") return { metric: overlap, scale: 1 };
  const [, name = ""] = /^(t\w{0,20})\[usec\]$/.exec(title) ?? [];
  if (name === "") return undefined;
  return { metric: seconds(name === "t" ? "time" : name.toLowerCase()), scale: 1 / microsecond };
}
