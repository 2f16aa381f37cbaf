import type { Failure } from "../../../core/failures/failure.ts";
import { jsonObject } from "../../../core/values/json.ts";
import { NumberList } from "../../bytes/number-list.ts";
import { readJsonStream, type JsonStream } from "../../json/json-stream.ts";
import { type Frame, maxTraceDepth } from "../../traces/call-trace.ts";
import { PlacedStacks } from "../frame-index-stacks.ts";
import { isObject } from "../profiler-document.ts";
import { damagedReport, type HeapReport, type HeapSite } from "./heap-report.ts";
import { valgrindFrame } from "./valgrind-frame.ts";

/**
 * The columns of a place, by DHAT's fields; all but the first two are missing in reports of the modes copy and ad-hoc.
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

/** Beyond it no place of a frame can be. */
const mostFrames = 2 ** 30;

/**
 * The program points of a report: numbers alone, since there are millions, and the table of frames comes behind them.
 */
class DhatPoints {
  readonly #damaged: (reason: string) => Failure;
  readonly #places = new PlacedStacks();
  readonly #stacks = new NumberList();
  /** In the order of the columns; NaN: a point does not have it. */
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

  /** What the points say with the frames of the table, made anew each time one goes over them. */
  sites(table: readonly Frame[], subtype: string): Iterable<HeapSite> {
    this.#refuseStrange(table.length);
    return { [Symbol.iterator]: () => this.#sitesOf(table, subtype) };
  }

  *#sitesOf(table: readonly Frame[], subtype: string): Generator<HeapSite, undefined> {
    for (let point = 0; point < this.#stacks.length; point++) yield this.#siteOf(point, table, subtype);
    return undefined;
  }

  #siteOf(point: number, table: readonly Frame[], subtype: string): HeapSite {
    const [stack, amountsOf] = [this.#stacks.at(point), (): Map<string, number> => this.#amountsOf(point)];
    const framesOf = (): Frame[] => [...this.#placesOf(stack)].map((place) => table[place]!);
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
    const told = columns.map(([name], at) => [name, this.#amounts[at]!.at(point)] as const);
    return new Map(told.filter(([, amount]) => !Number.isNaN(amount)));
  }

  /** Inner first. */
  *#placesOf(stack: number): Generator<number> {
    for (let at = stack; at > 0; at = this.#places.callerOf(at)) yield this.#places.placeOf(at);
  }

  #stackOf(calls: readonly unknown[]): number {
    return calls.reduceRight((caller: number, call) => {
      const isPlace = typeof call === "number" && Number.isInteger(call) && call >= 0 && call < mostFrames;
      if (!isPlace) throw this.#refused(this.#stacks.length);
      return this.#places.called(caller, call);
    }, 0);
  }

  #amount(value: unknown, isNeeded: boolean): number {
    if (value === undefined && !isNeeded) return Number.NaN;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.#refused(this.#stacks.length);
  }

  /** Every stack comes after the one that called it. */
  #refuseStrange(frames: number): void {
    const strange = new Uint8Array(this.#places.size);
    for (let stack = 1; stack < strange.length; stack++)
      if (this.#places.placeOf(stack) >= frames || strange[this.#places.callerOf(stack)] === 1) strange[stack] = 1;
    for (let point = 0; point < this.#stacks.length; point++)
      if (strange[this.#stacks.at(point)] === 1) throw this.#refused(point);
  }

  #refused(point: number): Failure {
    return this.#damaged(`its program point ${point} makes no sense`);
  }
}

/**
 * Reads what valgrind's DHAT writes (https://valgrind.org/docs/manual/dh-manual.html, file version 2 of valgrind 3.17
 * and later): the bytes and blocks that each place allocated in the whole run. Of places the numbers are kept, their
 * stacks once each. Fails with `heap-report-damaged`.
 */
export async function readDhat(source: AsyncIterable<Uint8Array>, file: string): Promise<HeapReport> {
  const damaged = (reason: string): Failure => damagedReport(file, 1, reason);
  const reader = new DhatReader(damaged);
  await readJsonStream(source, damaged, (json) => json.members("the document", (key) => reader.take(key, json)));
  return reader.end();
}

class DhatReader {
  readonly #damaged: (reason: string) => Failure;
  readonly #told = new Map<string, unknown>();
  #points: DhatPoints | undefined;
  #frames: Frame[] | undefined;

  constructor(damaged: (reason: string) => Failure) {
    this.#damaged = damaged;
  }

  /** Reads over the member that comes next. */
  async take(key: string, json: JsonStream): Promise<void> {
    if (key === "pps") {
      const points = (this.#points = new DhatPoints(this.#damaged));
      await json.elements("its list of program points", (values) => points.take(values));
    } else if (key === "ftbl") {
      const frames: Frame[] = (this.#frames = []);
      await json.elements("its table of frames", (texts) => texts.forEach((text) => frames.push(this.#frame(text))));
    } else if (["dhatFileVersion", "mode", "tu", "cmd", "pid"].includes(key)) this.#told.set(key, await json.value());
    else await json.skip();
  }

  end(): HeapReport {
    const [version, process] = [this.#told.get("dhatFileVersion"), this.#told.get("pid")];
    if (typeof version !== "number") throw this.#damaged("it is not a report of DHAT");
    if (version !== 2) throw this.#damaged(`it is of version ${version}, not 2`);
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
    if (typeof text !== "string") throw this.#damaged("its table of frames holds what is no text");
    return valgrindFrame(text);
  }

  #text(name: string): string {
    const told = this.#told.get(name);
    return typeof told === "string" ? told : "";
  }
}
