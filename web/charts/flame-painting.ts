import type { FlameGraph } from "../../src/core/figures/index.ts";
import { shown } from "../parts/text.tsx";
import { type FlameLayout, type FlameRange, type Matches, visitRow } from "./flame-layout.ts";

/** A flame graph and its look. */
export interface FlamePicture {
  readonly graph: FlameGraph;
  readonly layout: FlameLayout;
  readonly grows: "up" | "down";
  /** In pixels; below 1 rows share pixels. */
  readonly rowHeight: number;
  readonly colorOf: (frame: number) => string;
  /** null: no search is active. */
  readonly found: Matches | null;
}

/** The part of a picture on a canvas; lengths are in pixels of the page. */
interface FlameWindow {
  readonly range: FlameRange;
  readonly width: number;
  readonly height: number;
  /** Height of the part above. */
  readonly scrolled: number;
}

/** Width of a letter of labels, in pixels. */
const letterWidth = 6.7;
/** Minimum height of a row with labels and gaps, in pixels. */
const minLabelled = 8;

export function rowOffset({ grows, rowHeight }: FlamePicture, row: number, rows: number): number {
  return (grows === "up" ? rows - 1 - row : row) * rowHeight;
}

/** Paints the frames in a window. The cost depends on its size, not on the number of frames. */
export function paintFlames(canvas: HTMLCanvasElement, picture: FlamePicture, window: FlameWindow): void {
  const { graph, layout, rowHeight, colorOf, found } = picture;
  const { range, width, height, scrolled } = window;
  const context = fittedContext(canvas, width, height);
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const [hit, dim, dimText] = ["--hit", "--line", "--quiet"].map((name) => style.getPropertyValue(name));
  context.font = `11px ${style.fontFamily}`;
  context.textBaseline = "middle";
  const isLabelled = rowHeight >= minLabelled;
  const gap = isLabelled ? 1 : 0;
  const rows = Math.max(1, layout.rows.length - 1);
  for (let row = 0; row < rows; row += Math.max(1, Math.floor(1 / rowHeight))) {
    const y = rowOffset(picture, row, rows) - scrolled;
    if (y <= -rowHeight || y >= height) continue;
    visitRow(graph, layout, { row, range, width }, (frame, x, wide) => {
      const isMatch = found?.names[graph.name[frame] ?? 0] === 1;
      context.fillStyle = found === null ? colorOf(frame) : ((isMatch ? hit : dim) ?? "");
      context.fillRect(x, y, Math.max(0.7, wide - gap / 2), Math.max(1, rowHeight - gap));
      const label = isLabelled ? labelOf(graph, frame, wide) : "";
      if (label === "") return;
      context.fillStyle = found === null || isMatch ? "#14171c" : (dimText ?? "");
      context.fillText(label, x + 3, y + rowHeight / 2);
    });
  }
}

/** Clears a canvas and fits it to the pixels of the screen. */
function fittedContext(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context?.scale(ratio, ratio);
  return context;
}

function labelOf(graph: FlameGraph, frame: number, width: number): string {
  const letters = Math.floor((width - 6) / letterWidth);
  if (letters < 3) return "";
  const name = shown((graph.names[graph.name[frame] ?? 0] ?? "").slice(0, 1000));
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}
