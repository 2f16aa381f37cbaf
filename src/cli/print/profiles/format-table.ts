import { fittedWidths, naturalWidth, cutMiddle, cutToWidth, displayWidth } from "../../../core/text/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { parseFormatString, type FormatPiece } from "../../../formats/text/index.ts";
import type { Medium } from "../medium.ts";

type Token = Extract<FormatPiece, { kind: "token" }>;

/** The tokens of a format string. */
export interface TokenTable<Row> {
  readonly tokens: Readonly<Record<string, (row: Row) => string>>;
  /** Column heads, instead of the token names. */
  readonly heads?: Readonly<Record<string, string>>;
  /** Tokens that are never shortened, such as ids and counts. */
  readonly whole: readonly string[];
  /** Adds colors and links, which have no width, to a cell; `cell` is all of its text. */
  readonly dress?: Readonly<Record<string, (shown: string, cell: string) => string>>;
  /** Rewrites the cells of a column once all are known, such as to align the numbers in them. */
  readonly align?: Readonly<Record<string, (cells: readonly string[]) => readonly string[]>>;
  /** Minimum widths of columns. */
  readonly least?: Readonly<Record<string, number>>;
  /** The setting to name in errors. */
  readonly setting: string;
}

interface LayoutColumn {
  readonly width: number;
  readonly cells: readonly string[];
  /** The display width of each cell. */
  readonly widths: readonly number[];
  readonly head: string;
  readonly canShrink: boolean;
}

/**
 * Lays out a table by a format string. Columns are as wide as in Perun: at least as wide as the head, truncated to a
 * given width. If the medium has a width, the widest columns without a given width are shortened until lines fit. Rows
 * are not kept, only their cells.
 */
export class FormattedTable<Row> {
  readonly #pieces: readonly FormatPiece[];
  readonly #table: TokenTable<Row>;
  readonly #medium: Medium;
  /** By piece: the cells of a token, and how to make them. */
  readonly #columns: readonly (CellColumn<Row> | null)[];
  #length = 0;

  /** Fails with `unknown-format-token`. */
  constructor(format: string, table: TokenTable<Row>, medium: Medium) {
    this.#pieces = parseFormatString(medium.shown(format));
    this.#table = table;
    this.#medium = medium;
    this.#columns = this.#pieces.map((piece) => (piece.kind === "token" ? newColumn(piece, table) : null));
  }

