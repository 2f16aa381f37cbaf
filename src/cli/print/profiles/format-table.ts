import { fittedWidths, naturalWidth } from "../../../core/text/column-widths.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { cutMiddle, cutToWidth, displayWidth } from "../../../core/text/terminal-text.ts";
import { parseFormatString, type FormatPiece } from "../../../formats/text/format-string.ts";
import type { Medium } from "../medium.ts";

type Token = Extract<FormatPiece, { kind: "token" }>;

/** How the tokens of one format string are filled from a row. */
export interface TokenTable<Row> {
  readonly tokens: Readonly<Record<string, (row: Row) => string>>;
  /** Shown instead of the token's name in the head. */
  readonly heads?: Readonly<Record<string, string>>;
  /** Tokens that are never cut: of an id or a count each letter counts. */
  readonly whole: readonly string[];
  /** Colours and links, which take no room, around what is shown of a cell. */
  readonly dress?: Readonly<Record<string, (shown: string, row: Row) => string>>;
  /** The least width of columns that are wider than their heads. */
  readonly least?: Readonly<Record<string, number>>;
  /** Named in the error about an unknown token. */
  readonly setting: string;
}

interface LaidColumn {
  readonly width: number;
  readonly cells: readonly string[];
  readonly head: string;
  readonly isCuttable: boolean;
}

/**
 * A table laid out by a format string: head and lines, one per row, columns as wide as Perun makes them (width >= name,
 * cut to width when given). Where the medium has a width, the widest columns whose width is not given are cut in their
 * middle until the lines fit.
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
  const line = (cell: (own: LaidColumn, token: Token) => string): string =>
    pieces.map((piece, i) => (piece.kind === "text" ? piece.text : cell(columns[i] as LaidColumn, piece))).join("");
  const head = line((own) => centred(own, medium.ellipsis));
  const isTooWide = displayWidth(head) > medium.width;
  const cut = (text: string): string => (isTooWide ? cutToWidth(text.trimEnd(), medium.width, medium.ellipsis) : text);
  const dressed = (shown: string, { name }: Token, row: Row): string =>
    isTooWide ? shown : (table.dress?.[name]?.(shown, row) ?? shown);
  const lines = rows.map((row, at) =>
    cut(
      line((own, token) => {
        const shown = fit(own.cells[at] ?? "", own, medium);
        return dressed(shown, token, row) + token.fill.repeat(Math.max(0, own.width - displayWidth(shown)));
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
): LaidColumn {
  const value = Object.hasOwn(table.tokens, token.name) ? table.tokens[token.name] : undefined;
  if (!value)
    throw new Failure("unknown-format-token", {
      token: token.name,
      setting: table.setting,
      known: Object.keys(table.tokens),
    });
  const head = table.heads?.[token.name] ?? token.name;
  const cells = rows.map((row) => shown(value(row)));
  const least = table.least?.[token.name] ?? 0;
  const hasToFit = asPerun || Number.isFinite(width);
  const natural =
    token.width === undefined ? naturalWidth(head, cells, hasToFit) : Math.max(displayWidth(head), token.width);
  return {
    width: Math.max(least, natural),
    cells,
    head,
    isCuttable: token.width === undefined && !table.whole.includes(token.name),
  };
}

function fitted(
  columns: readonly (LaidColumn | null)[],
  pieces: readonly FormatPiece[],
  room: number,
): readonly (LaidColumn | null)[] {
  const own = columns.map((each) => each?.width ?? 0);
  const texts = pieces.reduce((sum, piece) => sum + (piece.kind === "text" ? displayWidth(piece.text) : 0), 0);
  const excess = own.reduce((sum, width) => sum + width, texts) - room;
  const widths = fittedWidths(own, excess, (i) => columns[i]?.isCuttable === true);
  return columns.map((each, i) => each && { ...each, width: widths[i] ?? 0 });
}

/** A width that was asked for cuts on the right, without an ellipsis: a cut checksum must stay a prefix. */
function fit(text: string, { width, isCuttable }: LaidColumn, medium: Medium): string {
  if (!isCuttable) return cutToWidth(text, width, "");
  return Number.isFinite(medium.width) ? cutMiddle(text, width, medium.ellipsis) : text;
}

/** As Python centres: of an odd space the odd blank goes left only when the width is odd, too. */
function centred({ head, width }: LaidColumn, ellipsis: string): string {
  const text = cutToWidth(head, width, ellipsis);
  const space = Math.max(0, width - displayWidth(text));
  const left = Math.floor(space / 2) + (space & width & 1);
  return " ".repeat(left) + text + " ".repeat(space - left);
}
