import type { Failure } from "../../../core/failures/failure.ts";
import { NumberList } from "../../bytes/number-list.ts";
import { isObject } from "../profiler-document.ts";
import { deepestTrace, type Frame } from "../../traces/call-trace.ts";
import type { HeapSite } from "./heap-report.ts";
import { PlacedStacks } from "../frame-index-stacks.ts";

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
export class DhatPoints {
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
      this.#stacks.push(this.#stackOf((calls as unknown[]).slice(0, deepestTrace)));
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
