import { StackTable } from "../core/stack-table.ts";
import { frameOf, isRoot, listOf, notV8, numberOf, objectOf, readV8Document, type V8Frame } from "./v8-profile.ts";

/** What V8 saw in one thread. Maps are by nodes of the stacks that were handed in. */
export interface CpuProfile {
  /** On V8's own clock, in microseconds. */
  readonly started: number;
  readonly ended: number;
  /** Microseconds in which the stack was what ran. */
  readonly self: ReadonlyMap<number, number>;
  readonly samples: ReadonlyMap<number, number>;
}

/**
 * Reads a `.cpuprofile`, the type Profile of the Chrome DevTools Protocol (domain Profiler): `nodes`, `samples`, `timeDeltas` in microseconds, the first
 * from `startTime` on. A sample lasts until the next one begins, the last until `endTime`. V8 does not always write samples in their order: deltas may
 * be negative, so they are sorted by time first. Fails with `not-v8-profile`.
 */
export function readCpuProfile(bytes: Uint8Array, file: string, stacks: StackTable<V8Frame> = new StackTable()): CpuProfile {
  const { nodes, samples, timeDeltas, startTime, endTime } = readV8Document(bytes, file);
  const started = numberOf(startTime, file, "startTime");
  const ended = numberOf(endTime, file, "endTime");
  const stackOf = stacksOf(listOf(nodes, file, "nodes"), file, stacks);
  const taken = listOf(samples, file, "samples").map((id) => {
    const stack = stackOf.get(id);
    if (stack === undefined) throw notV8(file, "a sample is of a node that no other leads to");
    return stack;
  });
  const deltas = listOf(timeDeltas, file, "timeDeltas").map((delta) => numberOf(delta, file, "an element of timeDeltas"));
  if (deltas.length !== taken.length) throw notV8(file, `there are ${taken.length} samples and ${deltas.length} timeDeltas`);
  return { started, ended, ...timesOf(taken, deltas, started, ended) };
}

interface Node {
  readonly id: unknown;
  readonly key: string;
  readonly frame: V8Frame;
  readonly parent: unknown;
  readonly children: unknown[];
}

/** The stack of each node, by its id. Walks down from the nodes that no other calls; what is not met there is in a circle. */
function stacksOf(list: readonly unknown[], file: string, stacks: StackTable<V8Frame>): ReadonlyMap<unknown, number> {
  const nodes = new Map(list.map((each) => nodeOf(each, file)).map((node) => [node.id, node]));
  if (nodes.size < list.length) throw notV8(file, "two nodes have one id");
  const called = new Set([...nodes.values()].flatMap(({ children }) => children));
  // Some nodes name their caller, and no caller names them.
  for (const { id, parent } of nodes.values()) {
    const caller = called.has(id) ? undefined : nodes.get(parent);
    caller?.children.push(id);
    if (caller !== undefined) called.add(id);
  }
  const found = new Map<unknown, number>();
  const waiting = [...nodes.values()].filter(({ id }) => !called.has(id)).map((node) => ({ node, caller: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, caller } = next;
    if (found.has(node.id)) throw notV8(file, "a node has two callers");
    const stack =
      caller === 0 && isRoot(node.frame)
        ? 0
        : stacks.called(
            caller,
            stacks.frame(node.key, () => node.frame),
          );
    found.set(node.id, stack);
    for (const id of node.children) {
      const child = nodes.get(id);
      if (child === undefined) throw notV8(file, "a node calls one that is not there");
      waiting.push({ node: child, caller: stack });
    }
  }
  return found;
}

function nodeOf(value: unknown, file: string): Node {
  const node = objectOf(value, file, "a node");
  const children = node["children"] === undefined ? [] : listOf(node["children"], file, "the children of a node");
  return { id: numberOf(node["id"], file, "the id of a node"), parent: node["parent"], children: [...children], ...frameOf(node, file) };
}

function timesOf(
  stacks: readonly number[],
  deltas: readonly number[],
  started: number,
  ended: number,
): { self: Map<number, number>; samples: Map<number, number> } {
  let now = started;
  const times = deltas.map((delta) => (now += delta));
  const order = times.map((_, at) => at);
  if (deltas.some((delta, at) => at > 0 && delta < 0)) order.sort((a, b) => times[a]! - times[b]!);
  const self = new Map<number, number>();
  const samples = new Map<number, number>();
  for (const [place, at] of order.entries()) {
    const stack = stacks[at]!;
    const next = order[place + 1];
    const lasted = (next === undefined ? Math.max(ended, times[at]!) : times[next]!) - times[at]!;
    self.set(stack, (self.get(stack) ?? 0) + lasted);
    samples.set(stack, (samples.get(stack) ?? 0) + 1);
  }
  return { self, samples };
}
