import type { TableBlock } from "../../../core/figure.ts";
import { fittedWidths, naturalWidth } from "../../../core/column-widths.ts";
import { terminalLink } from "../../../core/forge.ts";
import { asciiText, cutMiddle, padToWidth, terminalText } from "../../../core/terminal-text.ts";
import { asciiGlyphs, unicodeGlyphs } from "./glyphs.ts";

const gap = "  ";

/**
 * The lines of a table: head, rule, rows; columns to spare are left out, then the widest text columns are cut in their middle until the lines fit
 * into `width` columns, if they can. With an infinite width nothing is cut.
 */
export function tableLines(whole: TableBlock, width: number, unicode: boolean): string[] {
  const glyphs = unicode ? unicodeGlyphs : asciiGlyphs;
  const shown = unicode ? terminalText : (text: string): string => asciiText(terminalText(text));
  const table = whole.head.some(({ spare }) => spare) ? withoutSpare(whole, width, shown) : whole;
  const head = table.head.map((column) => shown(column.label));
  const rows = table.rows.map((row) => row.map(shown));
  const hasToFit = Number.isFinite(width);
  const natural = naturalWidths(head, rows, hasToFit);
  const widths = fittedWidths(natural, excessOf(natural, width), (i) => isCuttable(table, i));
  const cut = (cell: string, i: number): string => (hasToFit ? cutMiddle(cell, widths[i] ?? 0, glyphs.ellipsis) : cell);
  const line = (cells: readonly string[], row?: number): string =>
    cells
      .map((cell, i) => {
        const padded = padToWidth(cut(cell, i), widths[i] ?? 0, table.head[i]?.align);
        const address = row === undefined ? undefined : table.head[i]?.links?.[row];
        return address ? linked(padded, address) : padded;
      })
      .join(gap)
      .trimEnd();
  const rule = widths.map((columns) => glyphs.rule.repeat(columns)).join(gap);
  return [line(head), rule, ...rows.map(line)];
}

/** The blanks beside a text are no part of its link. */
function linked(padded: string, address: string): string {
  const text = padded.trim();
  return text === "" ? padded : padded.replace(text, () => terminalLink(text, address));
}

/** The table without columns to spare, as many of them as have to go, the last one first. */
function withoutSpare(table: TableBlock, width: number, shown: (text: string) => string): TableBlock {
  const natural = naturalWidths(
    table.head.map(({ label }) => shown(label)),
    table.rows.map((row) => row.map(shown)),
    Number.isFinite(width),
  );
  const kept = new Set(natural.keys());
  const total = (): number => [...kept].reduce((sum, i) => sum + (natural[i] ?? 0), gap.length * (kept.size - 1));
  for (let i = natural.length - 1; i >= 0 && total() > width; i--) if (table.head[i]?.spare === true) kept.delete(i);
  if (kept.size === natural.length) return table;
  const of = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_, i) => kept.has(i));
  return { ...table, head: of(table.head), rows: table.rows.map(of) };
}

function naturalWidths(head: readonly string[], rows: readonly (readonly string[])[], hasToFit: boolean): number[] {
  return head.map((label, i) => {
    const cells = rows.map((row) => row[i] ?? "");
    return naturalWidth(label, cells, hasToFit);
  });
}

function excessOf(widths: readonly number[], width: number): number {
  return widths.reduce((sum, columns) => sum + columns, gap.length * (widths.length - 1)) - width;
}

function isCuttable({ head }: TableBlock, i: number): boolean {
  return head[i]?.align === "left" && head[i]?.whole !== true;
}
