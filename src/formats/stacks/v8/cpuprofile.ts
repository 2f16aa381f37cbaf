import { StackTable, TimelineBuilder } from "../../../core/profiles/index.ts";
import { NumberList } from "../../bytes/index.ts";
import { timeOrder } from "./time-order.ts";
import { frameOf, isRoot, listOf, notV8, numberOf, objectOf, readV8Stream, type V8Frame } from "./v8-profile.ts";

/** The samples of one thread. Maps are by node of the given stacks. */
export interface CpuProfile {
  /** Microseconds on V8's clock. */
  readonly started: number;
  readonly ended: number;
  /** Self time of the stack in microseconds. */
  readonly self: ReadonlyMap<number, number>;
  readonly samples: ReadonlyMap<number, number>;
  /** What ran when, in microseconds; of the oldest files, which have no samples, nothing. */
  readonly order: TimelineBuilder;
}

/**
 * Reads a `.cpuprofile`, the type Profile of the Chrome DevTools Protocol (domain Profiler): `nodes`, `samples`, and
 * `timeDeltas` in microseconds starting at `startTime`. A sample lasts until the next one, the last until `endTime`. V8
 * may write samples out of order, with negative deltas, so they are sorted by time. Samples take eight bytes each.
 * Also reads the older form, a tree of nodes below `head`. Fails with `not-v8-profile`.
 */
export async function readCpuProfile(
  source: AsyncIterable<Uint8Array>,
  file: string,
  stacks: StackTable<V8Frame> = new StackTable(),
): Promise<CpuProfile> {
  const parts = await partsOf(source, file);
  if (parts.head !== undefined) return readTree(parts, file, stacks);
  const { nodes, samples, deltas, startTime, endTime } = parts;
  const [started, ended] = [numberOf(startTime, file, "startTime"), numberOf(endTime, file, "endTime")];
  const stackOf = stacksOf(nodes ?? missing("nodes", file), file, stacks);
  if (samples === null || deltas === null) return missing(samples === null ? "samples" : "timeDeltas", file);
  if (deltas.length !== samples.length)
    throw notV8(file, `there are ${samples.length} samples and ${deltas.length} timeDeltas`);
  const tally = new Tally(stacks.size);
  const lookup = lookupOf(stackOf);
  const stackAt = (at: number): number => lookup(samples.at(at)) ?? unreachable(file);
  addTimes(stackAt, deltas, { started, ended }, tally);
  return { started, ended, ...tally.sums() };
}

function missing(name: string, file: string): never {
  throw notV8(file, `${name} is not a list`);
}

/** The members of a document; null or undefined if absent. */
interface Parts {
  readonly nodes: Node[] | null;
  /** The outermost node of the older form. */
  readonly head: unknown;
  readonly samples: NumberList | null;
  readonly deltas: NumberList | null;
  readonly timestamps: NumberList | null;
  readonly startTime: unknown;
  readonly endTime: unknown;
}

async function partsOf(source: AsyncIterable<Uint8Array>, file: string): Promise<Parts> {
  const parts: { -readonly [Name in keyof Parts]: Parts[Name] } = {
    nodes: null,
    head: undefined,
    samples: null,
    deltas: null,
    timestamps: null,
    startTime: undefined,
    endTime: undefined,
  };
  await readV8Stream(source, file, async (key, json) => {
    if (key === "nodes") {
      const nodes: Node[] = (parts.nodes = []);
      await json.elements(key, (values) => values.forEach((value) => nodes.push(nodeOf(value, file))));
    } else if (key === "samples") await json.numbers(key, (parts.samples = new NumberList()));
    else if (key === "timeDeltas") await json.numbers(key, (parts.deltas = new NumberList()));
    else if (key === "timestamps") await json.numbers(key, (parts.timestamps = new NumberList()));
    else if (key === "head" || key === "startTime" || key === "endTime") parts[key] = await json.value();
    else await json.skip();
  });
  return parts;
}

