import type { ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber } from "../../../formats/text/index.ts";
import { AlignedRows, logImporter, numbersOf, wordsOf, type LogReader, type LogResults } from "../log-importer.ts";

const seconds = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });
const perSecond = (name: string): ReportMetric => ({ name, unit: "1/s", better: "higher" });

/** Columns of the table of IOR: the metric, and the factor to its unit. */
const iorColumns: ReadonlyMap<string, readonly [string, number]> = new Map([
  ["bw(MiB/s)", ["bandwidth", 2 ** 20]],
  ["IOPS", ["iops", 1]],
  ["Latency(s)", ["latency", 1]],
  ["open(s)", ["open_time", 1]],
  ["wr/rd(s)", ["wrrd_time", 1]],
  ["close(s)", ["close_time", 1]],
  ["total(s)", ["total_time", 1]],
]);

/** IOR 2.10 to 4.0. */
export const ior = logImporter({
  name: "ior",
  synopsis: "IOR (parallel input and output)",
  marks: "a header `access  bw(MiB/s)  block(KiB) xfer(KiB) …` and lines `write`, `read`",
  metrics: [
    { name: "bandwidth", unit: "Byte/s", better: "higher" },
    perSecond("iops"),
    ...["latency", "open_time", "wrrd_time", "close_time", "total_time"].map(seconds),
  ],
  banner: /^IOR-\d.{0,40}MPI Coordinated Test/,
  reader: (results) => new IorReader(results),
});

/** Options that identify a test; `clients` is the word of versions before 3.1. */
const iorOptions: ReadonlyMap<string, string> = new Map([
  ["api", "api"],
  ["access", "access"],
  ["type", "type"],
  ["tasks", "procs"],
  ["clients", "procs"],
  ["Participating tasks", "procs"],
]);

class IorReader implements LogReader {
  readonly #results: LogResults;
  #titles: readonly string[] = [];
  #options = new Map<string, Value>();
  #length = 0;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const [, version] = /^IOR-(\d[^\s:]{0,30}):/.exec(text) ?? [];
    if (version !== undefined) {
      this.#results.fact("ior", version);
      [this.#options, this.#titles] = [new Map(), []];
    }
    if (/^access\s{1,40}bw\(MiB\/s\)\s/.test(text)) {
      this.#titles = wordsOf(text);
      this.#length = 0;
    } else if (/^(?:write|read)\s/.test(text)) this.#row(text, isCut);
    else this.#option(text);
  }

  #option(text: string): void {
    const [, key = "", value = ""] = /^\s{0,9}([A-Za-z][\w ]{0,30}?)\s*[:=]\s*(\S.{0,80})$/.exec(text) ?? [];
    const name = iorOptions.get(key);
    if (name === undefined) return;
    const [first = "", second] = value.split(",").map((part) => part.trim());
    if (name === "procs") {
      const count = Number.parseInt(first, 10);
      if (Number.isSafeInteger(count)) this.#options.set(name, count);
    } else this.#options.set(name, name === "api" ? wordsOf(first)[0]! : first);
    if (name === "access" && second) this.#options.set("type", second);
  }

  #row(text: string, isCut: boolean): void {
    const titles = this.#titles;
    if (titles.length === 0) return;
    const words = wordsOf(text);
    const numbers = words.length === titles.length ? numbersOf(words.slice(1)) : undefined;
    // Cells are left-aligned, and the last is the number of the repetition.
    if (numbers === undefined || (isCut && text.trimEnd().length < this.#length)) {
      // A line of the summary has other columns.
      if (isCut || words.length < titles.length) this.#results.warn("skipped an incomplete row");
      return;
    }
    this.#length = text.trimEnd().length;
    const cell = (title: string): number => numbers[titles.indexOf(title) - 1] ?? Number.NaN;
    const values = [...iorColumns].map(([title, [name, scale]]): [string, number] => [name, cell(title) * scale]);
    const sizes = [
      ["block_size", cell("block(KiB)") * 1024],
      ["transfer_size", cell("xfer(KiB)") * 1024],
    ] as const;
    this.#results.add(words[0]!, values, [...this.#options, ...sizes.filter(([, size]) => Number.isFinite(size))]);
  }
}

