import type { Failure } from "../../../core/failures/index.ts";
import { jsonObject } from "../../../core/values/index.ts";
import { NumberList } from "../../bytes/index.ts";
import { readJsonStream, type JsonStream } from "../../json/index.ts";
import { type Frame, maxTraceDepth } from "../../traces/index.ts";
import { FrameIndexStacks } from "../frame-index-stacks.ts";
import { isObject } from "../profiler-document.ts";
import { damagedReport, type HeapReport, type HeapSite } from "./heap-report.ts";
import { valgrindFrame } from "./valgrind-frame.ts";

/**
 * Columns by DHAT's fields; the modes copy and ad-hoc have only the first two.
 */
const columns = [
  ["amount", "tb"],
  ["blocks", "tbk"],
  ["lifetime", "tl"],
  ["most", "mb"],
  ["at-peak", "gb"],
  ["at-end", "eb"],
  ["reads", "rb"],
  ["writes", "wb"],
] as const;

/** Upper bound of frame indices. */
const maxFrames = 2 ** 30;

/**
 * The program points of a report. Only numbers are stored, because there are millions and the frame table follows them.
 */
class DhatPoints {
  readonly #damaged: (reason: string) => Failure;
  readonly #indexStacks = new FrameIndexStacks();
  readonly #stacks = new NumberList();
  /** In the order of the columns; NaN for missing values. */
  readonly #amounts = columns.map(() => new NumberList());

  constructor(damaged: (reason: string) => Failure) {
    this.#damaged = damaged;
  }

  take(points: readonly unknown[]): void {
    for (const point of points) {
      const calls = isObject(point) ? point["fs"] : undefined;
      if (!isObject(point) || !Array.isArray(calls)) throw this.#refused(this.#stacks.length);
      columns.forEach(([, field], at) => this.#amounts[at]!.push(this.#amount(point[field], at < 2)));
      this.#stacks.push(this.#stackOf((calls as unknown[]).slice(0, maxTraceDepth)));
    }
  }

  /** The points with frames of the table. Each iteration creates the sites again. */
  sites(table: readonly Frame[], subtype: string): Iterable<HeapSite> {
    this.#checkFrames(table.length);
    return { [Symbol.iterator]: () => this.#sitesOf(table, subtype) };
  }

  *#sitesOf(table: readonly Frame[], subtype: string): Generator<HeapSite, undefined> {
    for (let point = 0; point < this.#stacks.length; point++) yield this.#siteOf(point, table, subtype);
    return undefined;
  }

  #siteOf(point: number, table: readonly Frame[], subtype: string): HeapSite {
    const [stack, amountsOf] = [this.#stacks.at(point), (): Map<string, number> => this.#amountsOf(point)];
    const framesOf = (): Frame[] => [...this.#frameIndicesOf(stack)].map((index) => table[index]!);
    return {
      subtype,
      get frames() {
        return framesOf();
      },
      get amounts() {
        return amountsOf();
      },
    };
  }

  #amountsOf(point: number): Map<string, number> {
    const amounts = columns.map(([name], at) => [name, this.#amounts[at]!.at(point)] as const);
    return new Map(amounts.filter(([, amount]) => !Number.isNaN(amount)));
  }

  /** Innermost first. */
  *#frameIndicesOf(stack: number): Generator<number> {
    for (let at = stack; at > 0; at = this.#indexStacks.callerOf(at)) yield this.#indexStacks.frameIndexOf(at);
  }

  #stackOf(calls: readonly unknown[]): number {
    return calls.reduceRight((caller: number, call) => {
      const isIndex = typeof call === "number" && Number.isInteger(call) && call >= 0 && call < maxFrames;
      if (!isIndex) throw this.#refused(this.#stacks.length);
      return this.#indexStacks.called(caller, call);
    }, 0);
  }

  #amount(value: unknown, isRequired: boolean): number {
    if (value === undefined && !isRequired) return Number.NaN;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.#refused(this.#stacks.length);
  }

  /** Fails if a point has a frame beyond the table. Callers precede their callees. */
  #checkFrames(frames: number): void {
    const [stacks, isInvalid] = [this.#indexStacks, new Uint8Array(this.#indexStacks.size)];
    for (let stack = 1; stack < isInvalid.length; stack++)
      if (stacks.frameIndexOf(stack) >= frames || isInvalid[stacks.callerOf(stack)] === 1) isInvalid[stack] = 1;
    for (let point = 0; point < this.#stacks.length; point++)
      if (isInvalid[this.#stacks.at(point)] === 1) throw this.#refused(point);
  }

  #refused(point: number): Failure {
    return this.#damaged(`its program point ${point} is invalid`);
  }
}

/**
 * Reads a report of valgrind's DHAT (https://valgrind.org/docs/manual/dh-manual.html, file version 2 of valgrind 3.17
 * and later): the bytes and blocks allocated by each stack in the complete run. Fails with `heap-report-damaged`.
 */
export async function readDhat(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const damaged = (reason: string): Failure => damagedReport(file, 1, reason);
  const reader = new DhatReader(damaged);
  await readJsonStream(source, damaged, (json) => json.members("the document", (key) => reader.take(key, json)));
  return reader.end();
}

class DhatReader {
  readonly #damaged: (reason: string) => Failure;
  readonly #members = new Map<string, unknown>();
  #points: DhatPoints | undefined;
  #frames: Frame[] | undefined;

  constructor(damaged: (reason: string) => Failure) {
    this.#damaged = damaged;
  }

  /** Reads the next member. */
  async take(key: string, json: JsonStream): Promise<void> {
    if (key === "pps") {
      const points = (this.#points = new DhatPoints(this.#damaged));
      await json.elements("its list of program points", (values) => points.take(values));
    } else if (key === "ftbl") {
      const frames: Frame[] = (this.#frames = []);
      await json.elements("its table of frames", (texts) => texts.forEach((text) => frames.push(this.#frame(text))));
    } else if (["dhatFileVersion", "mode", "tu", "cmd", "pid"].includes(key))
      this.#members.set(key, await json.value());
    else await json.skip();
  }

  end(): HeapReport {
    const [version, process] = [this.#members.get("dhatFileVersion"), this.#members.get("pid")];
    if (typeof version !== "number") throw this.#damaged("it is not a DHAT report");
    if (version !== 2) throw this.#damaged(`file version ${version} is not supported, only 2`);
    if (this.#points === undefined || this.#frames === undefined) throw this.#damaged("it has no program points");
    const subtype = this.#text("mode") === "" ? "heap" : this.#text("mode");
    return {
      tool: "dhat",
      cmd: this.#text("cmd"),
      ...(typeof process === "number" && Number.isSafeInteger(process) && process >= 0 ? { process } : {}),
      sites: this.#points.sites(this.#frames, subtype),
      params: jsonObject({ mode: subtype, time_unit: this.#text("tu") }),
    };
  }

  #frame(text: unknown): Frame {
    if (typeof text !== "string") throw this.#damaged("an element of its frame table is not a string");
    return valgrindFrame(text);
  }

  #text(name: string): string {
    const text = this.#members.get(name);
    return typeof text === "string" ? text : "";
  }
}
