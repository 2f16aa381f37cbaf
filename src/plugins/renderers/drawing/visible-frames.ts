import type { FlameBlock } from "../../../core/figures/index.ts";
import { percent } from "./flame-words.ts";

/** Maximum boxes that browsers render quickly. */
const maxBoxes = 20_000;
/** Maximum frames without boxes that a picture knows, for search and zoom. */
const maxRest = 100_000;
/** Maximum rows, limited by the image height that programs support. */
const maxRows = 400;

/** The frames to draw, in the graph's order, and notes on the others. */
export interface VisibleFrames {
  readonly frames: readonly number[];
  /** Rows of boxes, including the root. */
  readonly rows: number;
  readonly notes: readonly string[];
  /** Frames that are not drawn, in the graph's order: the largest ones. */
  readonly rest: readonly number[];
  /** Number of frames that are neither drawn nor in `rest`. */
  readonly omitted: number;
}

/** Selects the frames to draw at a width of `pixels`. */
export function visibleFrames({ graph, minWidth }: FlameBlock, pixels: number): VisibleFrames {
  const { total, depth } = graph;
  const minimum = minimumWidth(graph, Math.max(minWidth ?? 0.1 / pixels, 0) * total[0]!);
  const [frames, rest]: [number[], number[]] = [[], []];
  let [narrow, deep, rows] = [0, 0, 0];
  for (let frame = 0; frame < total.length; frame++) {
    if (total[frame] === 0) continue;
    if (total[frame]! < minimum) narrow += 1;
    else if (depth[frame]! >= maxRows) deep += 1;
    else {
      frames.push(frame);
      rows = Math.max(rows, depth[frame]! + 1);
      continue;
    }
    rest.push(frame);
  }
  const known = largest(rest, total);
  return {
    frames,
    rows,
    notes: notes(narrow, minimum / total[0]!, deep),
    rest: known,
    omitted: rest.length - known.length,
  };
}

/** At most `maxRest` of the frames, in order. */
function largest(frames: readonly number[], total: FlameBlock["graph"]["total"]): readonly number[] {
  if (frames.length <= maxRest) return frames;
  const least = Float64Array.from(frames, (frame) => total[frame]!).sort()[frames.length - maxRest]!;
  return frames.filter((frame) => total[frame]! >= least).slice(0, maxRest);
}

/** The minimum width that limits the drawn frames to `maxBoxes`. */
function minimumWidth({ total, depth }: FlameBlock["graph"], requested: number): number {
  const wide = total.filter((width, frame) => width >= requested && width > 0 && depth[frame]! < maxRows);
  if (wide.length <= maxBoxes) return requested;
  const threshold = wide.sort()[wide.length - maxBoxes]!;
  return threshold > wide[0]! || threshold === total[0] ? threshold : threshold * (1 + Number.EPSILON);
}

function notes(narrow: number, minimum: number, deep: number): string[] {
  const frames = (count: number): string => (count === 1 ? "1 frame" : `${count} frames`);
  return [
    ...(narrow === 0 ? [] : [`${frames(narrow)} narrower than ${percent(minimum)} not drawn`]),
    ...(deep === 0 ? [] : [`${frames(deep)} below ${maxRows} rows not drawn: choose one with focus`]),
  ];
}