/** mdtest 1.8 to 4.0. */
export const mdtest = logImporter({
  name: "mdtest",
  synopsis: "mdtest (rates of file system operations)",
  marks: "`mdtest-… was launched with N total task(s)`, and a table after `SUMMARY`",
  metrics: [
    ...["max", "min", "mean"].map(perSecond),
    { name: "stddev", unit: "1/s" },
    ...["rank_max", "rank_min", "rank_mean"].map(perSecond),
  ],
  banner: /^mdtest-\S{1,30} was launched with \d/,
  reader: (results) => new MdtestReader(results),
});

const mdtestColumns = ["max", "min", "mean", "stddev"];
/** `mdtest` 3.4 and later with the rates of ranks in front. */
const mdtestRankColumns = ["rank_max", "rank_min", "rank_mean", ...mdtestColumns];

class MdtestReader implements LogReader {
  readonly #results: LogResults;
  #rows: AlignedRows;
  #isSummary = false;
  #parameters = new Map<string, Value>();

  constructor(results: LogResults) {
    this.#results = results;
    this.#rows = new AlignedRows(results);
  }

  line(text: string, isCut: boolean): void {
    const [, version, tasks, nodes] =
      /^mdtest-(\S{1,30}) was launched with (\d{1,9}) total task\(s\) on (\d{1,9}) node/.exec(text) ?? [];
    if (version !== undefined) {
      this.#results.fact("mdtest", version);
      this.#parameters = new Map([
        ["procs", Number(tasks)],
        ["nodes", Number(nodes)],
      ]);
    }
    const [, command] = /^Command line used: (\S.{0,2000})$/.exec(text) ?? [];
    if (command !== undefined) this.#parameters.set("options", optionsOf(command));
    const [, items] = /^\d{1,9} tasks, (\d{1,15}) (?:files|directories)/.exec(text) ?? [];
    if (items !== undefined) this.#parameters.set("items", Number(items));
    // A second table of times holds the reciprocal values.
    if (/^SUMMARY\b/.test(text))
      [this.#isSummary, this.#rows] = [!text.startsWith("SUMMARY time"), new AlignedRows(this.#results)];
    else if (text.startsWith("-- ")) this.#isSummary = false;
    else if (this.#isSummary) this.#row(text, isCut);
  }

  #row(text: string, isCut: boolean): void {
    const [, name, cells = ""] = /^\s{1,20}((?:Directory|File|Tree) [a-z]{1,20})\s{0,40}:?(\s.*)$/.exec(text) ?? [];
    if (name === undefined) return;
    const columns = wordsOf(cells).length > mdtestColumns.length ? mdtestRankColumns : mdtestColumns;
    const numbers = this.#rows.numbers(
      `0${" ".repeat(text.length - cells.length - 1)}${cells}`,
      columns.length + 1,
      isCut,
    );
    if (numbers === undefined) return;
    this.#results.add(
      name,
      columns.map((column, at) => [column, numbers[at + 1]!]),
      this.#parameters,
    );
  }
}

/** The options of a command without paths: they differ between runs of the same test. */
function optionsOf(command: string): string {
  const words = wordsOf(command).slice(1);
  return words
    .filter((word, at) => !word.includes("/") && !(/^-[a-zA-Z]$/.test(word) && words[at + 1]?.includes("/") === true))
    .join(" ");
}

/** Operations of iozone in the order of its columns. */
const iozoneColumns = (
  "write rewrite read reread random_read random_write bkwd_read record_rewrite stride_read fwrite frewrite fread " +
  "freread pwrite repwrite pread repread"
).split(" ");

/** Operations of the throughput mode (`-t`). */
const iozoneWorkers: ReadonlyMap<string, string> = new Map([
  ["initial writers", "write"],
  ["rewriters", "rewrite"],
  ["readers", "read"],
  ["re-readers", "reread"],
  ["reverse readers", "bkwd_read"],
  ["stride readers", "stride_read"],
  ["random readers", "random_read"],
  ["random writers", "random_write"],
  ["mixed workload", "mixed"],
  ["pwrite writers", "pwrite"],
  ["pread readers", "pread"],
  ["fwriters", "fwrite"],
  ["freaders", "fread"],
]);

