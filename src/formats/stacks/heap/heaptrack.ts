import { jsonObject, JsonNumber } from "../../../core/values/index.ts";
import { lineBlocks } from "../../text/index.ts";
import { maxTraceDepth, isSystemLibrary, unreachable, type Frame } from "../../traces/index.ts";
import { damagedReport, type HeapReport, type HeapSite } from "./heap-report.ts";

/** The state of a heap by kind of allocation (size and trace), updated by events. */
export class LiveHeap {
  /** Maximum number of live bytes. */
  peak = 0;
  readonly #sizes: number[] = [];
  readonly #allocated: number[] = [];
  readonly #temporary: number[] = [];
  readonly #live: number[] = [];
  readonly #atPeak: number[] = [];
  /** Kinds whose number of live blocks changed since the peak; may contain duplicates. */
  #changed: number[] = [];
  #bytes = 0;
  /** The kind of the last event if it was an allocation; otherwise −1. */
  #last = -1;

  /** Adds a kind with blocks of `size` bytes. */
  add(size: number): void {
    this.#sizes.push(size);
    for (const list of [this.#allocated, this.#temporary, this.#live, this.#atPeak]) list.push(0);
  }

  allocate(kind: number): void {
    this.#allocated[kind]! += 1;
    this.#change(kind, 1);
    this.#last = kind;
    if (this.#bytes > this.peak) this.#takePeak();
  }

  /**
   * A block released by the next event after its allocation is temporary. Blocks allocated before the recording are
   * ignored.
   */
  release(kind: number): void {
    if (this.#live[kind] === 0) return;
    if (this.#last === kind) this.#temporary[kind]! += 1;
    this.#last = -1;
    this.#change(kind, -1);
  }

  amountsOf(kind: number): ReadonlyMap<string, number> {
    const size = this.#sizes[kind]!;
    return new Map([
      ["amount", this.#allocated[kind]! * size],
      ["blocks", this.#allocated[kind]!],
      ["temporary", this.#temporary[kind]!],
      ["at-peak", this.#atPeak[kind]! * size],
      ["at-end", this.#live[kind]! * size],
    ]);
  }

  #change(kind: number, blocks: 1 | -1): void {
    this.#live[kind]! += blocks;
    this.#bytes += blocks * this.#sizes[kind]!;
    // Beyond the number of kinds, the list is not needed: all kinds are treated as changed.
    if (this.#changed.length <= this.#sizes.length) this.#changed.push(kind);
  }

  #takePeak(): void {
    this.peak = this.#bytes;
    if (this.#changed.length > this.#sizes.length) this.#live.forEach((blocks, kind) => (this.#atPeak[kind] = blocks));
    else for (const kind of this.#changed) this.#atPeak[kind] = this.#live[kind]!;
    this.#changed = [];
  }
}

const newline = 10;
const blank = 32;
const unknownFrame: Frame = { function: "?", source: unreachable, line: 0 };

/**
 * Frames at an address: the function compiled there, and those into which it was inlined.
 */
type AddressFrames = readonly Frame[];

/**
 * Reads an uncompressed file of heaptrack (https://github.com/KDE/heaptrack, layout of heaptrack 1.4, file versions 1
 * to
 * 3): lines start with a letter, numbers are hexadecimal. Strings, addresses and traces are numbered from 1, kinds of
 * allocations from 0. The report has the allocations of each trace, and their amounts at the peak and at the end.
 * Memory grows with the number of traces. Fails with `heap-report-damaged`.
 */
export async function readHeaptrack(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const reader = new HeaptrackReader(file);
  for await (const { bytes } of lineBlocks(source)) reader.take(bytes);
  return reader.end();
}

class HeaptrackReader {
  readonly #file: string;
  readonly #strings: string[] = [];
  readonly #addresses: AddressFrames[] = [];
  /** By trace: its address and the trace of its caller, or 0. */
  readonly #traces: (readonly [address: number, caller: number])[] = [];
  /** By kind of allocation: its trace. */
  readonly #kinds: number[] = [];
  readonly #heap = new LiveHeap();
  #line = 0;
  #version: number | undefined;
  #cmd = "";

  constructor(file: string) {
    this.#file = file;
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(newline, at);
      this.#line++;
      const letter = bytes[at];
      if (letter === 0x2b) this.#heap.allocate(this.#kindAt(bytes, at + 2, end));
      else if (letter === 0x2d) this.#heap.release(this.#kindAt(bytes, at + 2, end));
      else if (end > at) this.#takeLine(new TextDecoder().decode(bytes.subarray(at, end)));
      at = end + 1;
    }
  }

  end(): HeapReport {
    if (this.#version === undefined) throw this.#damaged("it is empty");
    const sites = this.#kinds.map((trace, kind): HeapSite => {
      return { frames: this.#framesOf(trace), subtype: "allocated", amounts: this.#heap.amountsOf(kind) };
    });
    const params = jsonObject({ peak: JsonNumber.integer(this.#heap.peak) });
    return {
      tool: "heaptrack",
      cmd: this.#cmd,
      sites: sites.filter((site) => site.amounts.get("blocks") !== 0),
      params,
    };
  }

  #takeLine(line: string): void {
    const [letter, rest] = [line[0], line.slice(2)];
    if (letter === "v") return this.#takeVersion(rest);
    if (this.#version === undefined) throw this.#damaged("it does not start like a heaptrack file");
    if (letter === "s") this.#strings.push(this.#stringOf(rest));
    else if (letter === "i") this.#addresses.push(this.#framesAt(this.#numbers(rest)));
    else if (letter === "t") this.#takeTrace(this.#numbers(rest));
    else if (letter === "a") this.#takeKind(this.#numbers(rest));
    else if (letter === "X") this.#cmd = rest;
    else if (letter === "m" || letter === "x")
      throw this.#damaged("it contains raw data: run heaptrack_interpret first");
    else if (!"cRIAS#".includes(letter ?? "")) throw this.#damaged("the line is invalid");
  }

  #takeVersion(rest: string): void {
    const [, version = 0] = this.#numbers(rest);
    if (version < 1 || version > 3) throw this.#damaged(`file version ${version} is not supported, only 1 to 3`);
    this.#version = version;
  }

  /** Since version 3, the length in bytes precedes a string. */
  #stringOf(rest: string): string {
    if ((this.#version ?? 0) < 3) return rest;
    const at = rest.indexOf(" ");
    return at < 0 ? "" : rest.slice(at + 1);
  }

  /** Address, module, and for each frame a function, and file and line if known. */
  #framesAt([, module = 0, ...words]: readonly number[]): AddressFrames {
    const isSystem = isSystemLibrary(this.#string(module));
    const frames: Frame[] = [];
    for (let at = 0; at < words.length; at += 3) {
      const [name = 0, file = 0, line = 0] = words.slice(at, at + 3);
      const isKnown = file > 0 && !isSystem;
      frames.push({
        function: name > 0 ? this.#string(name) : "?",
        source: isKnown ? this.#string(file) : unreachable,
        line: isKnown ? line : 0,
      });
    }
    return frames.length > 0 ? frames : [unknownFrame];
  }

  #takeTrace([address = 0, caller = 0]: readonly number[]): void {
    if (address > this.#addresses.length || caller > this.#traces.length) throw this.#undefinedNumber();
    this.#traces.push([address, caller]);
  }

  #takeKind([size = 0, trace = 0]: readonly number[]): void {
    if (trace > this.#traces.length) throw this.#undefinedNumber();
    this.#kinds.push(trace);
    this.#heap.add(size);
  }

  #framesOf(trace: number): Frame[] {
    const frames: Frame[] = [];
    for (let at = trace; at > 0 && frames.length < maxTraceDepth;) {
      const [address, caller] = this.#traces[at - 1] ?? [0, 0];
      frames.push(...(this.#addresses[address - 1] ?? [unknownFrame]));
      at = caller;
    }
    return frames.slice(0, maxTraceDepth);
  }

  #string(number: number): string {
    if (number === 0) return "";
    const text = this.#strings[number - 1];
    if (text === undefined) throw this.#undefinedNumber();
    return text;
  }

  #numbers(text: string): number[] {
    return text.split(" ").map((word) => {
      // Addresses may exceed the exact range of doubles, but are not used.
      if (!/^[0-9a-f]{1,16}$/.test(word)) throw this.#damaged(`'${word.slice(0, 40)}' is not a number`);
      return Number.parseInt(word, 16);
    });
  }

  /** Parses the kind of an event without decoding text, because most lines of a file are events. */
  #kindAt(bytes: Uint8Array, from: number, end: number): number {
    let kind = 0;
    for (let at = from; at < end; at++) {
      const byte = bytes[at]!;
      const digit = byte >= 0x61 ? byte - 0x57 : byte - 0x30;
      if (digit < 0 || digit > 15 || (byte > 0x39 && byte < 0x61)) throw this.#damaged("the line is invalid");
      kind = kind * 16 + digit;
    }
    if (from >= end || kind >= this.#kinds.length || bytes[from - 1] !== blank) throw this.#undefinedNumber();
    return kind;
  }

  #undefinedNumber(): Error {
    return this.#damaged("the line refers to an undefined number");
  }

  #damaged(reason: string): Error {
    return damagedReport(this.#file, this.#line, reason);
  }
}
