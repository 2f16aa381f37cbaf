import type { TableBlock, TableColumn } from "../../core/figures/figure.ts";
import { displayWidth, padToWidth } from "../../core/text/terminal-text.ts";

/** A column as wide as its widest cell. */
export interface StyledColumn extends Pick<TableColumn, "align"> {
  readonly width: number;
}

/** Text before the first cell of a line, between cells, and after the last. */
export type Delimiters = readonly [left: string, between: string, right: string];

/** Lines without cells. */
export type RuleLines = (columns: readonly StyledColumn[]) => readonly string[];

/** Format of a table in a text markup. */
export interface TableStyle {
  /** Escapes untrusted text of a cell; `at` is the index of the column. */
  readonly cell: (text: string, at: number) => string;
  /** Whether cells are padded to the column width, and the minimum padding of the header in columns. */
  readonly padded: boolean;
  readonly spare: number;
  readonly centred?: true;
  readonly head: Delimiters;
  readonly row: Delimiters;
  /** Wraps the text of a cell. */
  readonly around?: (text: string, column: StyledColumn, isHead: boolean) => string;
  readonly begin?: RuleLines;
  readonly afterHead?: RuleLines;
  readonly between?: RuleLines;
  readonly end?: RuleLines;
}

const noLines: RuleLines = () => [];

/** The lines of a table in a style. */
export function styledLines({ head, rows }: TableBlock, style: TableStyle): string[] {
  const labels = head.map(({ label }, at) => style.cell(label, at));
  const cells = rows.map((row) => row.map(style.cell));
  const columns = head.map(({ align }, at) => ({ align, width: widest(labels[at] ?? "", cells, at, style) }));
  const lines = cells.map((row) => lineOf(row, columns, style, false));
  const { begin = noLines, afterHead = noLines, between = noLines, end = noLines } = style;
  const separated = lines.flatMap((line, at) => (at === 0 ? [line] : [...between(columns), line]));
  return [...begin(columns), lineOf(labels, columns, style, true), ...afterHead(columns), ...separated, ...end(columns)];
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
