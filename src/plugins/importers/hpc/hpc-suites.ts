import type { ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { reportUnit, toBaseUnit, type ReportUnit } from "../../../formats/benchmarks/index.ts";
import { printedNumber, scaledNumber } from "../../../formats/text/index.ts";
import { logImporter, numbersOf, type LogReader, type LogResults } from "../log-importer.ts";

const flopRate = (name: string): ReportMetric => ({ name, unit: "FlOP/s", better: "higher" });

/** Figures of a report of HPCG by section and key: the metric and a power of ten. */
const hpcgMetrics: ReadonlyMap<string, readonly [name: string, exponent: number]> = new Map([
  ["GFLOP/s Summary::Raw DDOT", ["raw_ddot", 9]],
  ["GFLOP/s Summary::Raw WAXPBY", ["raw_waxpby", 9]],
  ["GFLOP/s Summary::Raw SpMV", ["raw_spmv", 9]],
  ["GFLOP/s Summary::Raw MG", ["raw_mg", 9]],
  ["GFLOP/s Summary::Raw Total", ["raw_total", 9]],
  ["GB/s Summary::Raw Total B/W", ["bandwidth", 9]],
  ["Benchmark Time Summary::Total", ["time", 0]],
]);

const hpcgParameters: ReadonlyMap<string, string> = new Map([
  ["Machine Summary::Distributed Processes", "procs"],
  ["Machine Summary::Threads per processes", "threads"],
  ["Local Domain Dimensions::nx", "nx"],
  ["Local Domain Dimensions::ny", "ny"],
  ["Local Domain Dimensions::nz", "nz"],
]);

/** Sections of a report. Other lines that end with a colon come from other programs and start none. */
const hpcgSections = new RegExp(
  "^(Machine Summary|Global Problem Dimensions|Processor Dimensions|Local Domain Dimensions|Setup Information|" +
    "Linear System Information|Multigrid Information|Memory Use Information|Spectral Convergence Tests|" +
    "Iteration Count Information|Reproducibility Information|Benchmark Time Summary|GB/s Summary|GFLOP/s Summary|" +
    "Floating Point Operations Summary|User Optimization Overheads|DDOT Timing Variations|" +
    "Departure from Symmetry.{0,80}|[_ ]{1,20}Final Summary[_ ]{1,20}): ?$",
);

/** HPCG 2.4 to 3.1 and optimised builds: the YAML of 2.4 and 3.0, and the text `section::key=value` of 3.1. */
export const hpcg = logImporter({
  name: "hpcg",
  synopsis: "High Performance Conjugate Gradient benchmark (xhpcg)",
  marks: "`HPCG result is VALID with a GFLOP/s rating of` after `GFLOP/s Summary`",
  metrics: [
    flopRate("gflops"),
    ...["raw_ddot", "raw_waxpby", "raw_spmv", "raw_mg", "raw_total"].map(flopRate),
    { name: "bandwidth", unit: "Byte/s", better: "higher" },
    { name: "time", unit: "s", better: "lower" },
  ],
  banner: /^HPCG-Benchmark(?:$| version: | \d)/,
  reader: (results) => new HpcgReader(results),
});

class HpcgReader implements LogReader {
  readonly #results: LogResults;
  #section = "";
  #values = new Map<string, number>();
  #parameters = new Map<string, Value>();
  /** A rating on standard output, where the report itself is not in the log. */
  #printed: number | undefined;
  #hasReport = false;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(raw: string, isCut: boolean): void {
    const text = raw.trimEnd();
    const [, version] = /^(?:HPCG-Benchmark version: |version=)V?(\d[\w.]{0,20})/.exec(text) ?? [];
    if (version !== undefined) {
      this.#finish();
      this.#hasReport = true;
      this.#results.fact("hpcg", version);
    }
    const [, printed] = /^HPCG result is VALID with a GFLOP\/s rating of:? ?([\d.e+-]{1,30})$/.exec(text) ?? [];
    if (printed !== undefined && !isCut) this.#printed = scaledNumber(printed, 9);
    if (/HPCG result is INVALID/.test(text)) this.#results.warn("a run of HPCG is not valid");
    const [, section] = hpcgSections.exec(raw) ?? [];
    if (section !== undefined) this.#section = section;
    else if (!isCut) this.#entry(text);
  }

  end(): void {
    this.#finish();
    if (!this.#hasReport && this.#printed !== undefined) this.#results.add("HPCG", [["gflops", this.#printed]]);
  }

  #entry(text: string): void {
    const [, path, old, key = path, value = old] =
      /^(?:(.{1,200})=(\S{1,40})|\s{1,20}(\S.{0,120}): (\S{1,40}))$/.exec(text) ?? [];
    if (key === undefined || value === undefined) return;
    const name = path === undefined ? `${this.#section}::${key}` : key.trim();
    const [metric, exponent = 0] = hpcgMetrics.get(name) ?? [];
    if (metric !== undefined) this.#values.set(metric, scaledNumber(value, exponent));
    const parameter = hpcgParameters.get(name);
    if (parameter !== undefined && numbersOf([value])) this.#parameters.set(parameter, printedNumber(value));
    if (name.endsWith("HPCG result is VALID with a GFLOP/s rating of"))
      this.#values.set("gflops", scaledNumber(value, 9));
  }

  /** A run without a rating is cut, or not valid. */
  #finish(): void {
    if (this.#values.has("gflops")) this.#results.add("HPCG", this.#values, this.#parameters);
    else if (this.#values.size > 0) this.#results.warn("skipped a run of HPCG without a rating");
    [this.#values, this.#parameters, this.#section] = [new Map(), new Map(), ""];
  }
}

/** Endings of names in the summary of HPCC: unit, power of ten, direction. */
const hpccUnits: readonly (readonly [RegExp, string, number, "lower" | "higher"])[] = [
  [/_Tflops$/, "FlOP/s", 12, "higher"],
  [/_Gflops$/, "FlOP/s", 9, "higher"],
  [/_(?:GBs|GBytes)$/, "Byte/s", 9, "higher"],
  [/STREAM_(?:Copy|Scale|Add|Triad)$/, "Byte/s", 9, "higher"],
  [/_GUPs$/, "UP/s", 9, "higher"],
  [/_usec$/, "s", -6, "lower"],
  [/_(?:time|CheckTime)$/, "s", 0, "lower"],
];

/** Settings that make runs comparable. */
const hpccParameters: ReadonlyMap<string, string> = new Map([
  ["CommWorldProcs", "procs"],
  ["HPL_N", "HPL_N"],
  ["HPL_NB", "HPL_NB"],
  ["HPL_nprow", "HPL_nprow"],
  ["HPL_npcol", "HPL_npcol"],
  ["STREAM_Threads", "threads"],
]);

/** The HPC Challenge 1.0 to 1.5: the figures of its summary. */
export const hpcc = logImporter({
  name: "hpcc",
  synopsis: "HPC Challenge (hpccoutf.txt)",
  marks: "`Begin of Summary section.` and `name=value`, or the banner `DARPA/DOE HPC Challenge Benchmark`",
  metrics: [],
  banner: /^This is the DARPA\/DOE HPC Challenge Benchmark version/,
  sure: 1,
  reader: (results) => new HpccReader(results),
});

interface HpccRun {
  readonly values: Map<string, number>;
  readonly parameters: Map<string, Value>;
}

class HpccReader implements LogReader {
  readonly #results: LogResults;
  #run: HpccRun | undefined;

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(raw: string, isCut: boolean): void {
    const text = raw.trim();
    const [, version] = /^This is the DARPA\/DOE HPC Challenge Benchmark version (\d[\w.]{0,20})/.exec(text) ?? [];
    if (version !== undefined) this.#results.fact("hpcc", version);
    if (text === "Begin of Summary section.") {
      this.#finish();
      this.#run = { values: new Map(), parameters: new Map() };
    } else if (text === "End of Summary section.") this.#finish(true);
    else if (this.#run !== undefined && !isCut) this.#entry(this.#run, text);
  }

  end(): void {
    this.#finish();
  }

  #entry({ values, parameters }: HpccRun, text: string): void {
    const [, name = "", value = ""] = /^([A-Za-z]\w{0,60})=(\S{1,40})$/.exec(text) ?? [];
    const parameter = hpccParameters.get(name);
    if (parameter !== undefined && numbersOf([value])) parameters.set(parameter, printedNumber(value));
    if (name === "Success" && value !== "1") this.#results.warn("a run of HPCC did not pass its checks");
    const [, unit, exponent = 0, better] = hpccUnits.find(([ending]) => ending.test(name)) ?? [];
    if (unit === undefined) return;
    // -1 stands for a benchmark that was not run.
    const number = scaledNumber(value, exponent);
    if (!(number >= 0)) return;
    this.#results.metric({ name, unit, better: better! });
    values.set(name, number);
  }

  #finish(isWhole = false): void {
    if (this.#run === undefined) return;
    if (!isWhole) this.#results.warn("the summary of a run of HPCC has no end");
    this.#results.add("HPCC", this.#run.values, this.#run.parameters);
    this.#run = undefined;
  }
}

/** JUBE 2: result tables of the style `pretty`, which `jube result` prints and stores in result/*.dat. */
export const jube = logImporter({
  name: "jube",
  synopsis: "JUBE (jube result, style pretty)",
  marks: "a line `NAME:`, then a table `| a | b[s] |` with a line of dashes below its header",
  metrics: [],
  sure: 0.9,
  reader: (results) => new JubeReader(results),
});

interface Column {
  readonly title: string;
  /** A number that was measured: with a unit, or with a point. */
  readonly unit: ReportUnit | undefined;
}

class JubeReader implements LogReader {
  readonly #results: LogResults;
  #name = "";
  #before = "";
  #columns: readonly Column[] | undefined;
  #rows: (readonly string[])[] = [];

  constructor(results: LogResults) {
    this.#results = results;
  }

  line(raw: string, isCut: boolean): void {
    const text = raw.trim();
    const [, name] = /^([A-Za-z][\w .-]{0,100}):$/.exec(text) ?? [];
    if (name !== undefined) {
      this.end();
      [this.#name, this.#before] = [name, ""];
    } else if (this.#name !== "") this.#tableLine(text, isCut);
  }

  #tableLine(text: string, isCut: boolean): void {
    const isTable = text.startsWith("|") && text.endsWith("|") && text.length > 1;
    if (this.#columns === undefined && isTable && this.#before === "") this.#before = text;
    else if (this.#columns === undefined && isTable && /^[|:+-]{3,10000}$/.test(text)) this.#head(text);
    else if (this.#columns !== undefined && isTable && !isCut) this.#row(cellsOf(text));
    else if (this.#columns === undefined || text === "") this.end();
    else if (text.startsWith("|")) this.#results.warn("skipped an incomplete row");
  }

  end(): void {
    this.#addRows();
    [this.#name, this.#before, this.#columns, this.#rows] = ["", "", undefined, []];
  }

  #head(dashes: string): void {
    const cells = cellsOf(this.#before);
    if (cells.length !== cellsOf(dashes.replaceAll("+", "|")).length) return this.end();
    this.#columns = cells.map((cell) => {
      const [, title = cell, unit] = /^(.{1,100}?) ?\[([^[\]]{1,40})\]$/.exec(cell) ?? [];
      return { title, unit: unit === undefined ? undefined : reportUnit(unit) };
    });
  }

  #row(cells: readonly string[]): void {
    if (cells.length === this.#columns!.length) this.#rows.push(cells);
    else this.#results.warn("skipped an incomplete row");
  }

  #addRows(): void {
    const columns = this.#columns ?? [];
    const isResult = columns.map(({ unit }, at) => this.#isResult(unit, at));
    if (!isResult.includes(true)) return;
    for (const [at, { title, unit }] of columns.entries())
      if (isResult[at] === true) this.#results.metric(metricOf(title, unit));
    for (const cells of this.#rows) {
      const values = columns.flatMap(({ title, unit }, at): [string, number][] => {
        const number = printedNumber(cells[at]!);
        return isResult[at] === true ? [[title, unit === undefined ? number : toBaseUnit(number, unit)]] : [];
      });
      const parameters = columns.flatMap(({ title }, at): [string, Value][] =>
        isResult[at] === true || cells[at] === "" ? [] : [[title, parameterOf(cells[at]!)]],
      );
      this.#results.add(this.#name, values, parameters);
    }
  }

  /** Columns of numbers with a unit or a point are results; whole numbers without a unit are parameters. */
  #isResult(unit: ReportUnit | undefined, at: number): boolean {
    const cells = this.#rows.map((row) => row[at]!).filter((cell) => cell !== "");
    const isNumeric = cells.length > 0 && cells.every((cell) => !Number.isNaN(printedNumber(cell)));
    return isNumeric && (unit !== undefined || cells.some((cell) => !/^-?\d{1,15}$/.test(cell)));
  }
}

function cellsOf(text: string): string[] {
  return text
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

function metricOf(name: string, unit: ReportUnit | undefined): ReportMetric {
  if (unit === undefined || unit.unit === "") return { name };
  if (unit.unit === "s") return { name, unit: "s", better: "lower" };
  return unit.unit.endsWith("/s") ? { name, unit: unit.unit, better: "higher" } : { name, unit: unit.unit };
}

function parameterOf(text: string): Value {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
