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
    const boxes = new BoxRow(context, y, Math.max(1, rowHeight - gap));
    visitRow(graph, layout, { row, range, width }, (frame, x, wide) => {
      const isMatch = found?.names[graph.name[frame] ?? 0] === 1;
      const fill = found === null ? undefined : isMatch ? hit : dim;
      if (wide < 2) return boxes.addNarrow(x, wide, fill ?? colorOf(frame), found === null);
      boxes.add(x, Math.max(0.7, wide - gap / 2), fill ?? colorOf(frame));
      const label = isLabelled ? labelOf(graph, frame, wide) : "";
      if (label === "") return;
      context.fillStyle = found === null || isMatch ? "#14171c" : (dimText ?? "");
      context.fillText(label, x + 3, y + rowHeight / 2);
    });
    boxes.end();
  }
}

/** Adjacent narrow boxes are filled together, at most this many pixels: filling costs more than anything else. */
const maxTogether = 8;

/** The boxes of a row. */
class BoxRow {
  readonly #context: CanvasRenderingContext2D;
  readonly #y: number;
  readonly #height: number;
  #from = 0;
  #to = 0;
  #fill = "";

  constructor(context: CanvasRenderingContext2D, y: number, height: number) {
    this.#context = context;
    this.#y = y;
    this.#height = height;
  }

  add(x: number, width: number, fill: string): void {
    this.end();
    this.#context.fillStyle = fill;
    this.#context.fillRect(x, this.#y, width, this.#height);
  }

  /** `isMixed`: neighbours of another colour may be filled with it, too. */
  addNarrow(x: number, width: number, fill: string, isMixed: boolean): void {
    const isNext = x <= this.#to + 0.5 && (fill === this.#fill || (isMixed && x - this.#from < maxTogether));
    if (!isNext || this.#fill === "") {
      this.end();
      this.#from = x;
      this.#fill = fill;
    }
    this.#to = x + width;
  }

  /** Fills the pending boxes. */
  end(): void {
    if (this.#fill === "") return;
    this.#context.fillStyle = this.#fill;
    this.#context.fillRect(this.#from, this.#y, this.#to - this.#from, this.#height);
    this.#fill = "";
    this.#to = Number.NEGATIVE_INFINITY;
  }
}

/** Clears a canvas and fits it to the pixels of the screen. */
function fittedContext(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  // Setting the size allocates new pixels.
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

function labelOf(graph: FlameGraph, frame: number, width: number): string {
  const letters = Math.floor((width - 6) / letterWidth);
  if (letters < 3) return "";
  const name = shown((graph.names[graph.name[frame] ?? 0] ?? "").slice(0, 1000));
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}