/**
 * Reads the older form (Chrome before 58, v8-profiler): start and end are in seconds, `timestamps` in microseconds. The
 * oldest files have no samples, but `selfTime` in milliseconds or only `hitCount` for each node; samples without times
 * share the duration.
 */
function readTree(parts: Parts, file: string, stacks: StackTable<V8Frame>): CpuProfile {
  const [started, ended] = [parts.startTime ?? 0, parts.endTime ?? 0].map(
    (time, at) => numberOf(time, file, at === 0 ? "startTime" : "endTime") * 1e6,
  ) as [number, number];
  const nodes = nodesBelow(parts.head, file);
  const stackOf = stacksOf(nodes, file, stacks);
  const tally = new Tally(stacks.size);
  const { samples, timestamps } = parts;
  const hits = nodes.reduce((sum, { hits: own }) => sum + own, 0);
  const each = Math.max(ended - started, 0) / Math.max(samples?.length ?? hits, 1);
  if (samples === null)
    for (const { id, hits: own, time } of nodes) tally.add(stackOf.get(id)!, time ?? own * each, own);
  else {
    const stackAt = (at: number): number => stackOf.get(samples.at(at)) ?? unreachable(file);
    if (timestamps === null) for (let at = 0; at < samples.length; at++) tally.addNext(stackAt(at), each);
    else if (timestamps.length === samples.length) addDisordered(stackAt, numbersOf(timestamps), ended, tally);
    else throw notV8(file, `there are ${samples.length} samples and ${timestamps.length} timestamps`);
  }
  return { started, ended, ...tally.sums() };
}

