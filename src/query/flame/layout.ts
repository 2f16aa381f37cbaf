import type { FlameGraph } from "../../core/figures/index.ts";
import type { CallTree } from "./call-tree.ts";
import { calleesOf, walk } from "./callees.ts";

/** The layout of the nodes of a tree in a flame graph. */
export interface FrameLayout extends Pick<FlameGraph, "parent" | "depth" | "name"> {
  /** The node of each frame. */
  readonly node: Int32Array;
}

/** Inclusive amounts of nodes. */
export function totalsOf({ caller }: Pick<CallTree, "caller">, own: Float64Array): Float64Array {
  const total = own.slice();
  for (let node = total.length - 1; node > 0; node--) total[caller[node]!]! += total[node]!;
  return total;
}

/**
 * The layout of all wanted nodes (with their callers) depth-first in order of name. `root`: index of the root's name.
 */
export function layoutOf(tree: Omit<CallTree, "own">, isWanted: (node: number) => boolean, root: number): FrameLayout {
  const { caller, name } = tree;
  const nodes = byName(tree, isWanted);
  const [parent, depth, node] = [
    new Int32Array(nodes.length + 1),
    new Int32Array(nodes.length + 1),
    new Int32Array(nodes.length + 1),
  ];
  const words = new Int32Array(nodes.length + 1);
  parent[0] = -1;
  words[0] = root;
  const frames = new Int32Array(caller.length);
  let frame = 0;
  const enter = (at: number): void => {
    frames[at] = ++frame;
    node[frame] = at;
    words[frame] = name[at]!;
    parent[frame] = frames[caller[at]!]!;
    depth[frame] = depth[parent[frame]!]! + 1;
  };
  walk(calleesOf(caller, nodes), caller, enter, () => {});
  return { parent, depth, node, name: words };
}

/** The wanted nodes except the root in order of name, by counting sort. */
function byName({ caller, name, words }: Omit<CallTree, "own">, isWanted: (node: number) => boolean): Int32Array {
  const ranks = ranksOf(words.names);
  const ends = new Int32Array(words.names.length + 1);
  let count = 0;
  for (let node = 1; node < caller.length; node++) {
    if (!isWanted(node)) continue;
    ends[ranks[name[node]!]! + 1]! += 1;
    count += 1;
  }
  for (let rank = 1; rank < ends.length; rank++) ends[rank]! += ends[rank - 1]!;
  const sorted = new Int32Array(count);
  for (let node = 1; node < caller.length; node++) if (isWanted(node)) sorted[ends[ranks[name[node]!]!]!++] = node;
  return sorted;
}

/** By code units, so that the order is the same everywhere. */
function ranksOf(names: readonly string[]): Int32Array {
  const order = [...names.keys()].sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  const ranks = new Int32Array(names.length);
  order.forEach((name, rank) => (ranks[name] = rank));
  return ranks;
}

/** Maps values of nodes to frames. */
export function valuesOfFrames(values: Float64Array, { node }: FrameLayout): Float64Array {
  const of = new Float64Array(node.length);
  for (let frame = 0; frame < node.length; frame++) of[frame] = values[node[frame]!]!;
  return of;
}

/** The start of each frame next to its siblings. */
export function startsOf({ parent }: FrameLayout, total: Float64Array): Float64Array {
  const start = new Float64Array(total.length);
  const next = new Float64Array(total.length);
  for (let frame = 1; frame < total.length; frame++) {
    const above = parent[frame]!;
    start[frame] = next[frame] = next[above]!;
    next[above]! += total[frame]!;
  }
  return start;
}
