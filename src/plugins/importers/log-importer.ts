import type { ReportMetric } from "../../core/measurements/index.ts";
import type { Value } from "../../core/values/index.ts";
import { RepeatedResults, reportLines } from "../../formats/benchmarks/index.ts";
import { printedNumber } from "../../formats/text/index.ts";
import type { Importer } from "./importer.ts";
import { reportImporter } from "./report-importer.ts";

/** A program whose results are lines of its output, which may stand anywhere in the log of a job. */
export interface LogFormat {
  readonly name: string;
  readonly synopsis: string;
  readonly marks: string;
  /** Metrics in display order; others follow in the order of the log. */
  readonly metrics: readonly ReportMetric[];
  /** A line that only this program prints: its output is recognised although the results are far below. */
  readonly banner?: RegExp;
  /** Confidence for a head with results; 0.95 unless another format's results contain these. */
  readonly sure?: number;
  /** A reader of one log. */
  reader(results: LogResults): LogReader;
}

/** Takes the lines of a log in order. */
export interface LogReader {
  /** `isCut`: the line is the last one and has no line end, as if the job was stopped while it wrote the line. */
  line(text: string, isCut: boolean): void;
  end?(): void;
}

const mostFactText = 200;

export type Parameters = Iterable<readonly [string, Value | undefined]>;

/** The results of a log. */
export class LogResults {
  readonly #results = new RepeatedResults();
  readonly #metrics: Map<string, ReportMetric>;
  readonly #facts = new Map<string, Value>();
  readonly #notices = new Map<string, { readonly first: number; times: number }>();
  #line = 0;
  #count = 0;

  constructor(metrics: readonly ReportMetric[]) {
    this.#metrics = new Map(metrics.map((metric) => [metric.name, metric]));
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a result; NaN and undefined are missing. Equal benchmarks with equal parameters are samples. */
  add(benchmark: string, values: Iterable<readonly [string, number]>, parameters: Parameters = []): void {
    const kept = [...values].filter(([, value]) => Number.isFinite(value));
    if (kept.length === 0) return;
    this.#count += 1;
    this.#results.add(benchmark, kept, present(parameters));
  }

  /** Declares a metric that depends on the log. */
  metric(metric: ReportMetric): void {
    if (!this.#metrics.has(metric.name)) this.#metrics.set(metric.name, metric);
  }

  /** A value of the whole log, such as the version of the program; several are joined by commas. */
  fact(name: string, value: string | number): void {
    if (value === "") return;
    const known = this.#facts.get(name);
    if (known === undefined) this.#facts.set(name, value);
    // Runs of several versions in one log.
    else if (!String(known).split(", ").includes(String(value)) && String(known).length < mostFactText)
      this.#facts.set(name, `${String(known)}, ${value}`);
  }

  /** Warns about the current line, once for all lines with this problem. */
  warn(problem: string): void {
    const known = this.#notices.get(problem) ?? { first: this.#line, times: 0 };
    known.times += 1;
    this.#notices.set(problem, known);
  }

  /** Reads all lines. Tags of MPI launchers and terminal titles are removed. */
  read(reader: LogReader, bytes: Uint8Array): void {
    const isEnded = bytes.at(-1) === 0x0a;
    let last: string | undefined;
    for (const text of reportLines(bytes)) {
      if (last !== undefined) this.#next(reader, last, false);
      last = text;
    }
    if (last !== undefined) this.#next(reader, last, !isEnded);
    reader.end?.();
  }

  report(): ReturnType<RepeatedResults["report"]> {
    const notices = [...this.#notices].map(([problem, { first, times }]) =>
      times > 1 ? `${problem}: line ${first} and ${times - 1} more` : `${problem}: line ${first}`,
    );
    const report = this.#results.report([...this.#metrics.values()], { facts: this.#facts });
    return notices.length === 0 ? report : { ...report, notices };
  }

  #next(reader: LogReader, text: string, isCut: boolean): void {
    this.#line += 1;
    reader.line(plainLine(text), isCut);
  }
}

function present(parameters: Parameters): Map<string, Value> {
  return new Map([...parameters].filter((each): each is readonly [string, Value] => each[1] !== undefined));
}

/** Operating system commands of terminals (ECMA-48, 8.3.89), such as a window title before a prompt. */
// oxlint-disable-next-line no-control-regex -- matches control characters
const systemCommand = /\u001b\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)/g;

/** `mpirun --tag-output` of Open MPI 1 to 4 (`[1,0]<stdout>:`) and 5 (`[job,0][0]<stdout>: `). */
const launcherTag = /^\[[\w.@-]{1,60},\d{1,7}\](?:\[\d{1,7}\])?<std(?:out|err)>: ?/;

function plainLine(text: string): string {
  const plain = text.includes("\u001b") ? text.replace(systemCommand, "") : text;
  return plain.startsWith("[") ? plain.replace(launcherTag, "") : plain;
}

/** Makes an importer of a format that is found amid other lines. */
export function logImporter(format: LogFormat): Importer {
  const { name, synopsis, marks, banner, sure = 0.95 } = format;
  return reportImporter({
    name,
    synopsis,
    marks,
    sniff(head) {
      const results = resultsOf(format, head);
      if (results.count > 0) return sure;
      if (banner === undefined) return 0;
      return [...reportLines(head)].some((line) => banner.test(line)) ? sure - 0.15 : 0;
    },
    reports: (bytes) => [resultsOf(format, bytes).report()],
  });
}

function resultsOf(format: LogFormat, bytes: Uint8Array): LogResults {
  const results = new LogResults(format.metrics);
  results.read(format.reader(results), bytes);
  return results;
}

/** The words of a line. */
export function wordsOf(line: string): string[] {
  const text = line.trim();
  return text === "" ? [] : text.split(/\s+/);
}

const missing = /^(?:-{1,3}|NA|N\/A|-?nan|-?inf|\*+)$/i;

/**
 * The numbers of words; NaN where the program prints that there is none (`-`, `NA`, `****`). Undefined if any word is
 * something else.
 */
export function numbersOf(words: readonly string[]): number[] | undefined {
  const numbers = words.map((word) => (missing.test(word) ? Number.NaN : number(word)));
  return numbers.includes(undefined) ? undefined : (numbers as number[]);
}

function number(word: string): number | undefined {
  const value = printedNumber(word);
  return Number.isNaN(value) ? undefined : value;
}

/**
 * Rows of a table with aligned columns. The last line of a log that has no line end is incomplete if it is shorter than
 * the row before it: a cut number looks like a number.
 */
export class AlignedRows {
  readonly #results: LogResults;
  #length = 0;

  constructor(results: LogResults) {
    this.#results = results;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /**
   * The numbers of a row with `count` of them. Undefined for another line; warns if it begins as a row does.
   */
  numbers(line: string, count: number, isCut: boolean): number[] | undefined {
    const words = wordsOf(line);
    const numbers = words.length === count ? numbersOf(words) : undefined;
    const isWhole = !isCut || line.length >= this.#length;
    if (numbers !== undefined && isWhole) {
      this.#length = line.length;
      return numbers;
    }
    const [first = ""] = words;
    if (/^\d+(?:\.\d+)?$/.test(first) && (numbers !== undefined || isCut || isBroken(words)))
      this.#results.warn("skipped an incomplete row");
    return undefined;
  }
}

/** Numbers, with other words at most after the second of them: a row into which another process wrote. */
function isBroken(words: readonly string[]): boolean {
  return words.length > 1 && numbersOf(words.slice(0, 2)) !== undefined;
}
