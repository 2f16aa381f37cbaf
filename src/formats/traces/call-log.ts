import { Failure } from "../../core/failures/index.ts";
import { CallStack, type ThreadCalls } from "./calls.ts";

/** A called function: its file and its offset in that file. */
export interface LoggedFunction {
  readonly path: string;
  readonly offset: bigint;
}

/** Why the end of a log is missing. */
export type CallLogStop = "limit" | "disk" | "depth" | "functions";

/** The log of one process, as assets/calls.c describes and writes it. */
export interface CallLog {
  readonly process: number;
  readonly session: number;
  /** Nanoseconds since the machine started. */
  readonly started: bigint;
  /** By the numbers in `ThreadCalls.functions`. */
  readonly functions: ReadonlyMap<number, LoggedFunction>;
  readonly threads: readonly ThreadCalls[];
  readonly stopped: CallLogStop | null;
}

const windowSize = 1 << 16;
const headerSize = 40;
const magic = "pkcalls1";
const stops: readonly CallLogStop[] = ["limit", "disk", "depth", "functions"];
/** Sizes of thread records in bytes, by kind. */
const lengths = [0, 16, 8, 8, 16, 16];
const kinds = { entered: 1, returned: 2, left: 3, size: 4, thread: 5 };
const processKinds = { module: 1, function: 2, stopped: 3, ended: 4 };

/** Decodes a log, also of a process killed while writing. Fails with `call-log-damaged`. */
export function decodeCallLog(bytes: Uint8Array): CallLog {
  return new LogReader(bytes).read();
}

/** Consecutive records of one thread. */
interface Segment {
  readonly sequence: number;
  readonly start: number;
  end: number;
}

class LogReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #segments = new Map<number, Segment[]>();
  readonly #modules = new Map<number, string>();
  readonly #functions = new Map<number, LoggedFunction>();
  #stopped: CallLogStop | null = null;
  /** The latest known moment. */
  #last = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = bytes.length < headerSize || this.#view.getUint32(16, true) === 1;
  }

  read(): CallLog {
    const nothing = { process: 0, session: 0, started: 0n, functions: this.#functions, threads: [] };
    // The process could not allocate the first window, or was killed before writing the header.
    if (this.#bytes.length < headerSize || this.#bytes[8] === 0) return { ...nothing, stopped: "disk" };
    if (new TextDecoder("latin1").decode(this.#bytes.subarray(8, 16)) !== magic) throw this.#damaged(0);
    this.#survey();
    const stacks = [...this.#segments].map(([thread, segments]) => this.#readThread(thread, segments));
    return {
      process: this.#u32(20),
      session: this.#u32(24),
      started: this.#view.getBigUint64(32, this.#little),
      functions: this.#functions,
      threads: stacks.map((stack) => stack.finish(this.#last)).toSorted((a, b) => a.thread - b.thread),
      stopped: this.#stopped,
    };
  }

  /** Reads the records of the process and locates the segments of each thread. */
  #survey(): void {
    for (let start = 0; start < this.#bytes.length; start += windowSize) {
      const end = Math.min(start + windowSize, this.#bytes.length) & ~7;
      if (start + 8 > end) return;
      const thread = this.#u32(start);
      if (thread === 0) this.#readFacts(start === 0 ? headerSize : start + 8, end);
      else this.#surveyThreads(thread, this.#u32(start + 4), start + 8, end);
    }
  }

  #readFacts(first: number, end: number): void {
    for (let at = first; at < end && this.#kind(at) !== 0;) at = this.#readFact(at, end);
  }

  /** Returns the offset of the next record. */
  #readFact(at: number, end: number): number {
    const [kind, value] = [this.#kind(at), this.#value(at)];
    if (kind === processKinds.stopped) this.#stopped = stops[value - 1] ?? "disk";
    else if (kind === processKinds.ended) this.#last = Math.max(this.#last, value);
    else if (kind === processKinds.module) return this.#readModule(at, value, end);
    else if (kind === processKinds.function) return this.#readFunction(at, value, end);
    else throw this.#damaged(at);
    return at + 8;
  }

  #readModule(at: number, length: number, end: number): number {
    if (at + 16 + length > end) throw this.#damaged(at);
    this.#modules.set(this.#number(at + 8), new TextDecoder().decode(this.#bytes.subarray(at + 16, at + 16 + length)));
    return at + 16 + Math.ceil(length / 8) * 8;
  }

  #readFunction(at: number, id: number, end: number): number {
    const path = at + 24 > end ? undefined : this.#modules.get(this.#number(at + 8));
    if (path === undefined) throw this.#damaged(at);
    this.#functions.set(id, { path, offset: this.#view.getBigUint64(at + 16, this.#little) });
    return at + 24;
  }

  #surveyThreads(thread: number, sequence: number, first: number, end: number): void {
    let segment = this.#begin(thread, sequence, first);
    for (let at = first; at < end && this.#kind(at) !== 0;) {
      const next = at + (lengths[this.#kind(at)] ?? Infinity);
      if (next > end) throw this.#damaged(at);
      if (this.#kind(at) === kinds.thread) segment = this.#begin(this.#value(at), this.#number(at + 8), next);
      segment.end = next;
      at = next;
    }
  }

  #begin(thread: number, sequence: number, start: number): Segment {
    const segment = { sequence, start, end: start };
    const known = this.#segments.get(thread);
    if (known) known.push(segment);
    else this.#segments.set(thread, [segment]);
    return segment;
  }

  #readThread(thread: number, segments: readonly Segment[]): CallStack {
    const stack = new CallStack(thread);
    for (const { start, end } of segments.toSorted((a, b) => a.sequence - b.sequence))
      for (let at = start; at < end; at += lengths[this.#kind(at)]!) this.#readEvent(at, stack);
    return stack;
  }

  #readEvent(at: number, stack: CallStack): void {
    const kind = this.#kind(at);
    if (kind === kinds.size) stack.setSize(this.#number(at + 8));
    if (kind === kinds.size || kind === kinds.thread) return;
    const time = this.#value(at);
    this.#last = Math.max(this.#last, time);
    if (kind === kinds.entered) {
      const called = this.#u32(at + 8);
      if (!this.#functions.has(called)) throw this.#damaged(at);
      stack.enter(called, time, { number: this.#u32(at + 12) });
    } else {
      if (stack.depth === 0) throw this.#damaged(at);
      stack.leave(time, kind === kinds.returned ? 0 : 1);
    }
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, this.#little);
  }

  #low(at: number): number {
    return this.#u32(this.#little ? at : at + 4);
  }

  #high(at: number): number {
    return this.#u32(this.#little ? at + 4 : at);
  }

  #number(at: number): number {
    return this.#high(at) * 2 ** 32 + this.#low(at);
  }

  #kind(at: number): number {
    return this.#low(at) & 7;
  }

  #value(at: number): number {
    return this.#high(at) * 2 ** 29 + (this.#low(at) >>> 3);
  }

  #damaged(at: number): Failure {
    return new Failure("call-log-damaged", { at });
  }
}
