import { jsonObject, JsonNumber } from "../../../core/values/json.ts";
import { lineBlocks } from "../../text/text-lines.ts";
import { maxTraceDepth, isSystemLibrary, unreachable, type Frame } from "../../traces/call-trace.ts";
import { damagedReport, type HeapReport, type HeapSite } from "./heap-report.ts";

/** What is on a heap, by kind of allocation (size and trace), event by event. */
export class LiveHeap {
  /** Most bytes that were there at once. */
  peak = 0;
  readonly #sizes: number[] = [];
  readonly #allocated: number[] = [];
  readonly #temporary: number[] = [];
  readonly #live: number[] = [];
  readonly #atPeak: number[] = [];
  /** Kinds whose number of live blocks changed since the peak; may name one twice. */
  #changed: number[] = [];
  #bytes = 0;
  /** The kind that was allocated just now; -1: something else happened since. */
  #last = -1;

  /** A further kind, of blocks of so many bytes. */
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
   * A block that is released before anything else happens was temporary. What was allocated before the tool looked is
   * passed over.
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
    // A list that is longer than there are kinds tells no more than that all may have changed.
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
const nowhere: Frame = { function: "?", source: unreachable, line: 0 };

/**
 * Frames that were seen at an address: the function that the compiler placed there, and those into which it was
 * inlined.
 */
type Place = readonly Frame[];

/**
 * Reads what heaptrack writes, unpacked (https://github.com/KDE/heaptrack; the layout is that of heaptrack 1.4, file
 * versions 1 to 3): lines that begin with a letter, numbers in hex; strings, addresses, traces and kinds of allocations
 * are numbered as they come, all from 1 but the last from 0. Gives for each place what it allocated, and how much of it
 * was there at the peak and at the end. Memory is bounded by the number of places. Fails with `heap-report-damaged`.
 */
export async function readHeaptrack(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const reader = new HeaptrackReader(file);
  for await (const { bytes } of lineBlocks(source)) reader.take(bytes);
  return reader.end();
}

class HeaptrackReader {
  readonly #file: string;
  readonly #strings: string[] = [];
  readonly #places: Place[] = [];
  /** For each trace its place and the trace of its caller, or 0. */
  readonly #traces: (readonly [place: number, caller: number])[] = [];
  /** For each kind of allocation its trace. */
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
    if (this.#version === undefined) throw this.#damaged("it does not begin as heaptrack's files do");
    if (letter === "s") this.#strings.push(this.#stringOf(rest));
    else if (letter === "i") this.#places.push(this.#placeOf(this.#numbers(rest)));
    else if (letter === "t") this.#takeTrace(this.#numbers(rest));
    else if (letter === "a") this.#takeKind(this.#numbers(rest));
    else if (letter === "X") this.#cmd = rest;
    else if (letter === "m" || letter === "x")
      throw this.#damaged("it is raw: heaptrack_interpret has to read it first");
    else if (!"cRIAS#".includes(letter ?? "")) throw this.#damaged("it makes no sense");
  }

  #takeVersion(rest: string): void {
    const [, version = 0] = this.#numbers(rest);
    if (version < 1 || version > 3) throw this.#damaged(`its version ${version} is not one of 1 to 3`);
    this.#version = version;
  }

  /** Since version 3 the length in bytes stands before a string. */
  #stringOf(rest: string): string {
    if ((this.#version ?? 0) < 3) return rest;
    const at = rest.indexOf(" ");
    return at < 0 ? "" : rest.slice(at + 1);
  }

  /** Address, module, and for each frame there a function, and a file and a line if they are known. */
  #placeOf([, module = 0, ...words]: readonly number[]): Place {
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
    return frames.length > 0 ? frames : [nowhere];
  }

  #takeTrace([place = 0, caller = 0]: readonly number[]): void {
    if (place > this.#places.length || caller > this.#traces.length)
      throw this.#damaged("it names what has not come yet");
    this.#traces.push([place, caller]);
  }

  #takeKind([size = 0, trace = 0]: readonly number[]): void {
    if (trace > this.#traces.length) throw this.#damaged("it names what has not come yet");
    this.#kinds.push(trace);
    this.#heap.add(size);
  }

  #framesOf(trace: number): Frame[] {
    const frames: Frame[] = [];
    for (let at = trace; at > 0 && frames.length < maxTraceDepth;) {
      const [place, caller] = this.#traces[at - 1] ?? [0, 0];
      frames.push(...(this.#places[place - 1] ?? [nowhere]));
      at = caller;
    }
    return frames.slice(0, maxTraceDepth);
  }

  #string(number: number): string {
    if (number === 0) return "";
    const text = this.#strings[number - 1];
    if (text === undefined) throw this.#damaged("it names what has not come yet");
    return text;
  }

  #numbers(text: string): number[] {
    return text.split(" ").map((word) => {
      // Addresses may be wider than what a double holds; nothing is made of them.
      if (!/^[0-9a-f]{1,16}$/.test(word)) throw this.#damaged(`'${word.slice(0, 40)}' is no number`);
      return Number.parseInt(word, 16);
    });
  }

  /** The number of a kind of allocations: events are the most of a file, so no text is made of them. */
  #kindAt(bytes: Uint8Array, from: number, end: number): number {
    let kind = 0;
    for (let at = from; at < end; at++) {
      const byte = bytes[at]!;
      const digit = byte >= 0x61 ? byte - 0x57 : byte - 0x30;
      if (digit < 0 || digit > 15 || (byte > 0x39 && byte < 0x61)) throw this.#damaged("it makes no sense");
      kind = kind * 16 + digit;
    }
    if (from >= end || kind >= this.#kinds.length || bytes[from - 1] !== blank)
      throw this.#damaged("it names what has not come yet");
    return kind;
  }

  #damaged(reason: string): Error {
    return damagedReport(this.#file, this.#line, reason);
  }
}
