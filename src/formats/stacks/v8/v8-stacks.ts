import { type StackFrame, StackSamples, type StackProfile } from "../../../core/profiles/stack-profile.ts";
import { StackTable } from "../../../core/profiles/stack-table.ts";
import { NumberList } from "../../bytes/number-list.ts";
import { isObject, type DocumentObject, type ProfileDocument } from "../profiler-document.ts";
import { readCpuProfile } from "./cpuprofile.ts";
import { readHeapProfile } from "./heapprofile.ts";
import { timeOrder } from "./time-order.ts";
import { isRoot, type V8Frame } from "./v8-profile.ts";

/**
 * What V8's profiler sampled in one thread, as it comes in chunks of trace events: nodes name their parents, and each
 * sample a node.
 */
export class SampledThread {
  readonly #document: ProfileDocument;
  readonly #stacks: StackTable<StackFrame>;
  readonly #nodes = new Map<unknown, number>();
  /** Nodes whose parents have not come yet, by those. */
  readonly #orphans = new Map<unknown, DocumentObject[]>();
  /** The ids of nodes that samples name, numbered as they come. */
  readonly #ids = new Map<unknown, number>();
  readonly #samples = new NumberList();
  readonly #deltas = new NumberList();

  constructor(document: ProfileDocument, stacks: StackTable<StackFrame>) {
    this.#document = document;
    this.#stacks = stacks;
  }

  /** Takes the data of a `Profile` or `ProfileChunk`; a whole profile may come at once. */
  take(data: DocumentObject): void {
    const profile = isObject(data["cpuProfile"]) ? data["cpuProfile"] : {};
    for (const node of this.#list(profile["nodes"], "'nodes'")) this.#addNode(this.#document.object(node, "a node"));
    for (const sample of this.#list(profile["samples"], "'samples'")) this.#samples.push(this.#idOf(sample));
    const deltas = this.#list(data["timeDeltas"] ?? profile["timeDeltas"], "'timeDeltas'");
    for (const delta of deltas) this.#deltas.push(this.#document.number(delta, "an element of 'timeDeltas'"));
  }

  /** Tells each sample with the microseconds until the next one; those of the last are not known. */
  forEachSample(take: (stack: number, count: number, microseconds: number) => void): void {
    if (this.#orphans.size > 0) throw this.#document.bad("a node names a parent that is not there");
    const stacks = [...this.#ids.keys()].map((id) => this.#nodes.get(id) ?? this.#refused());
    const times = this.#times();
    const order = timeOrder(times);
    for (const [place, at] of order.entries()) {
      const next = order[place + 1];
      take(stacks[this.#samples.at(at)]!, 1, next === undefined ? 0 : times[next]! - times[at]!);
    }
  }

  #refused(): never {
    throw this.#document.bad("a sample is of a node that is not there");
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

  /** Parents come first where V8 writes; others may do as they like. */
  #addNode(node: DocumentObject): void {
    const waiting = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const parent = next["parent"] ?? null;
      const caller = parent === null ? 0 : this.#nodes.get(parent);
      if (caller === undefined) {
        const others = this.#orphans.get(parent) ?? [];
        this.#orphans.set(parent, others);
        others.push(next);
        continue;
      }
      this.#nodes.set(next["id"], this.#stackOf(next, caller));
      for (const child of this.#orphans.get(next["id"]) ?? []) waiting.push(child);
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
 * A `.cpuprofile` as stacks (what is above all functions is none): samples, and the microseconds until the next one.
 * Fails with `not-v8-profile`.
 */
export async function cpuProfileStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<V8Frame>();
  const { self, samples: counts } = await readCpuProfile(source, file, stacks);
  const samples = new StackSamples(2);
  for (const [stack, count] of counts) if (stack > 0) samples.add(stack, [count, self.get(stack) ?? 0]);
  const types = [
    { name: "samples", unit: "count" },
    { name: "time", unit: "microseconds" },
  ];
  return { stacks: toStackFrames(stacks), types, main: 0, samples, facts: {} };
}

/** A `.heapprofile` as stacks of the bytes that are alive. Fails with `not-v8-profile`. */
export async function heapProfileStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const stacks = new StackTable<V8Frame>();
  const samples = new StackSamples(1);
  for (const [stack, size] of await readHeapProfile(source, file, stacks)) if (stack > 0) samples.add(stack, [size]);
  return { stacks: toStackFrames(stacks), types: [{ name: "space", unit: "bytes" }], main: 0, samples, facts: {} };
}

/** The same nodes with frames of the general form: as many, in the same order. */
function toStackFrames(stacks: StackTable<V8Frame>): StackTable<StackFrame> {
  const named = new StackTable<StackFrame>();
  for (const [at, frame] of stacks.frames.entries()) named.frame(String(at), () => v8StackFrame(frame));
  for (let node = 1; node < stacks.size; node++) named.called(stacks.callerOf(node), stacks.callOf(node));
  return named;
}

/** A function of V8's; one without a name is told as V8's own tools do. */
function v8StackFrame({ function: name, url, line }: V8Frame): StackFrame {
  return { function: name || "(anonymous)", ...(url === "" ? {} : { source: url, ...(line > 0 ? { line } : {}) }) };
}
