import type { FlameBlock } from "../../../core/figures/figure.ts";
import { percent } from "./flame-words.ts";

/** More boxes make a picture that no browser turns swiftly. */
const mostBoxes = 20_000;
/** More rows make a picture that is taller than programs show. */
const mostRows = 400;

/** The frames of a graph that are drawn, in its order, and what is to be said of the others. */
export interface ShownFrames {
  readonly frames: readonly number[];
  /** Rows of boxes, with that of the root. */
  readonly rows: number;
  readonly notes: readonly string[];
}

/** The frames that a picture of this many pixels shows. */
export function shownFrames({ graph, minWidth }: FlameBlock, pixels: number): ShownFrames {
  const { total, depth } = graph;
  const least = narrowest(graph, Math.max(minWidth ?? 0.1 / pixels, 0) * total[0]!);
  const frames: number[] = [];
  let [narrow, deep, rows] = [0, 0, 0];
  for (let frame = 0; frame < total.length; frame++) {
    if (total[frame] === 0) continue;
    if (total[frame]! < least) narrow += 1;
    else if (depth[frame]! >= mostRows) deep += 1;
    else {
      frames.push(frame);
      rows = Math.max(rows, depth[frame]! + 1);
    }
  }
  return { frames, rows, notes: notes(narrow, least / total[0]!, deep) };
}

/** The least width of which there are not too many in the rows that are drawn. */
function narrowest({ total, depth }: FlameBlock["graph"], wanted: number): number {
  const wide = total.filter((width, frame) => width >= wanted && width > 0 && depth[frame]! < mostRows);
  if (wide.length <= mostBoxes) return wanted;
  const most = wide.sort()[wide.length - mostBoxes]!;
  return most > wide[0]! || most === total[0] ? most : most * (1 + Number.EPSILON);
}

function notes(narrow: number, least: number, deep: number): string[] {
  const frames = (count: number): string => (count === 1 ? "1 frame" : `${count} frames`);
  return [
    ...(narrow === 0 ? [] : [`${frames(narrow)} narrower than ${percent(least)} not drawn`]),
    ...(deep === 0 ? [] : [`${frames(deep)} below ${mostRows} rows not drawn: choose one with focus`]),
  ];
}
