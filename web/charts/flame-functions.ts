import type { FlameGraph } from "../../src/core/figures/index.ts";

/** Amounts of all frames with one name. */
interface FunctionSum {
  readonly name: string;
  readonly self: number;
  /** Includes descendants; recursive frames are counted once. */
  readonly total: number;
}

/** Sorted by self amount, largest first. */
export function functionSums(graph: FlameGraph): FunctionSum[] {
  const self = new Float64Array(graph.names.length);
  const total = new Float64Array(graph.names.length);
  const open = new Int32Array(graph.names.length);
  const path: number[] = [];
  for (let frame = 0; frame < graph.name.length; frame++) {
    const depth = graph.depth[frame] ?? 0;
    while (path.length > depth) open[path.pop() ?? 0]! -= 1;
    const name = graph.name[frame] ?? 0;
    path.push(name);
    self[name]! += graph.self[frame] ?? 0;
    if (open[name] === 0) total[name]! += graph.total[frame] ?? 0;
    open[name]! += 1;
  }
  const sums = graph.names.map((name, i) => ({ name, self: self[i] ?? 0, total: total[i] ?? 0 }));
  return sums.slice().sort((a, b) => b.self - a.self || b.total - a.total);
}

/** The graph of the callees of a function, merged over all its outermost calls, or of its callers. */
export function functionGraph(
  graph: FlameGraph,
  ends: Int32Array,
  name: number,
  side: "callees" | "callers",
): FlameGraph {
  const tree = new MergedTree(graph.names.length, name);
  for (let frame = 1; frame < graph.name.length; frame++) {
    if (graph.name[frame] !== name) continue;
    if (side === "callees") tree.addBelow(graph, frame, ends[frame] ?? 0);
    else tree.addAbove(graph, frame);
    frame = (ends[frame] ?? frame + 1) - 1;
  }
  return tree.graph(graph, side);
}

/** Paths of frames below one root; equal paths are merged. */
class MergedTree {
  readonly #names: number;
  readonly #parent: number[] = [-1];
  readonly #name: number[];
  readonly #own: number[] = [0];
  readonly #children = new Map<number, number>();

  constructor(names: number, root: number) {
    this.#names = names;
    this.#name = [root];
  }

  #node(parent: number, name: number): number {
    const key = parent * this.#names + name;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const node = this.#parent.push(parent) - 1;
    this.#name.push(name);
    this.#own.push(0);
    this.#children.set(key, node);
    return node;
  }

  addBelow(graph: FlameGraph, top: number, end: number): void {
    const nodes = [0];
    const from = graph.depth[top] ?? 0;
    for (let frame = top; frame < end; frame++) {
      const level = (graph.depth[frame] ?? 0) - from;
      const node = level === 0 ? 0 : this.#node(nodes[level - 1] ?? 0, graph.name[frame] ?? 0);
      nodes[level] = node;
      this.#own[node]! += graph.self[frame] ?? 0;
    }
  }

  addAbove(graph: FlameGraph, frame: number): void {
    let node = 0;
    for (let at = graph.parent[frame] ?? 0; at > 0; at = graph.parent[at] ?? 0)
      node = this.#node(node, graph.name[at] ?? 0);
    this.#own[node]! += graph.total[frame] ?? 0;
  }

  /** The tree depth first, siblings by name. */
  graph({ names, modules, quantity, unit }: FlameGraph, side: "callees" | "callers"): FlameGraph {
    const nodes = this.#depthFirst(names);
    const total = Float64Array.from(this.#own);
    for (let node = total.length - 1; node > 0; node--) total[this.#parent[node]!]! += total[node]!;
    const frames = new Int32Array(nodes.length);
    for (const [frame, node] of nodes.entries()) frames[node] = frame;
    const parent = Int32Array.from(nodes, (node) => (node === 0 ? -1 : frames[this.#parent[node]!]!));
    const wide = Float64Array.from(nodes, (node) => total[node]!);
    return {
      names,
      ...(modules === undefined ? {} : { modules }),
      name: Int32Array.from(nodes, (node) => this.#name[node]!),
      parent,
      ...positionsOf(parent, wide),
      total: wide,
      self: Float64Array.from(nodes, (node) => this.#own[node]!),
      quantity,
      ...(unit === undefined ? {} : { unit }),
      form: side === "callees" ? "plain" : "inverted",
    };
  }

  #depthFirst(names: readonly string[]): number[] {
    const children: number[][] = Array.from(this.#own, () => []);
    for (let node = 1; node < children.length; node++) children[this.#parent[node]!]!.push(node);
    const word = (node: number): string => names[this.#name[node]!] ?? "";
    const nodes: number[] = [];
    const open = [0];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      nodes.push(node);
      children[node]!.sort((a, b) => (word(a) < word(b) ? 1 : word(a) > word(b) ? -1 : 0));
      for (const child of children[node]!) open.push(child);
    }
    return nodes;
  }
}

function positionsOf(parent: Int32Array, total: Float64Array): Pick<FlameGraph, "depth" | "start"> {
  const depth = new Int32Array(parent.length);
  const start = new Float64Array(parent.length);
  const next = new Float64Array(parent.length);
  for (let frame = 1; frame < parent.length; frame++) {
    const above = parent[frame]!;
    depth[frame] = depth[above]! + 1;
    start[frame] = next[above]!;
    next[frame] = start[frame]!;
    next[above]! += total[frame]!;
  }
  return { depth, start };
}
