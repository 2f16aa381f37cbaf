import { Failure } from "../../../core/failures/index.ts";
import { StackTable } from "../../../core/profiles/index.ts";
import { ByteRanges, hashOf } from "../../bytes/index.ts";
import { LineBuffer } from "../../text/index.ts";
import { readPerfHeader, type PerfHeader } from "./perf-header.ts";

/** A sample. `stack` is a node of the reader's stacks; 0 if none was recorded. */
export interface PerfSample extends PerfHeader {
  readonly stack: number;
}

/** Summary of a text. */
export interface PerfScriptEnd {
  readonly samples: number;
  /** Events that the kernel lost. */
  readonly lost: number;
  /** Lines that do not belong to a sample. */
  readonly unreadable: number;
  /** Whether the text ends within a sample; this sample is skipped. */
  readonly isTruncated: boolean;
}

/**
 * The frames of a line, outermost first: empty for lines to ignore, several for inlined calls in one line, null if the
 * line is not a frame.
 */
export type FramesOfLine = (line: string) => readonly number[] | null;

/** Pieces are processed in slices, which limits the length of lines. */
const sliceSize = 1 << 18;

/** Bytes of the line cache and of the caller cache; further texts are parsed each time. */
const maxCacheBytes = 1 << 25;

const [tab, newline, blank, hash] = [0x09, 0x0a, 0x20, 0x23];

/** Maximum depth of a stack; outer calls beyond it are dropped. The kernel's default is 127. */
const maxDepth = 4096;

/**
 * Parses the output of `perf script` incrementally. Required fields are command, thread, and time or event. Memory
 * grows with the number of distinct stacks, not of samples.
 */
export class PerfSampleReader<Frame> {
  readonly stacks: StackTable<Frame>;
  readonly #take: (sample: PerfSample) => void;
  readonly #framesOfLine: FramesOfLine;
  readonly #lineBuffer = new LineBuffer();
  readonly #decoder = new TextDecoder();
  /** Cache of frames by line. */
  readonly #lines = new ByteRanges(maxCacheBytes);
  readonly #framesByLine: (readonly number[] | null)[] = [];
  /** Cache of nodes by the text of all callers, because most stacks differ only in the innermost call. */
  readonly #callers = new ByteRanges(maxCacheBytes);
  readonly #nodeByCallers: number[] = [];
  #header: PerfHeader | null = null;
  /** Frames of the current stack by line, innermost first. */
  #calls: (readonly number[])[] = [];
  #endsWithNewline = true;
  #samples = 0;
  #lost = 0;
  #unreadable = 0;

  constructor(take: (sample: PerfSample) => void, stacks: StackTable<Frame>, framesOfLine: FramesOfLine) {
    this.stacks = stacks;
    this.#take = take;
    this.#framesOfLine = framesOfLine;
  }

  push(piece: Uint8Array): void {
    if (piece.length > 0) this.#endsWithNewline = piece.at(-1) === newline;
    for (let at = 0; at < piece.length; at += sliceSize)
      this.#readBlock(this.#lineBuffer.push(piece.subarray(at, at + sliceSize)));
  }