/** iozone 3: the table of the automatic mode and of single sizes, and the throughput mode. */
export const iozone = logImporter({
  name: "iozone",
  synopsis: "iozone",
  marks: "a header `kB  reclen  write  rewrite …` and rows of numbers, or `Children see throughput for …`",
  metrics: [{ name: "throughput", unit: "Byte/s", better: "higher" }, perSecond("operations"), seconds("latency")],
  banner: /^\s{0,20}Iozone: Performance Test of File I\/O/,
  reader: (results) => new IozoneReader(results),
});

const workersLine = new RegExp(
  String.raw`^\s{0,20}Children see throughput for {1,9}(\d{1,9}) ([a-z][a-z -]{1,30}?)\s*=\s*` +
    String.raw`([\d.]{1,30}) (?:kB|KB|ops)\/sec`,
);

class IozoneReader implements LogReader {
  readonly #results: LogResults;
  #rows: AlignedRows;
  /** The positions at which the columns end, the first two for the sizes. */
  #ends: readonly number[] = [];
  #unit: readonly [metric: string, scale: number] = ["throughput", 1024];
  #sizes = new Map<string, Value>();

  constructor(results: LogResults) {
    this.#results = results;
    this.#rows = new AlignedRows(results);
  }

  line(text: string, isCut: boolean): void {
    this.#setting(text);
    if (/^\s{0,40}kB\s{1,20}reclen\s{1,20}\w/i.test(text)) {
      this.#ends = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => index + word.length);
      this.#rows = new AlignedRows(this.#results);
      return;
    }
    const [, count, what = "", rate = ""] = workersLine.exec(text) ?? [];
    const operation = iozoneWorkers.get(what.trim());
    if (count !== undefined && !isCut)
      this.#add(operation ?? what.replaceAll(" ", "_"), printedNumber(rate), [
        ...this.#sizes,
        ["procs", Number(count)],
      ]);
    else if (this.#ends.length > 0) this.#row(text, isCut);
  }

  #setting(text: string): void {
    const [, version] = /^\s{0,20}Version \$Revision: ([\d.]{1,20}) \$/.exec(text) ?? [];
    if (version !== undefined) {
      this.#results.fact("iozone", version);
      [this.#ends, this.#unit, this.#sizes] = [[], ["throughput", 1024], new Map()];
    }
    if (/^\s{0,20}Output is in op(?:eration)?s(?: per |\/)sec/i.test(text)) this.#unit = ["operations", 1];
    if (/^\s{0,20}(?:Output|Results) (?:is|are) in microseconds per op/i.test(text)) this.#unit = ["latency", 1e-6];
    const [, what, size] = /^\s{0,20}(File size set to|Record Size) (\d{1,15}) [kK]B/.exec(text) ?? [];
    if (what !== undefined) this.#sizes.set(what === "Record Size" ? "reclen" : "size", Number(size));
  }

  #row(text: string, isCut: boolean): void {
    const words = [...text.matchAll(/\S+/g)];
    if (words.length < 3 || words.length > this.#ends.length) return;
    // Without a row to compare with, a cut row looks like one with blank columns.
    const isFirst = isCut && this.#rows.isEmpty;
    if (isFirst && text.trimEnd().length < this.#ends.at(-1)!) return this.#results.warn("skipped an incomplete row");
    const numbers = this.#rows.numbers(text, words.length, isCut);
    if (numbers === undefined || !Number.isInteger(numbers[0])) return;
    const parameters = [
      ["size", numbers[0]!],
      ["reclen", numbers[1]!],
    ] as const;
    // Operations that were not run leave their column blank.
    const isFull = words.length === this.#ends.length;
    for (const [at, { 0: word, index }] of words.entries()) {
      if (at < 2) continue;
      const column = isFull ? at : nearestEnd(this.#ends, index + word.length);
      this.#add(iozoneColumns[column - 2] ?? `column_${column}`, numbers[at]!, parameters);
    }
  }

  #add(operation: string, value: number, parameters: Iterable<readonly [string, Value]>): void {
    const [metric, scale] = this.#unit;
    this.#results.add(operation, [[metric, value * scale]], parameters);
  }
}

/** The column whose end is nearest. */
function nearestEnd(ends: readonly number[], end: number): number {
  let best = 2;
  for (const [at, each] of ends.entries()) if (at >= 2 && Math.abs(each - end) < Math.abs(ends[best]! - end)) best = at;
  return best;
}
