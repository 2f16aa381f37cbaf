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
  /** Adds colors and links, which have no width, to a cell. */
  readonly dress?: Readonly<Record<string, (shown: string, row: Row) => string>>;
  /** Minimum widths of columns. */
  readonly least?: Readonly<Record<string, number>>;
  /** The setting to name in errors. */
  readonly setting: string;
}

interface LayoutColumn {
  readonly width: number;
  readonly cells: readonly string[];
  /** The display width of each cell. */
  readonly widths: Int32Array;
  readonly head: string;
  readonly canShrink: boolean;
}

/**
 * Lays out a table by a format string. Columns are as wide as in Perun: at least as wide as the head, truncated to a
 * given width. If the medium has a width, the widest columns without a given width are shortened until lines fit.
 */
export function formatTable<Row>(
  format: string,
  rows: readonly Row[],
  table: TokenTable<Row>,
  medium: Medium,
): { head: string; lines: string[] } {
  const pieces = parseFormatString(medium.shown(format));
  const natural = pieces.map((piece) => (piece.kind === "token" ? column(piece, rows, table, medium) : null));
  const columns = fitted(natural, pieces, medium.width);
  const line = (cell: (own: LayoutColumn, token: Token) => string): string =>
    pieces.map((piece, i) => (piece.kind === "text" ? piece.text : cell(columns[i] as LayoutColumn, piece))).join("");
  const head = line((own) => centred(own, medium.ellipsis));
  const isTooWide = displayWidth(head) > medium.width;
  const cut = (text: string): string => (isTooWide ? cutToWidth(text.trimEnd(), medium.width, medium.ellipsis) : text);
  const dressed = (shown: string, { name }: Token, row: Row): string =>
    isTooWide ? shown : (table.dress?.[name]?.(shown, row) ?? shown);
  const lines = rows.map((row, at) =>
    cut(
      line((own, token) => {
        const cell = own.cells[at] ?? "";
        const width = own.widths[at] ?? 0;
        const isCut = width > own.width;
        const shown = isCut ? fit(cell, own, medium) : cell;
        const blank = own.width - (isCut ? displayWidth(shown) : width);
        return dressed(shown, token, row) + (blank > 0 ? token.fill.repeat(blank) : "");
      }),
    ),
  );
  return { head: cut(head), lines };
}

function column<Row>(
  token: Token,
  rows: readonly Row[],
  table: TokenTable<Row>,
  { shown, width, asPerun }: Medium,
): LayoutColumn {
  const value = Object.hasOwn(table.tokens, token.name) ? table.tokens[token.name] : undefined;
  if (!value)
    throw new Failure("unknown-format-token", {
      token: token.name,
      setting: table.setting,
      known: Object.keys(table.tokens),
    });
  const head = table.heads?.[token.name] ?? token.name;
  const cells = rows.map((row) => shown(value(row)));
  const widths = Int32Array.from(cells, displayWidth);
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