  /** Ends the text. Fails with `not-perf-script`, which names `file`, if no line belongs to a sample. */
  end(file: string): PerfScriptEnd {
    const rest = this.#lineBuffer.end();
    const line = rest === null ? null : this.#decoder.decode(rest);
    const isTruncated = !this.#endsWithNewline && this.#header !== null && line !== null && !/\)\s*$/.test(line);
    if (isTruncated) this.#header = null;
    else this.#readBlock(rest);
    this.#finish();
    if (this.#samples === 0 && this.#unreadable > 0) throw new Failure("not-perf-script", { file });
    return { samples: this.#samples, lost: this.#lost, unreadable: this.#unreadable, isTruncated };
  }

  #readBlock(bytes: Uint8Array | null): void {
    if (bytes === null) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let stackEnd = 0;
    for (let start = 0, end = bytes.indexOf(newline); end >= 0; start = end + 1, end = bytes.indexOf(newline, start)) {
      this.#readLine(bytes, view, start, end);
      if (this.#header === null || bytes[end + 1] !== tab || stackEnd > end) continue;
      // Searched once, so that a text without blank lines does not take quadratic time.
      stackEnd = endOfStack(bytes, end + 1);
      if (stackEnd < bytes.length && this.#calls.length === 0 && this.#readStack(bytes, view, end + 1, stackEnd))
        end = stackEnd + 1;
    }
  }

  /** Reads all lines of a stack at once; returns false without reading if one of them is not a frame. */
  #readStack(bytes: Uint8Array, view: DataView, from: number, to: number): boolean {
    const newlineAt = bytes.indexOf(newline, from);
    const first = Math.min(newlineAt, to);
    const call = this.#framesIn(bytes, view, from, first);
    const callers = first === to ? 0 : this.#callersIn(bytes, view, first + 1, to);
    if (callers < 0 || call === null) return false;
    this.#deliver(this.#called(callers, call));
    return true;
  }

  #callersIn(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const code = hashOf(view, from, to);
    const known = this.#callers.find(view, from, to, code);
    if (known >= 0) return this.#nodeByCallers[known]!;
    const calls: (readonly number[])[] = [];
    for (let start = from; start < to;) {
      const at = bytes.indexOf(newline, start);
      const frames = this.#framesIn(bytes, view, start, Math.min(at, to));
      if (frames === null) return -1;
      if (calls.length < maxDepth - 1) calls.push(frames);
      start = at + 1;
    }
    const node = this.#nodeOf(calls);
    const number = this.#callers.add(view, from, to, code);
    if (number >= 0) this.#nodeByCallers[number] = node;
    return node;
  }

  #readLine(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    const first = bytes[start]!;
    if (first === tab && this.#header !== null && this.#readFrame(bytes, view, start, end)) return;
    const line = this.#decoder.decode(bytes.subarray(start, end));
    if (line.trim() === "") this.#finish();
    else if (first === hash && this.#header === null) return;
    else if (
      !this.#readHeader(line) &&
      !(first === blank && this.#header !== null && this.#readFrame(bytes, view, start, end))
    )
      this.#unreadable++;
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

  #readFrame(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    const frames = this.#framesIn(bytes, view, start, end);
    if (frames !== null && this.#calls.length < maxDepth) this.#calls.push(frames);
    return frames !== null;
  }

  #framesIn(bytes: Uint8Array, view: DataView, start: number, end: number): readonly number[] | null {
    const code = hashOf(view, start, end);
    const known = this.#lines.find(view, start, end, code);
    if (known >= 0) return this.#framesByLine[known]!;
    const frames = this.#framesOfLine(this.#decoder.decode(bytes.subarray(start, end)));
    const number = this.#lines.add(view, start, end, code);
    if (number >= 0) this.#framesByLine[number] = frames;
    return frames;
  }

  #finish(): void {
    if (this.#header === null) return;
    const { rest } = this.#header;
    if (this.#calls.length === 0 && /^[0-9a-f]{5,16}\s/.test(rest)) {
      const frames = this.#framesOfLine(rest);
      if (frames !== null) this.#calls.push(frames);
    }
    this.#deliver(this.#nodeOf(this.#calls));
  }

  /** The node of a stack given innermost call first. */
  #nodeOf(calls: readonly (readonly number[])[]): number {
    return calls.reduceRight((caller, frames) => this.#called(caller, frames), 0);
  }

  #called(caller: number, frames: readonly number[]): number {
    let node = caller;
    for (const frame of frames) node = this.stacks.called(node, frame);
    return node;
  }

  #deliver(stack: number): void {
    const header = this.#header;
    if (header === null) return;
    if (this.#calls.length > 0) this.#calls = [];
    this.#header = null;
    this.#samples++;
    const { command, process, thread, cpu, seconds, period, event, rest } = header;
    this.#take({ command, process, thread, cpu, seconds, period, event, rest, stack });
  }
}

/**
 * Where the newline is that ends the last line of a stack: a blank line follows; the end of the bytes where none does.
 */
function endOfStack(bytes: Uint8Array, from: number): number {
  // Of two newlines in a row one is met by steps of two.
  for (let at = from + 1; at < bytes.length; at += 2) {
    if (bytes[at] !== newline) continue;
    if (bytes[at - 1] === newline) return at - 1;
    if (bytes[at + 1] === newline) return at;
  }
  return bytes.length;
}
