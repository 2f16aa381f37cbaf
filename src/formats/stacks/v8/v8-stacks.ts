import {
  type StackFrame,
  StackSamples,
  type StackProfile,
  StackTable,
  timelineOf,
} from "../../../core/profiles/index.ts";
import { NumberList } from "../../bytes/index.ts";
import { isObject, type DocumentObject, type ProfileDocument } from "../profiler-document.ts";
import { readCpuProfile } from "./cpuprofile.ts";
import { readHeapProfile } from "./heapprofile.ts";
import { timeOrder } from "./time-order.ts";
import { isRoot, type V8Frame } from "./v8-profile.ts";

/**
 * The samples of V8's profiler in one thread, read from chunks of trace events: nodes name their parents, samples their
 * nodes.
 */
export class SampledThread {
  readonly #document: ProfileDocument;
  readonly #stacks: StackTable<StackFrame>;
  readonly #nodes = new Map<unknown, number>();
  /** Nodes by their missing parent. */
  readonly #orphans = new Map<unknown, DocumentObject[]>();
  /** Numbers of the node ids of samples, in order of occurrence. */
  readonly #ids = new Map<unknown, number>();
  readonly #samples = new NumberList();
  readonly #deltas = new NumberList();

  constructor(document: ProfileDocument, stacks: StackTable<StackFrame>) {
    this.#document = document;
    this.#stacks = stacks;
  }

  /** Adds the data of a `Profile` or `ProfileChunk`; one event may contain the complete profile. */
  take(data: DocumentObject): void {
    const profile = isObject(data["cpuProfile"]) ? data["cpuProfile"] : {};
    for (const node of this.#list(profile["nodes"], "'nodes'")) this.#addNode(this.#document.object(node, "a node"));
    for (const sample of this.#list(profile["samples"], "'samples'")) this.#samples.push(this.#idOf(sample));
    const deltas = this.#list(data["timeDeltas"] ?? profile["timeDeltas"], "'timeDeltas'");
    for (const delta of deltas) this.#deltas.push(this.#document.number(delta, "an element of 'timeDeltas'"));
  }

  /** Passes each sample with the microseconds until the next one to `take`; 0 for the last one. */
  forEachSample(take: (stack: number, count: number, microseconds: number) => void): void {
    if (this.#orphans.size > 0) throw this.#document.bad("a node refers to an undefined parent");
    const stacks = [...this.#ids.keys()].map((id) => this.#nodes.get(id) ?? this.#refused());
    const times = this.#times();
    const order = timeOrder(times);
    for (const [index, at] of order.entries()) {
      const next = order[index + 1];
      take(stacks[this.#samples.at(at)]!, 1, next === undefined ? 0 : times[next]! - times[at]!);
    }
  }

  #refused(): never {
    throw this.#document.bad("a sample refers to an undefined node");
  }

  #idOf(id: unknown): number {
    let number = this.#ids.get(id);
    if (number === undefined) this.#ids.set(id, (number = this.#ids.size));
    return number;
  }

  #times(): Float64Array {
    const times = new Float64Array(this.#samples.length);
    let now = 0;
    for (let at = 0; at < times.length; at++) times[at] = now += at < this.#deltas.length ? this.#deltas.at(at) : 0;
    return times;
  }

  /** V8 writes parents first; other writers may not. */
  #addNode(node: DocumentObject): void {
    const pending = [node];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const parent = next["parent"] ?? null;
      const caller = parent === null ? 0 : this.#nodes.get(parent);
      if (caller === undefined) {
        const others = this.#orphans.get(parent) ?? [];
        this.#orphans.set(parent, others);
        others.push(next);
        continue;
      }
      this.#nodes.set(next["id"], this.#stackOf(next, caller));
      for (const child of this.#orphans.get(next["id"]) ?? []) pending.push(child);
      this.#orphans.delete(next["id"]);
    }
  }

  #stackOf(node: DocumentObject, caller: number): number {
    const { functionName, url, lineNumber, columnNumber } = this.#document.object(
      node["callFrame"],
      "the callFrame of a node",
    );
    const name = this.#document.text(functionName ?? "", "the name of a function");
    const line =
      typeof lineNumber === "number" && Number.isSafeInteger(lineNumber) && lineNumber >= 0 ? lineNumber + 1 : 0;
    const frame = { function: name, url: typeof url === "string" ? url : "", line };
    if (caller === 0 && isRoot(frame)) return 0;
    const key = JSON.stringify([name, frame.url, line, columnNumber]);
    return this.#stacks.called(
      caller,
      this.#stacks.frame(key, () => v8StackFrame(frame)),
    );
  }

  #list(value: unknown, what: string): readonly unknown[] {
    return value === undefined ? [] : this.#document.list(value, what);
  }
}

/**
 * Reads a `.cpuprofile` as stacks without the root: samples, and the microseconds until the next one. Fails with
 * `not-v8-profile`.
 */
export async function cpuProfileStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<V8Frame>();
  const { self, samples: counts, order } = await readCpuProfile(source, file, stacks);
  const samples = new StackSamples(2);
  for (const [stack, count] of counts) if (stack > 0) samples.add(stack, [count, self.get(stack) ?? 0]);
  const types = [
    { name: "samples", unit: "count" },
    { name: "time", unit: "microseconds" },
  ];
  const timeline = timelineOf("microseconds", [order.track("")]);
  return {
    stacks: toStackFrames(stacks),
    types,
    main: 0,
    samples,
    facts: {},
    ...(timeline === undefined ? {} : { timeline }),
  };
}

/** Reads a `.heapprofile` as stacks with live bytes. Fails with `not-v8-profile`. */
export async function heapProfileStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<V8Frame>();
  const samples = new StackSamples(1);
  for (const [stack, size] of await readHeapProfile(source, file, stacks)) if (stack > 0) samples.add(stack, [size]);
  return { stacks: toStackFrames(stacks), types: [{ name: "space", unit: "bytes" }], main: 0, samples, facts: {} };
}

/** Converts frames, and keeps the number and order of nodes. */
function toStackFrames(stacks: StackTable<V8Frame>): StackTable<StackFrame> {
  const named = new StackTable<StackFrame>();
  for (const [at, frame] of stacks.frames.entries()) named.frame(String(at), () => v8StackFrame(frame));
  for (let node = 1; node < stacks.size; node++) named.called(stacks.callerOf(node), stacks.callOf(node));
  return named;
}

/** Converts a V8 frame; anonymous functions get the name that V8's tools use. */
function v8StackFrame({ function: name, url, line }: V8Frame): StackFrame {
  return { function: name || "(anonymous)", ...(url === "" ? {} : { source: url, ...(line > 0 ? { line } : {}) }) };
}
