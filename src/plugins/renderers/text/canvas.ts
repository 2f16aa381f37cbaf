const brailleBase = 0x2800;
/** Bit of the dot in column x (0, 1) and line y (0..3) of a braille character: ISO/IEC 11548-1. */
const dotBits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** A raster of character cells that lines are drawn into by dots (2 × 4 a cell with braille, 1 × 1 without) and marks by cell. */
export interface Canvas {
  readonly columns: number;
  readonly lines: number;
  /** Dots along and down. */
  readonly dotColumns: number;
  readonly dotLines: number;
  dot(x: number, y: number, color: number): void;
  line(x0: number, y0: number, x1: number, y1: number, color: number): void;
  put(column: number, line: number, char: string, color: number): void;
  /** One text a line; `paint` colours a piece of one colour. */
  print(paint: (text: string, color: number) => string): string[];
}

/** An empty canvas. Colours are small numbers from 0; whatever lies outside is not drawn. */
export function canvasOf(columns: number, lines: number, unicode: boolean): Canvas {
  const [across, down] = unicode ? [2, 4] : [1, 1];
  const dots = new Uint8Array(columns * lines);
  const colors = new Int16Array(columns * lines).fill(-1);
  const marks = new Map<number, string>();
  const dotColumns = columns * across;
  const dotLines = lines * down;

  const dot = (x: number, y: number, color: number): void => {
    if (!(x >= 0 && y >= 0 && x < dotColumns && y < dotLines)) return;
    const cell = Math.floor(y / down) * columns + Math.floor(x / across);
    dots[cell] = (dots[cell] ?? 0) | (dotBits[x % across === 1 ? 1 : 0][y % down] ?? 1);
    colors[cell] = color;
  };
  const put = (column: number, line: number, char: string, color: number): void => {
    if (!(column >= 0 && line >= 0 && column < columns && line < lines)) return;
    marks.set(line * columns + column, char);
    colors[line * columns + column] = color;
  };
  const charAt = (cell: number): string => {
    const bits = dots[cell] ?? 0;
    return marks.get(cell) ?? (bits === 0 ? " " : unicode ? String.fromCharCode(brailleBase + bits) : ".");
  };
  const print = (paint: (text: string, color: number) => string): string[] =>
    Array.from({ length: lines }, (_, line) =>
      printLine(line * columns, columns, charAt, (cell) => colors[cell] ?? -1, paint),
    );
  return { columns, lines, dotColumns, dotLines, dot, put, print, line: (...ends) => drawLine(dot, ...ends) };
}

/** Bresenham's line. */
function drawLine(dot: Canvas["dot"], x0: number, y0: number, x1: number, y1: number, color: number): void {
  const dx = Math.abs(x1 - x0);
  const dy = -Math.abs(y1 - y0);
  let [x, y, error] = [x0, y0, dx + dy];
  for (;;) {
    dot(x, y, color);
    if (x === x1 && y === y1) return;
    const twice = 2 * error;
    if (twice >= dy) [error, x] = [error + dy, x + Math.sign(x1 - x0)];
    if (twice <= dx) [error, y] = [error + dx, y + Math.sign(y1 - y0)];
  }
}

function printLine(
  first: number,
  columns: number,
  charAt: (cell: number) => string,
  colorOf: (cell: number) => number,
  paint: (text: string, color: number) => string,
): string {
  let out = "";
  let piece = "";
  let color = -1;
  for (let cell = first; cell < first + columns; cell++) {
    const char = charAt(cell);
    const own = char === " " ? color : colorOf(cell);
    if (own !== color) {
      out += piece === "" ? "" : paint(piece, color);
      piece = "";
      color = own;
    }
    piece += char;
  }
  return out + (piece === "" ? "" : paint(piece, color));
}
