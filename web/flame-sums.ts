import type { FlameGraph } from "../src/core/flame-graph.ts";

/** What all frames of one name come to. */
export interface FunctionSum {
  readonly name: string;
  readonly self: number;
  /** With all below, those within another frame of the same name not counted again. */
  readonly total: number;
}

/** The most first. */
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
