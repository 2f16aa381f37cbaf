import type { ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { AlignedRows, logImporter, numbersOf, wordsOf, type LogReader, type LogResults } from "../log-importer.ts";

const time: ReportMetric = { name: "time", unit: "s", better: "lower" };
const gflops: ReportMetric = { name: "gflops", unit: "FlOP/s", better: "higher" };
const seconds = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });
const perSecond = (name: string): ReportMetric => ({ name, unit: "1/s", better: "higher" });

/** HPL 1 to 2.3, and the builds of Intel, AMD and NVIDIA, which print the same lines. */
export const hpl = logImporter({
  name: "hpl",
  synopsis: "High-Performance Linpack (xhpl)",
  marks: "lines `WR00L2L2 N NB P Q Time Gflops`",
  metrics: [time, gflops],
  banner: /^HPLinpack \d/,
  sure: 0.9,
  reader: (results) => new HplReader(results),
});

/** The variant, four integers, time and rate; NVIDIA appends the rate of one GPU in parentheses. */
const hplRow =
  /^(W[RC]?\d{1,3}[A-Z]\w{0,10})((?:\s+\d{1,12}){4})\s+([\d.eE+-]{1,30})\s+([\d.eE+-]{1,30})\s*(?:\(.{0,40})?$/;

class HplReader implements LogReader {
  readonly #results: LogResults;
  #length = 0;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string, isCut: boolean): void {
    const [, version] = /^HPLinpack (\d[\w.]{0,20})/.exec(text) ?? [];
    if (version !== undefined) this.#results.fact("hpl", version);
    // The rows are as long as their head.
    if (/^T\/V\s.*\sGflops/.test(text)) this.#length = text.trimEnd().length;
    const [, variant, sizes = "", seconds = "", rate = ""] = hplRow.exec(text) ?? [];
    if (/\.{3,9} ?FAILED/.test(text)) this.#results.warn("a result failed the check of its residual");
    if (variant === undefined) {
      if (/^W[RC]\d\d[A-Z]\d[A-Z]\d\s/.test(text)) this.#results.warn("skipped an incomplete row");
      return;
    }
    if (isCut && text.length < this.#length) return this.#results.warn("skipped an incomplete row");
    const values: [string, number][] = [
      ["time", printedNumber(seconds)],
      ["gflops", scaledNumber(rate, 9)],
    ];
    const numbers = wordsOf(sizes).map(Number);
    const names = ["N", "NB", "P", "Q"];
    const parameters = names.map((name, at): [string, Value] => [name, numbers[at]!]);
    this.#results.add("HPL", values, [...parameters, ["variant", variant]]);
  }
}

/** STREAM 4 to 5.10 in C and Fortran. */
export const stream = logImporter({
  name: "stream",
  synopsis: "STREAM (memory bandwidth)",
  marks: "a header `Function  Best Rate MB/s  Avg time …` and lines `Copy:`, `Scale:`, `Add:`, `Triad:`",
  metrics: [
    { name: "bandwidth", unit: "Byte/s", better: "higher" },
    ...["avg_time", "rms_time", "min_time", "max_time"].map(seconds),
  ],
  reader: (results) => new StreamReader(results),
});

class StreamReader implements LogReader {
  readonly #results: LogResults;
  readonly #rows: AlignedRows;
  #parameters = new Map<string, Value>();
  #columns: readonly string[] = [];

  constructor(results: LogResults) {
    this.#results = results;
    this.#rows = new AlignedRows(results);
  }

  line(raw: string, isCut: boolean): void {
    const text = raw.trimStart();
    const [, version] = /^STREAM version (?:\$Revision: )?([\d.]{1,20})/i.exec(text) ?? [];
    if (version !== undefined) {
      this.#results.fact("stream", version);
      [this.#parameters, this.#columns] = [new Map(), []];
    }
    this.#setting(text);
    if (/^Function\s+(?:Best )?Rate \(?MB\/s\)?\s/.test(text))
      this.#columns = [
        "bandwidth",
        ...[...text.matchAll(/\b(Avg|RMS|Min|Max) time/gi)].map(([, which]) => `${which!.toLowerCase()}_time`),
      ];
    else if (/^Function\s/.test(text)) this.#columns = [];
    const [, name, cells = ""] = /^(Copy|Scale|Add|Triad|Dot|Fill):?(\s.*)$/.exec(text) ?? [];
    if (name === undefined || this.#columns.length === 0) return;
    // The name stands for a number, so that the length of rows can be compared.
    const numbers = this.#rows.numbers(`0${" ".repeat(name.length)}${cells}`, this.#columns.length + 1, isCut);
    if (numbers === undefined) return;
    const values = this.#columns.map((column, at): [string, number] => [
      column,
      column === "bandwidth" ? Number((numbers[at + 1]! * 1e6).toPrecision(15)) : numbers[at + 1]!,
    ]);
    this.#results.add(name, values, this.#parameters);
  }

  #setting(text: string): void {
    const [, size] = /^Array size\s*=\s*(\d{1,15})\b/.exec(text) ?? [];
    if (size !== undefined) this.#parameters.set("array_size", Number(size));
    const [, which, threads] = /^Number of Threads (requested|counted)\s*=\s*(\d{1,9})\b/.exec(text) ?? [];
    if (threads !== undefined && (which === "counted" || !this.#parameters.has("threads")))
      this.#parameters.set("threads", Number(threads));
    if (/^Failed Validation/i.test(text)) this.#results.warn("the solution of a run is not valid");
  }
}

/** The NAS Parallel Benchmarks 2 to 3.4: serial, OpenMP, MPI and multi-zone. */
export const npb = logImporter({
  name: "npb",
  synopsis: "NAS Parallel Benchmarks (bt, cg, ep, ft, is, lu, mg, sp, ua, dc)",
  marks: "a line `CG Benchmark Completed`, then `Class =`, `Time in seconds =`, `Mop/s total =`",
  metrics: [time, perSecond("mops"), perSecond("mops_per_thread"), perSecond("mops_per_process")],
  reader: (results) => new NpbReader(results),
});

const npbMetrics: ReadonlyMap<string, readonly [name: string, exponent: number]> = new Map([
  ["Time in seconds", ["time", 0]],
  ["Mop/s total", ["mops", 6]],
  ["Mop/s/thread", ["mops_per_thread", 6]],
  ["Mop/s/process", ["mops_per_process", 6]],
]);

const npbParameters: ReadonlyMap<string, string> = new Map([
  ["Total threads", "threads"],
  ["Total processes", "procs"],
  ["Number of processes", "procs"],
]);

class NpbReader implements LogReader {
  readonly #results: LogResults;
  #run:
    | { readonly name: string; readonly values: Map<string, number>; readonly parameters: Map<string, Value> }
    | undefined;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(text: string): void {
    const [, name] = /^\s{0,9}([A-Z]{2}(?:-MZ)?) Benchmark Completed\b/.exec(text) ?? [];
    if (name !== undefined) {
      this.#drop();
      this.#run = { name, values: new Map(), parameters: new Map() };
    }
    const [, key = "", value = ""] = /^\s{0,9}(\S[^=]{0,40}?)\s*=\s*(\S.{0,60}?)\s*$/.exec(text) ?? [];
    if (key === "Version" && this.#results.count > 0) this.#results.fact("npb", value);
    if (this.#run === undefined || value === "") return;
    const { values, parameters } = this.#run;
    const [metric, exponent = 0] = npbMetrics.get(key) ?? [];
    if (metric !== undefined) values.set(metric, scaledNumber(value, exponent));
    if (key === "Class") parameters.set("class", value);
    const parameter = npbParameters.get(key);
    if (parameter !== undefined && numbersOf([value])) parameters.set(parameter, printedNumber(value));
    if (key === "Verification") this.#finish(value);
  }

  end(): void {
    this.#drop();
  }

  /** The verification follows all figures, so a run without it is cut. */
  #finish(verification: string): void {
    const { name, values, parameters } = this.#run!;
    this.#run = undefined;
    if (verification !== "SUCCESSFUL") this.#results.warn(`a run has the verification ${verification}`);
    this.#results.add(name, values, parameters);
  }

  #drop(): void {
    if (this.#run !== undefined) this.#results.warn("skipped an incomplete run");
    this.#run = undefined;
  }
}
