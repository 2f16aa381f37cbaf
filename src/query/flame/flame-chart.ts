import { Failure } from "../../core/failures/index.ts";
import type { FlameGraph } from "../../core/figures/index.ts";
import {
  boundedTimeline,
  type OwnTimeline,
  plainName,
  type StackTable,
  type StackFrame,
} from "../../core/profiles/index.ts";
import { unitOfType } from "./flame-graph.ts";

/** More intervals cannot be distinguished. */
const maxIntervals = 200_000;

/**
 * The calls of a timeline in the order of time: a frame is as wide as the call lasted. Adjacent calls of one function
 * by the same call are one frame. Several threads are next to each other, each below a frame with its name. Fails with
 * `nothing-to-draw` without a timeline.
 */
export function flameChart(own: OwnTimeline | undefined): FlameGraph {
  if (own === undefined)
    throw new Failure("nothing-to-draw", {
      what: "the profile does not keep the order of its samples",
      instead: "draw it as a flame graph instead",
    });
  const timeline = boundedTimeline(own.timeline, maxIntervals);
  const { tracks, unit, resolution } = timeline;
  const frames = new ChartFrames(own.stacks);
  for (const { name, stacks, durations } of tracks) {
    if (tracks.length > 1) frames.openThread(name);
    for (const [at, stack] of stacks.entries()) frames.run(stack, durations[at]!);
    frames.closeTo(0);
  }
  const known = unitOfType(unit);
  return {
    ...frames.columns(),
    quantity: "time",
    ...(known === undefined ? {} : { unit: known }),
    form: "plain",
    byTime: true,
    ...(resolution === undefined ? {} : { resolution }),
  };
}

/** The root and the frames that were opened, in depth-first order. */
class ChartFrames {
  readonly #stacks: StackTable<StackFrame>;
  readonly #names: string[] = [];
  readonly #byName = new Map<string, number>();
  readonly #name: number[] = [];
  readonly #parent: number[] = [];
  readonly #depth: number[] = [];
  readonly #start: number[] = [];
  readonly #end: number[] = [];
  /** The open frames below the root, and the stack of each; 0 for a thread. */
  readonly #open: { readonly frame: number; readonly stack: number }[] = [];
  #threads = 0;
  #now = 0;

  constructor(stacks: StackTable<StackFrame>) {
    this.#stacks = stacks;
    this.#push("all", -1, 0);
  }

  openThread(name: string): void {
    this.#open.push({ frame: this.#push(name === "" ? "[thread]" : name, 0, 1), stack: 0 });
    this.#threads = 1;
  }

  /** A stack that is active for a duration from now on; 0: none. */
  run(stack: number, duration: number): void {
    const path: number[] = [];
    for (let at = stack; at > 0; at = this.#stacks.callerOf(at)) path.push(at);
    let same = this.#threads;
    while (same < this.#open.length && this.#open[same]!.stack === path[path.length - 1 - (same - this.#threads)])
      same++;
    this.#close(same);
    for (let at = path.length - 1 - (same - this.#threads); at >= 0; at--) {
      const caller = this.#open.at(-1)?.frame ?? 0;
      const name = plainName(this.#stacks.frames[this.#stacks.callOf(path[at]!)]!);
      this.#open.push({ frame: this.#push(name, caller, this.#depth[caller]! + 1), stack: path[at]! });
    }
    this.#now += duration;
  }

  /** Closes all frames of a thread. */
  closeTo(open: number): void {
    this.#close(open);
    this.#threads = 0;
  }

  columns(): Pick<FlameGraph, "names" | "name" | "parent" | "depth" | "start" | "total" | "self"> {
    this.#end[0] = this.#now;
    const [parent, start] = [Int32Array.from(this.#parent), Float64Array.from(this.#start)];
    const total = start.map((from, frame) => this.#end[frame]! - from);
    const self = total.slice();
    for (let frame = 1; frame < self.length; frame++) self[parent[frame]!]! -= total[frame]!;
    return {
      names: this.#names,
      name: Int32Array.from(this.#name),
      parent,
      depth: Int32Array.from(this.#depth),
      start,
      total,
      // Differences of sums may be slightly below zero.
      self: self.map((each) => Math.max(0, each)),
    };
  }

  #close(open: number): void {
    while (this.#open.length > open) this.#end[this.#open.pop()!.frame] = this.#now;
  }

  #push(name: string, parent: number, depth: number): number {
    let number = this.#byName.get(name);
    if (number === undefined) this.#byName.set(name, (number = this.#names.push(name) - 1));
    this.#parent.push(parent);
    this.#depth.push(depth);
    this.#start.push(this.#now);
    this.#end.push(this.#now);
    return this.#name.push(number) - 1;
  }
}
