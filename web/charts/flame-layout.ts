import type { FlameGraph } from "../../src/core/figures/index.ts";

/** Order of siblings: by name, as in the graph, or by amount, the largest first (left-heavy). */
export type FlameOrder = "name" | "amount";

/** Positions of all frames, and the frames of each row from left to right. */
export interface FlameLayout {
  /** Offset of each frame from the start of the root, in the unit of the graph. */
  readonly x: Float64Array;
  /** Row `r` consists of `frames[rows[r]]` up to `frames[rows[r + 1]]`, exclusively. */
  readonly rows: Int32Array;
  readonly frames: Int32Array;
}

/** The visible part of the horizontal axis, in the unit of the graph. */
export interface FlameRange {
  readonly left: number;
  readonly width: number;
}

/** Frames narrower than this many pixels are drawn together with their neighbours. */
const minFrameWidth = 1;

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

/** Lays out a graph; frames without amount or with a smaller share of the root than `minShare` are left out. */
export function layoutFrames(graph: FlameGraph, ends: Int32Array, order: FlameOrder, minShare: number): FlameLayout {
  const { depth, total } = graph;
  const least = minShare * (total[0] ?? 0);
  const x = order === "name" ? graph.start : new Float64Array(depth.length);
  const sequence = order === "name" ? undefined : orderByAmount(graph, ends, x);
  const isKept = (frame: number): boolean => frame === 0 || ((total[frame] ?? 0) > 0 && (total[frame] ?? 0) >= least);
  let deepest = 0;
  for (let frame = 0; frame < depth.length; frame++)
    if (isKept(frame) && (depth[frame] ?? 0) > deepest) deepest = depth[frame] ?? 0;
  const rows = new Int32Array(deepest + 2);
  for (let frame = 0; frame < depth.length; frame++) if (isKept(frame)) rows[(depth[frame] ?? 0) + 1]! += 1;
  for (let row = 1; row < rows.length; row++) rows[row]! += rows[row - 1]!;
  const frames = new Int32Array(rows.at(-1) ?? 0);
  const next = rows.slice();
  for (let at = 0; at < depth.length; at++) {
    const frame = sequence === undefined ? at : sequence[at]!;
    if (isKept(frame)) frames[next[depth[frame] ?? 0]!++] = frame;
  }
  return { x, rows, frames };
}

/** All frames depth first, siblings by descending amount; sets their positions in `x`. */
function orderByAmount({ total }: FlameGraph, ends: Int32Array, x: Float64Array): Int32Array {
  const sequence = new Int32Array(total.length);
  const open = [0];
  for (let at = 0; at < sequence.length; at++) {
    const frame = open.pop() ?? 0;
    sequence[at] = frame;
    const children = childrenOf(ends, frame);
    if (children.length > 1) children.sort((a, b) => (total[b] ?? 0) - (total[a] ?? 0) || a - b);
    let offset = x[frame] ?? 0;
    for (const child of children) {
      x[child] = offset;
      offset += total[child] ?? 0;
    }
    for (let child = children.length - 1; child >= 0; child--) open.push(children[child]!);
  }
  return sequence;
}

/** The first index of a row whose frame ends after `offset`. */
function firstAfter({ x, rows, frames }: FlameLayout, { total }: FlameGraph, row: number, offset: number): number {
  let [low, high] = [rows[row] ?? 0, rows[row + 1] ?? 0];
  while (low < high) {
    const middle = (low + high) >> 1;
    const frame = frames[middle]!;
    if (x[frame]! + total[frame]! > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Visits the visible frames of a row from left to right, with their position in pixels of a picture of `width` pixels.
 * Of frames that share a pixel the first is visited: the cost depends on the pixels, not on the frames.
 */
export function visitRow(
  graph: FlameGraph,
  layout: FlameLayout,
  { row, range, width }: { readonly row: number; readonly range: FlameRange; readonly width: number },
  visit: (frame: number, x: number, width: number) => void,
): void {
  const { x, rows, frames } = layout;
  const scale = range.width > 0 ? width / range.width : 0;
  const right = range.left + range.width;
  const end = rows[row + 1] ?? 0;
  for (let at = firstAfter(layout, graph, row, range.left); at < end;) {
    const frame = frames[at]!;
    if (x[frame]! >= right) return;
    const left = (x[frame]! - range.left) * scale;
    const wide = graph.total[frame]! * scale;
    const from = Math.max(0, left);
    if (wide >= minFrameWidth) {
      visit(frame, from, Math.min(width, left + wide) - from);
      at += 1;
      continue;
    }
    visit(frame, from, minFrameWidth);
    at = Math.max(at + 1, firstAfter(layout, graph, row, range.left + (Math.floor(left) + 1) / scale));
  }
}

/** The frame at an offset of a row; undefined if there is none. */
export function frameAt(graph: FlameGraph, layout: FlameLayout, row: number, offset: number): number | undefined {
  if (row < 0 || row >= layout.rows.length - 1) return undefined;
  const at = firstAfter(layout, graph, row, offset);
  const frame = at < (layout.rows[row + 1] ?? 0) ? layout.frames[at] : undefined;
  return frame !== undefined && layout.x[frame]! <= offset ? frame : undefined;
}

/** Multiplies the range by `factor` around `center`, and moves it by `shift`; it stays within the root. */
export function changedRange(
  { left, width }: FlameRange,
  whole: number,
  {
    factor = 1,
    center = 0,
    shift = 0,
  }: { readonly factor?: number; readonly center?: number; readonly shift?: number },
): FlameRange {
  const wide = Math.min(whole, Math.max(width * factor, whole * 1e-9));
  const moved = center - (center - left) * (wide / (width || 1)) + shift;
  return { left: Math.min(Math.max(0, moved), whole - wide), width: wide };
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

/**
 * The frame that an arrow key moves to; `frame` if there is none. ArrowUp is the caller, ArrowDown the largest callee.
 */
export function neighbour(
  graph: FlameGraph,
  ends: Int32Array,
  layout: FlameLayout,
  frame: number,
  key: string,
): number {
  const { parent, total, depth } = graph;
  if (key === "ArrowUp") return Math.max(0, parent[frame] ?? 0);
  if (key === "ArrowDown") return widestChild(total, ends, frame);
  const step = key === "ArrowRight" ? 1 : -1;
  const { rows, frames } = layout;
  const row = depth[frame] ?? 0;
  const at = firstAfter(layout, graph, row, (layout.x[frame] ?? 0) + (total[frame] ?? 0) / 2) + step;
  const next = at >= (rows[row] ?? 0) && at < (rows[row + 1] ?? 0) ? frames[at] : undefined;
  return next !== undefined && parent[next] === parent[frame] ? next : frame;
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
