import type { FlameGraph } from "../../src/core/figures/index.ts";

/** A frame with its position on the page, in pixels. */
export interface LaidOutFrame {
  readonly frame: number;
  readonly x: number;
  readonly width: number;
  readonly row: number;
}

/**
 * The visible part of a graph: frame `top` fills `width` pixels. Frames with a smaller share of the root than
 * `minWidth` are omitted.
 */
export interface FlameViewport {
  readonly top: number;
  readonly width: number;
  readonly minWidth: number;
}

/** Frames narrower than this many pixels are not drawn. */
const minFrameWidth = 0.8;

/** For each frame, the index after its last descendant. */
export function subtreeEnds({ depth }: FlameGraph): Int32Array {
  const ends = new Int32Array(depth.length).fill(depth.length);
  const open: number[] = [];
  for (let frame = 0; frame < depth.length; frame++) {
    for (let last = open.at(-1); last !== undefined && (depth[last] ?? 0) >= (depth[frame] ?? 0); last = open.at(-1)) {
      ends[last] = frame;
      open.pop();
    }
    open.push(frame);
  }
  return ends;
}

/** The ancestors of frame `top` at full width, `top` itself and its descendants. */
export function layoutFrames(
  graph: FlameGraph,
  ends: Int32Array,
  { top, width, minWidth }: FlameViewport,
): LaidOutFrame[] {
  const layouts: LaidOutFrame[] = [];
  for (let above = graph.parent[top] ?? -1; above >= 0; above = graph.parent[above] ?? -1)
    layouts.push({ frame: above, x: 0, width, row: graph.depth[above] ?? 0 });
  layouts.reverse();
  const [origin, whole] = [graph.start[top] ?? 0, graph.total[top] ?? 0];
  const scale = whole > 0 ? width / whole : 0;
  const end = ends[top] ?? 0;
  const least = minWidth * (graph.total[0] ?? 0);
  for (let frame = top; frame < end;) {
    const wide = frame === top ? width : (graph.total[frame] ?? 0) * scale;
    if (wide < minFrameWidth || (graph.total[frame] ?? 0) < least) {
      frame = ends[frame] ?? end;
      continue;
    }
    layouts.push({ frame, x: ((graph.start[frame] ?? 0) - origin) * scale, width: wide, row: graph.depth[frame] ?? 0 });
    frame += 1;
  }
  return layouts;
}

/** Result of a search. */
export interface Matches {
  /** For each name, 1 if it matches. */
  readonly names: Uint8Array;
  /** Total amount of the matching frames; frames below a matching frame are not counted twice. */
  readonly total: number;
  readonly frames: number;
}

export function matches(graph: FlameGraph, ends: Int32Array, text: string): Matches {
  const small = text.toLowerCase();
  const names = Uint8Array.from(graph.names, (name) => Number(name.toLowerCase().includes(small)));
  let [total, frames, covered] = [0, 0, 0];
  for (let frame = 1; frame < graph.name.length; frame++) {
    if (names[graph.name[frame] ?? 0] !== 1) continue;
    frames += 1;
    if (frame < covered) continue;
    total += graph.total[frame] ?? 0;
    covered = ends[frame] ?? frame + 1;
  }
  return { names, total, frames };
}

/** The frame that an arrow key moves to; `frame` if there is none. */
export function neighbour({ parent, depth, total }: FlameGraph, ends: Int32Array, frame: number, key: string): number {
  if (key === "ArrowUp") return Math.max(0, parent[frame] ?? 0);
  if (key === "ArrowDown") return widestChild(total, ends, frame);
  const siblings = childrenOf(ends, parent[frame] ?? -1);
  const at = siblings.findIndex((sibling) => sibling === frame);
  if (key === "ArrowRight") return siblings.slice(at + 1).find((sibling) => (total[sibling] ?? 0) > 0) ?? frame;
  if (key === "ArrowLeft")
    return siblings.slice(0, Math.max(0, at)).findLast((sibling) => (total[sibling] ?? 0) > 0) ?? frame;
  return depth[frame] === undefined ? 0 : frame;
}

function childrenOf(ends: Int32Array, frame: number): number[] {
  if (frame < 0) return [0];
  const children: number[] = [];
  for (let child = frame + 1; child < (ends[frame] ?? 0); child = ends[child] ?? child + 1) children.push(child);
  return children;
}

function widestChild(total: Float64Array, ends: Int32Array, frame: number): number {
  let best = frame;
  for (const child of childrenOf(ends, frame))
    if (best === frame || (total[child] ?? 0) > (total[best] ?? 0)) best = child;
  return best;
}

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
