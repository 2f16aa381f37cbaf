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
  /** By line: the frame it stands for; -1: it is none. */
  readonly #frames = new Map<string, number>();
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
    for (let start = 0, end = text.indexOf("\n"); end >= 0; start = end + 1, end = text.indexOf("\n", start))
      this.#readLine(text.slice(start, end));
  }

  #readLine(line: string): void {
    const first = line.charCodeAt(0);
    const isTabbed = first === 0x09;
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
    let number = this.#frames.get(line);
    if (number === undefined) {
      // A slice would keep the whole block it was cut from.
      const copy = ` ${line}`.slice(1);
      this.#frames.set(copy, (number = this.#frameOf(copy)));
    }
    if (number >= 0 && this.#calls.length < deepest) this.#calls.push(number);
    return number !== -1;
  }

  #frameOf(line: string): number {
    // Where a chain of frame pointers breaks, an address 0 follows.
    if (/^\s*0\s+\[unknown\]/.test(line)) return -2;
    const frame = readPerfFrame(line);
    if (frame === null) return -1;
    const key = `${frame.symbol ?? ""}\n${frame.module ?? ""}\n${frame.isInlined}`;
    return this.stacks.frame(key, () => frame);
  }

  #finish(): void {
    const header = this.#header;
    if (header === null) return;
    if (this.#calls.length === 0 && /^[0-9a-f]{5,16}\s/.test(header.rest)) this.#readFrame(header.rest);
    let stack = 0;
    for (let at = this.#calls.length - 1; at >= 0; at--) stack = this.stacks.called(stack, this.#calls[at]!);
    this.#calls.length = 0;
    this.#header = null;
    this.#samples++;
    this.#take({ ...header, stack });
  }
}
