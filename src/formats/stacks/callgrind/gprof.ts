import { Failure } from "../../../core/failures/index.ts";
import { StackSamples, type StackFrame, type StackProfile, StackTable } from "../../../core/profiles/index.ts";
import { textLineLists } from "../../text/index.ts";

/** Longer lines are not of gprof. */
const maxLine = 20_000;

/** Percentage, cumulative and self seconds; calls and the times per call, if they are known; name. */
const flatRow = /^ *(?:[\d.]+|-?nan) +[\d.]+ +(\d+\.\d+) +(?:(\d+) +(?:[\d.]+|-?nan) +(?:[\d.]+|-?nan) +)?([^\s\d].*)$/;

/** Index, percentage, self and children's seconds, calls and recursive calls, name and index. */
const graphRow = /^\[\d+\] +[\d.]+ +(\d+\.\d+) +\d+\.\d+ +(?:(\d+)(?:\+(\d+))? +)?([^\s\d].*) \[\d+\]$/;

/**
 * Reads the text of gprof (https://sourceware.org/binutils/docs/gprof/Output.html, layout of binutils 2.40): the self
 * time in microseconds and the number of calls of each function, from the flat profile, else from the call graph.
 * gprof measures no stacks, so each stack is a single function. Fails with `bad-stack-profile`, `no-stacks`.
 */
export async function readGprof(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const reader = new GprofReader(file);
  for await (const lines of textLineLists(source)) for (const line of lines) reader.take(line.trimEnd());
  return reader.end();
}

class GprofReader {
  readonly #file: string;
  readonly #stacks = new StackTable<StackFrame>();
  readonly #samples = new StackSamples(2);
  #line = 0;
  #part: "none" | "flat" | "flat-rows" | "graph" = "none";
  #hasFlat = false;

  constructor(file: string) {
    this.#file = file;
  }

  take(line: string): void {
    this.#line++;
    if (line.length > maxLine) throw this.#bad("the line is too long");
    if (/^\f?Flat profile:/.test(line)) this.#begin();
    else if (/^\f?\s*Call graph\b/.test(line)) this.#part = "graph";
    else if (this.#part === "flat" && /^ *time +seconds +seconds .*name$/.test(line)) this.#part = "flat-rows";
    else if (this.#part === "flat-rows") this.#takeFlat(line);
    else if (this.#part === "graph" && !this.#hasFlat && line.startsWith("[")) this.#takeGraph(line);
  }

  end(): StackProfile {
    if (this.#samples.length === 0) throw new Failure("no-stacks", { file: this.#file, what: "gprof" });
    const types = [
      { name: "time", unit: "microseconds" },
      { name: "calls", unit: "count" },
    ];
    return { stacks: this.#stacks, types, main: 0, samples: this.#samples, facts: {} };
  }

  #begin(): void {
    if (this.#hasFlat || this.#samples.length > 0) throw this.#bad("it has several profiles");
    this.#hasFlat = true;
    this.#part = "flat";
  }

  #takeFlat(line: string): void {
    if (line === "" || line.startsWith("\f")) {
      this.#part = "none";
      return;
    }
    const [, self = "", calls = "0", name = ""] = flatRow.exec(line) ?? [];
    if (name === "") throw this.#bad("the row of the flat profile is invalid");
    this.#add(name, self, this.#count(calls));
  }

  /** The totals of a cycle repeat those of its functions. */
  #takeGraph(line: string): void {
    if (/ <cycle \d+ as a whole>/.test(line)) return;
    const [, self = "", calls = "0", recursive = "0", name = ""] = graphRow.exec(line) ?? [];
    if (name === "") throw this.#bad("the row of the call graph is invalid");
    this.#add(name, self, this.#count(calls) + this.#count(recursive));
  }

  #add(text: string, seconds: string, calls: number): void {
    const name = text.replace(/ \[\d+\]$/, "").replace(/ <cycle \d+>$/, "");
    const time = Math.round(Number(seconds) * 1e6);
    if (!Number.isSafeInteger(time)) throw this.#bad(`'${seconds.slice(0, 40)}' is not a time`);
    const frame = this.#stacks.frame(name, () => ({ function: name }));
    const row = this.#samples.row(this.#stacks.called(0, frame));
    this.#samples.addTo(row, 0, time);
    this.#samples.addTo(row, 1, calls);
  }

  #count(text: string): number {
    const count = Number(text);
    if (!Number.isSafeInteger(count)) throw this.#bad(`'${text.slice(0, 40)}' is not a number of calls`);
    return count;
  }

  #bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: `${this.#file}:${this.#line}`, format: "gprof", reason });
  }
}
