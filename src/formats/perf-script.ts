import { Failure } from "../core/errors.ts";
import { readPerfFrame, type PerfFrame } from "./perf-frame.ts";
import { readPerfHeader, type PerfHeader } from "./perf-header.ts";
import { StackTable } from "./stack-table.ts";
import { LineSplitter } from "./text-lines.ts";

/** One sample. `stack` is a node of the reader's stacks; 0: none was recorded. */
export interface PerfSample extends PerfHeader {
  readonly stack: number;
}

/** What was read besides samples. */
export interface PerfScriptEnd {
  readonly samples: number;
  /** Events that the kernel had no room for. */
  readonly lost: number;
  /** Lines that are part of no sample. */
  readonly unreadable: number;
  /** The text ends within a sample, which was left out. */
  readonly isTruncated: boolean;
}

/** Pieces are looked at in slices, so that a line within one is never too long. */
const sliceSize = 1 << 18;

/** Characters of stacks whose nodes are remembered. */
const remembered = 1 << 25;

const tab = 0x09;

/** Instead of the number of a frame: the line is none. */
const notFrame = -1;

/** Instead of the number of a frame: the address 0, which follows where a chain of frame pointers breaks. */
const brokenChain = -2;

/** Longer stacks lose their outer calls: the kernel records 127 unless it is told otherwise. */
const deepest = 4096;

/**
 * Reads what `perf script` prints, in pieces, with any fields that have at least command, thread, and time or event. What stacks have in common is kept
 * once. Memory grows with the number of different stacks, not of samples.
 */
export class PerfScriptReader {
  readonly stacks: StackTable<PerfFrame>;
  readonly #take: (sample: PerfSample) => void;
  readonly #splitter = new LineSplitter();
  readonly #decoder = new TextDecoder();
  /** By line: the number of its frame, or what stands instead. */
  readonly #frames = new Map<string, number>();
  /** By lines of callers as they are printed: their node. Most stacks differ in the innermost call alone. */
  readonly #callers = new Map<string, number>();
  #room = remembered;
  #header: PerfHeader | null = null;
  readonly #calls: number[] = [];
  #endsWithNewline = true;
  #samples = 0;
  #lost = 0;
  #unreadable = 0;

  constructor(take: (sample: PerfSample) => void, stacks: StackTable<PerfFrame> = new StackTable()) {
    this.stacks = stacks;
    this.#take = take;
  }

  push(piece: Uint8Array): void {
    if (piece.length > 0) this.#endsWithNewline = piece.at(-1) === 0x0a;
    for (let at = 0; at < piece.length; at += sliceSize) this.#readBlock(this.#splitter.push(piece.subarray(at, at + sliceSize))?.bytes);
  }

  /** Ends the text. Fails with `not-perf-script`, naming `file`, when there are lines and none is of a sample. */
  end(file: string): PerfScriptEnd {
    const rest = this.#splitter.end()?.bytes;
    const line = rest && this.#decoder.decode(rest);
    const isTruncated = !this.#endsWithNewline && this.#header !== null && line !== undefined && !/\)\s*$/.test(line);
    if (isTruncated) this.#header = null;
    else this.#readBlock(rest);
    this.#finish();
    if (this.#samples === 0 && this.#unreadable > 0) throw new Failure("not-perf-script", { file });
    return { samples: this.#samples, lost: this.#lost, unreadable: this.#unreadable, isTruncated };
  }

  #readBlock(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) return;
    const text = this.#decoder.decode(bytes);
    let blank = 0;
    for (let start = 0, end = text.indexOf("\n"); end >= 0; start = end + 1, end = text.indexOf("\n", start)) {
      this.#readLine(text.slice(start, end));
      if (this.#header === null || text.charCodeAt(end + 1) !== tab || blank > end) continue;
      // Looked for once, so that a text without blank lines is not searched from every line on.
      blank = text.indexOf("\n\n", end + 1);
      if (blank < 0) blank = text.length;
      else if (this.#calls.length === 0 && this.#readStack(text.slice(end + 1, blank))) end = blank + 1;
    }
  }

  /** Reads all lines of a stack at once; false: one of them is no frame, and nothing was read. */
  #readStack(lines: string): boolean {
    const first = lines.indexOf("\n");
    const callers = first < 0 ? 0 : this.#callersOf(lines.slice(first + 1));
    const call = this.#frameNumber(first < 0 ? lines : lines.slice(0, first));
    if (callers < 0 || call === notFrame) return false;
    this.#deliver(call === brokenChain ? callers : this.stacks.called(callers, call));
    return true;
  }

  #callersOf(lines: string): number {
    const known = this.#callers.get(lines);
    if (known !== undefined) return known;
    const numbers = lines
      .split("\n")
      .slice(0, deepest - 1)
      .map((line) => this.#frameNumber(line));
    if (numbers.includes(notFrame)) return -1;
    const node = this.#nodeOf(numbers.filter((number) => number !== brokenChain));
    this.#room -= lines.length;
    if (this.#room > 0) this.#callers.set(copyOf(lines), node);
    return node;
  }

  #readLine(line: string): void {
    const first = line.charCodeAt(0);
    const isTabbed = first === tab;
    if (isTabbed && this.#header !== null && this.#readFrame(line)) return;
    if (line.trim() === "") this.#finish();
    else if (first === 0x23 && this.#header === null) return;
    else if (!this.#readHeader(line) && !(first === 0x20 && this.#header !== null && this.#readFrame(line))) this.#unreadable++;
  }

  #readHeader(line: string): boolean {
    const header = readPerfHeader(line);
    if (header === null) return false;
    this.#finish();
    const other = /^PERF_RECORD_(?:LOST\w* lost (\d{1,15}))?/.exec(header.rest);
    if (other === null) this.#header = header;
    else this.#lost += Number(other[1] ?? 0);
    return true;
  }

  #readFrame(line: string): boolean {
    const number = this.#frameNumber(line);
    if (number >= 0 && this.#calls.length < deepest) this.#calls.push(number);
    return number !== notFrame;
  }

  #frameNumber(line: string): number {
    let number = this.#frames.get(line);
    if (number === undefined) this.#frames.set(copyOf(line), (number = this.#newFrame(line)));
    return number;
  }

  #newFrame(line: string): number {
    if (/^\s*0\s+\[unknown\]/.test(line)) return brokenChain;
    const frame = readPerfFrame(line);
    if (frame === null) return notFrame;
    const key = `${frame.symbol ?? ""}\n${frame.module ?? ""}\n${frame.isInlined}`;
    return this.stacks.frame(key, () => frame);
  }

  #finish(): void {
    if (this.#header === null) return;
    const { rest } = this.#header;
    if (this.#calls.length === 0 && /^[0-9a-f]{5,16}\s/.test(rest)) this.#readFrame(rest);
    this.#deliver(this.#nodeOf(this.#calls));
  }

  /** The node of a stack whose calls are given inner first. */
  #nodeOf(calls: readonly number[]): number {
    return calls.reduceRight((caller, call) => this.stacks.called(caller, call), 0);
  }

  #deliver(stack: number): void {
    const header = this.#header;
    if (header === null) return;
    this.#calls.length = 0;
    this.#header = null;
    this.#samples++;
    this.#take({ ...header, stack });
  }
}

/** A slice would keep the whole text it was cut from. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
