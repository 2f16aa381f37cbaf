import type { TableBlock, TableColumn } from "../../core/figures/figure.ts";
import { displayWidth, padToWidth } from "../../core/text/terminal-text.ts";

/** A column as wide as its widest cell. */
export interface StyledColumn extends Pick<TableColumn, "align"> {
  readonly width: number;
}

/** What stands before the first cell of a line, between two, and behind the last. */
export type Fence = readonly [left: string, between: string, right: string];

/** Lines that no cell stands in. */
export type Ruled = (columns: readonly StyledColumn[]) => readonly string[];

/** How a table looks in a kind of text. */
export interface TableStyle {
  /** Untrusted text as a cell may hold it: nothing in it ends the cell or marks up; `at` is the place of the column. */
  readonly cell: (text: string, at: number) => string;
  /** Cells are filled up to the width of their column; a column is so many wider than its head at least. */
  readonly padded: boolean;
  readonly spare: number;
  readonly centred?: true;
  readonly head: Fence;
  readonly row: Fence;
  /** What stands around the text of a cell. */
  readonly around?: (text: string, column: StyledColumn, isHead: boolean) => string;
  readonly begin?: Ruled;
  readonly beneath?: Ruled;
  readonly between?: Ruled;
  readonly end?: Ruled;
}

const nothing: Ruled = () => [];

/** A table in a style, line by line. */
export function styledLines({ head, rows }: TableBlock, style: TableStyle): string[] {
  const labels = head.map(({ label }, at) => style.cell(label, at));
  const cells = rows.map((row) => row.map(style.cell));
  const columns = head.map(({ align }, at) => ({ align, width: widest(labels[at] ?? "", cells, at, style) }));
  const lines = cells.map((row) => lineOf(row, columns, style, false));
  const { begin = nothing, beneath = nothing, between = nothing, end = nothing } = style;
  const parted = lines.flatMap((line, at) => (at === 0 ? [line] : [...between(columns), line]));
  return [...begin(columns), lineOf(labels, columns, style, true), ...beneath(columns), ...parted, ...end(columns)];
}

function widest(label: string, rows: readonly (readonly string[])[], at: number, { spare }: TableStyle): number {
  return rows.reduce((width, row) => Math.max(width, displayWidth(row[at] ?? "")), displayWidth(label) + spare);
}

function lineOf(
  cells: readonly string[],
  columns: readonly StyledColumn[],
  style: TableStyle,
  isHead: boolean,
): string {
  const [left, between, right] = isHead ? style.head : style.row;
  const shown = columns.map((column, at) => {
    const text = style.padded ? padded(cells[at] ?? "", column, style) : (cells[at] ?? "");
    return style.around?.(text, column, isHead) ?? text;
  });
  return `${left}${shown.join(between)}${right}`.replace(/ +$/, "");
}

function padded(text: string, { width, align }: StyledColumn, { centred }: TableStyle): string {
  if (centred !== true) return padToWidth(text, width, align);
  const before = Math.floor((width - displayWidth(text)) / 2);
  return padToWidth(" ".repeat(Math.max(0, before)) + text, width);
}