  add(rows: readonly Row[]): void {
    for (const column of this.#columns) if (column) addCells(column, rows, this.#medium);
    this.#length += rows.length;
  }

  /** Its head, and its lines in turn: the garbage collector would move all lines of a long table several times. */
  layOut(): { head: string; lines: Generator<string> } {
    const medium = this.#medium;
    const columns = fitted(
      this.#columns.map((column) => column && laidOut(column, this.#table, medium)),
      this.#pieces,
      medium.width,
    );
    const head = this.#pieces
      .map((piece, i) => (piece.kind === "text" ? piece.text : centred(columns[i] as LayoutColumn, medium.ellipsis)))
      .join("");
    const isTooWide = displayWidth(head) > medium.width;
    const cut = (text: string): string =>
      isTooWide ? cutToWidth(text.trimEnd(), medium.width, medium.ellipsis) : text;
    const parts = this.#pieces.map((piece, i) =>
      piece.kind === "text"
        ? () => piece.text
        : cellsOf(columns[i] as LayoutColumn, piece, isTooWide ? undefined : this.#table.dress?.[piece.name], medium),
    );
    return { head: cut(head), lines: linesOf(parts, this.#length, cut) };
  }
}

function* linesOf(
  parts: readonly ((at: number) => string)[],
  length: number,
  cut: (line: string) => string,
): Generator<string> {
  for (let at = 0; at < length; at++) {
    let line = "";
    for (const part of parts) line += part(at);
    yield cut(line);
  }
}

interface CellColumn<Row> {
  readonly token: Token;
  readonly value: (row: Row) => string;
  readonly align: ((cells: readonly string[]) => readonly string[]) | undefined;
  readonly cells: string[];
  /** The display width of each cell, measured while further rows are awaited; unused if cells are aligned. */
  readonly widths: number[];
}

function newColumn<Row>(token: Token, table: TokenTable<Row>): CellColumn<Row> {
  const align = table.align?.[token.name];
  return { token, value: valueOf(token, table), align, cells: [], widths: [] };
}

/** The table of rows that are all known. */
export function formatTable<Row>(
  format: string,
  rows: readonly Row[],
  table: TokenTable<Row>,
  medium: Medium,
): { head: string; lines: string[] } {
  const formatted = new FormattedTable(format, table, medium);
  formatted.add(rows);
  const { head, lines } = formatted.layOut();
  return { head, lines: [...lines] };
}

/** Most cells of a column are often the same. */
function addCells<Row>({ value, align, cells, widths }: CellColumn<Row>, rows: readonly Row[], medium: Medium): void {
  let last = cells.at(-1) ?? "";
  let width = widths.at(-1) ?? 0;
  for (const row of rows) {
    const cell = medium.shown(value(row));
    cells.push(cell);
    if (align !== undefined) continue;
    if (cell !== last) [last, width] = [cell, displayWidth(cell)];
    widths.push(width);
  }
}

function valueOf<Row>(token: Token, { tokens, setting }: TokenTable<Row>): (row: Row) => string {
  const value = Object.hasOwn(tokens, token.name) ? tokens[token.name] : undefined;
  if (!value) throw new Failure("unknown-format-token", { token: token.name, setting, known: Object.keys(tokens) });
  return value;
}

/** The text of a column by line, filled up to its width. */
function cellsOf(
  own: LayoutColumn,
  token: Token,
  dress: ((shown: string, cell: string) => string) | undefined,
  medium: Medium,
): (at: number) => string {
  return (at) => {
    const cell = own.cells[at] ?? "";
    const width = own.widths[at] ?? 0;
    const isCut = width > own.width;
    const shown = isCut ? fit(cell, own, medium) : cell;
    const blank = own.width - (isCut ? displayWidth(shown) : width);
    const dressed = dress === undefined ? shown : dress(shown, cell);
    return blank > 0 ? dressed + token.fill.repeat(blank) : dressed;
  };
}

function laidOut<Row>(
  { token, align, cells: added, widths: measured }: CellColumn<Row>,
  table: TokenTable<Row>,
  { width, asPerun }: Medium,
): LayoutColumn {
  const head = table.heads?.[token.name] ?? token.name;
  const cells = align === undefined ? added : align(added);
  const widths = align === undefined ? measured : cells.map((cell) => displayWidth(cell));
  const least = table.least?.[token.name] ?? 0;
  const mustFit = asPerun || Number.isFinite(width);
  const natural =
    token.width === undefined ? naturalWidth(head, widths, mustFit) : Math.max(displayWidth(head), token.width);
  return {
    width: Math.max(least, natural),
    cells,
    widths,
    head,
    canShrink: token.width === undefined && !table.whole.includes(token.name),
  };
}

function fitted(
  columns: readonly (LayoutColumn | null)[],
  pieces: readonly FormatPiece[],
  available: number,
): readonly (LayoutColumn | null)[] {
  const own = columns.map((each) => each?.width ?? 0);
  const texts = pieces.reduce((sum, piece) => sum + (piece.kind === "text" ? displayWidth(piece.text) : 0), 0);
  const excess = own.reduce((sum, width) => sum + width, texts) - available;
  const widths = fittedWidths(own, excess, (i) => columns[i]?.canShrink === true);
  return columns.map((each, i) => each && { ...each, width: widths[i] ?? 0 });
}

/** A given width truncates without an ellipsis: a truncated checksum must stay a prefix. */
function fit(text: string, { width, canShrink }: LayoutColumn, medium: Medium): string {
  if (!canShrink) return cutToWidth(text, width, "");
  return Number.isFinite(medium.width) ? cutMiddle(text, width, medium.ellipsis) : text;
}

/** Centers like Python: an odd blank goes left only if the width is odd as well. */
function centred({ head, width }: LayoutColumn, ellipsis: string): string {
  const text = cutToWidth(head, width, ellipsis);
  const space = Math.max(0, width - displayWidth(text));
  const left = Math.floor(space / 2) + (space & width & 1);
  return " ".repeat(left) + text + " ".repeat(space - left);
}
