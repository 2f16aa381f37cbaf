import { Failure } from "../../core/errors.ts";
import { cutToWidth, displayWidth, terminalText } from "../../core/terminal-text.ts";
import { parseFormatString, type FormatPiece } from "../../formats/format-string.ts";

type Token = Extract<FormatPiece, { kind: "token" }>;

/** How the tokens of one format string are filled from a row. */
export interface TokenTable<Row> {
  readonly tokens: Readonly<Record<string, (row: Row) => string>>;
  /** Shown instead of the token's name in the head. */
  readonly heads?: Readonly<Record<string, string>>;
  /** The least width of columns that are wider than their heads. */
  readonly least?: Readonly<Record<string, number>>;
  /** Named in the error about an unknown token. */
  readonly setting: string;
}

/** A table laid out by a format string: head and lines, one per row, columns as wide as Perun makes them (width >= name, cut to width when given). */
export function formatTable<Row>(format: string, rows: readonly Row[], table: TokenTable<Row>): { head: string; lines: string[] } {
  const pieces = parseFormatString(terminalText(format));
  const columns = pieces.map((piece) => (piece.kind === "token" ? column(piece, rows, table) : null));
  const line = (cell: (index: number) => string): string =>
    pieces.map((piece, i) => (piece.kind === "text" ? piece.text : fit(cell(i), columns[i]?.width ?? 0, piece.fill))).join("");
  const head = pieces
    .map((piece, i) => (piece.kind === "text" ? piece.text : centred(columns[i]?.head ?? "", columns[i]?.width ?? 0)))
    .join("");
  return { head, lines: rows.map((_, row) => line((i) => columns[i]?.cells[row] ?? "")) };
}

function column<Row>(token: Token, rows: readonly Row[], table: TokenTable<Row>): { width: number; cells: string[]; head: string } {
  const value = Object.hasOwn(table.tokens, token.name) ? table.tokens[token.name] : undefined;
  if (!value) throw new Failure("unknown-format-token", { token: token.name, setting: table.setting, known: Object.keys(table.tokens) });
  const head = table.heads?.[token.name] ?? token.name;
  const cells = rows.map((row) => terminalText(value(row)));
  const least = Math.max(displayWidth(head), table.least?.[token.name] ?? 0);
  const width = Math.max(least, ...(token.width === undefined ? cells.map(displayWidth) : [token.width]));
  return { width, cells, head };
}

/** Always cut on the right, without an ellipsis: a cut checksum must stay a prefix. */
function fit(text: string, width: number, fill: string): string {
  const shown = cutToWidth(text, width, "");
  return shown + fill.repeat(width - displayWidth(shown));
}

/** As Python centres: of an odd space the odd blank goes left only when the width is odd, too. */
function centred(text: string, width: number): string {
  const space = Math.max(0, width - displayWidth(text));
  const left = Math.floor(space / 2) + (space & width & 1);
  return " ".repeat(left) + text + " ".repeat(space - left);
}