/** The nodes of a tree with their counts; walks without recursion, since trees may be deep. */
function nodesBelow(head: unknown, file: string): (Node & { readonly hits: number; readonly time?: number })[] {
  const found: (Node & { readonly hits: number; readonly time?: number })[] = [];
  const pending: { readonly value: unknown; readonly siblings: unknown[] }[] = [{ value: head, siblings: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = objectOf(next.value, file, "a node");
    const id = node["id"] ?? `node ${found.length}`;
    const children: unknown[] = [];
    next.siblings.push(id);
    const [hits, time] = [node["hitCount"] ?? 0, node["selfTime"]];
    found.push({
      id,
      parent: undefined,
      children,
      ...frameOf(node, file),
      hits: numberOf(hits, file, "the hitCount of a node"),
      ...(time === undefined ? {} : { time: numberOf(time, file, "the selfTime of a node") * 1000 }),
    });
    const below = listOf(node["children"] ?? [], file, "the children of a node");
    for (const value of below.toReversed()) pending.push({ value, siblings: children });
  }
  return found;
}

function numbersOf(list: NumberList): Float64Array {
  return Float64Array.from({ length: list.length }, (_, at) => list.at(at));
}

function unreachable(file: string): never {
  throw notV8(file, "a sample refers to an unreachable node");
}

/** Looks up stacks by node id, in an array for small integers, which V8 uses. */
function lookupOf(stackOf: ReadonlyMap<unknown, number>): (id: number) => number | undefined {
  const limit = 8 * stackOf.size + 1024;
  const list: number[] = Array.from({ length: limit }, () => -1);
  for (const [id, stack] of stackOf)
    if (typeof id === "number" && id >= 0 && id < limit && Number.isInteger(id)) list[id] = stack;
  return (id) => {
    const stack = list[id];
    return stack !== undefined && stack >= 0 ? stack : stackOf.get(id);
  };
}

/** Microseconds and samples by stack, in order of first occurrence. */
class Tally {
  readonly #self: Float64Array;
  readonly #samples: Float64Array;
  readonly #order: number[] = [];
  readonly #timeline = new TimelineBuilder();

  constructor(stacks: number) {
    this.#self = new Float64Array(stacks);
    this.#samples = new Float64Array(stacks);
  }

  /** A sample that follows the previous one in time. */
  addNext(stack: number, lasted: number): void {
    this.#timeline.add(stack, lasted);
    this.add(stack, lasted, 1);
  }

  add(stack: number, lasted: number, samples: number): void {
    if (this.#samples[stack] === 0 && (samples > 0 || lasted > 0)) this.#order.push(stack);
    this.#samples[stack]! += samples;
    this.#self[stack]! += lasted;
  }

  sums(): Pick<CpuProfile, "self" | "samples" | "order"> {
    const mapOf = (amounts: Float64Array): Map<number, number> =>
      new Map(this.#order.map((stack) => [stack, amounts[stack]!]));
    return { self: mapOf(this.#self), samples: mapOf(this.#samples), order: this.#timeline };
  }
}

interface Node {
  readonly id: unknown;
  readonly key: string;
  readonly frame: V8Frame;
  readonly parent: unknown;
  readonly children: unknown[];
}

/**
 * The stack of each node, by id. Walks down from the roots, so nodes in a cycle have no stack.
 */
function stacksOf(list: readonly Node[], file: string, stacks: StackTable<V8Frame>): ReadonlyMap<unknown, number> {
  const nodes = new Map(list.map((node) => [node.id, node]));
  if (nodes.size < list.length) throw notV8(file, "two nodes have the same id");
  const called = new Set([...nodes.values()].flatMap(({ children }) => children));
  // Some writers name the parent of a node instead of the children.
  for (const { id, parent } of nodes.values()) {
    const caller = called.has(id) ? undefined : nodes.get(parent);
    caller?.children.push(id);
    if (caller !== undefined) called.add(id);
  }
  const stackById = new Map<unknown, number>();
  const pending = [...nodes.values()].filter(({ id }) => !called.has(id)).map((node) => ({ node, caller: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, caller } = next;
    if (stackById.has(node.id)) throw notV8(file, "a node has two callers");
    const stack =
      caller === 0 && isRoot(node.frame)
        ? 0
        : stacks.called(
            caller,
            stacks.frame(node.key, () => node.frame),
          );
    stackById.set(node.id, stack);
    for (const id of node.children) {
      const child = nodes.get(id);
      if (child === undefined) throw notV8(file, "a node has an undefined child");
      pending.push({ node: child, caller: stack });
    }
  }
  return stackById;
}

function nodeOf(value: unknown, file: string): Node {
  const node = objectOf(value, file, "a node");
  const children = node["children"] === undefined ? [] : listOf(node["children"], file, "the children of a node");
  return {
    id: numberOf(node["id"], file, "the id of a node"),
    parent: node["parent"],
    children: [...children],
    ...frameOf(node, file),
  };
}

/** Attributes the time until the next sample to each sample. */
function addTimes(
  stackAt: (sample: number) => number,
  deltas: NumberList,
  { started, ended }: { readonly started: number; readonly ended: number },
  tally: Tally,
): void {
  if (!isInOrder(deltas)) return addDisordered(stackAt, timesOf(deltas, started), ended, tally);
  let now = started;
  for (let at = 0; at < deltas.length; at++) {
    now += deltas.at(at);
    tally.addNext(stackAt(at), at + 1 < deltas.length ? deltas.at(at + 1) : Math.max(ended - now, 0));
  }
}

function isInOrder(deltas: NumberList): boolean {
  for (let at = 1; at < deltas.length; at++) if (deltas.at(at) < 0) return false;
  return true;
}

function timesOf(deltas: NumberList, started: number): Float64Array {
  const times = new Float64Array(deltas.length);
  for (let at = 0, now = started; at < times.length; at++) times[at] = now += deltas.at(at);
  return times;
}

function addDisordered(stackAt: (sample: number) => number, times: Float64Array, ended: number, tally: Tally): void {
  const order = timeOrder(times);
  for (let index = 0; index < order.length; index++) {
    const at = order[index]!;
    const next = order[index + 1];
    tally.addNext(stackAt(at), (next === undefined ? Math.max(ended, times[at]!) : times[next]!) - times[at]!);
  }
}
