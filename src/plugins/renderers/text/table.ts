import type { TableBlock } from "../../../core/figure.ts";
import { cutToWidth, displayWidth, padToWidth, terminalText } from "../../../core/terminal-text.ts";
import { asciiGlyphs, asciiText, unicodeGlyphs } from "./glyphs.ts";

const gap = "  ";
/** Text columns are not cut below this. */
const narrowest = 8;

/**
 * The lines of a table: head, rule, rows; columns to spare are left out, then the widest text columns are cut until the lines fit into `width` columns,
 * if they can.
 */
export function tableLines(whole: TableBlock, width: number, unicode: boolean): string[] {
  const glyphs = unicode ? unicodeGlyphs : asciiGlyphs;
  const shown = unicode ? terminalText : (text: string): string => asciiText(terminalText(text));
  const table = whole.head.some(({ spare }) => spare) ? withoutSpare(whole, width, shown) : whole;
  const head = table.head.map((column) => shown(column.label));
  const rows = table.rows.map((row) => row.map(shown));
  const widths = fitted(naturalWidths(head, rows), table, width);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => padToWidth(cutToWidth(cell, widths[i] ?? 0, glyphs.ellipsis), widths[i] ?? 0, table.head[i]?.align))
      .join(gap)
      .trimEnd();
  const rule = widths.map((columns) => glyphs.rule.repeat(columns)).join(gap);
  return [line(head), rule, ...rows.map(line)];
}

/** The table without columns to spare, as many of them as have to go, the last one first. */
function withoutSpare(table: TableBlock, width: number, shown: (text: string) => string): TableBlock {
  const natural = naturalWidths(
    table.head.map(({ label }) => shown(label)),
    table.rows.map((row) => row.map(shown)),
  );
  const kept = new Set(natural.keys());
  const total = (): number => [...kept].reduce((sum, i) => sum + (natural[i] ?? 0), gap.length * (kept.size - 1));
  for (let i = natural.length - 1; i >= 0 && total() > width; i--) if (table.head[i]?.spare === true) kept.delete(i);
  if (kept.size === natural.length) return table;
  const of = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_, i) => kept.has(i));
  return { ...table, head: of(table.head), rows: table.rows.map(of) };
}

function naturalWidths(head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  const widths = head.map(displayWidth);
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell));
    });
  }
  return widths;
}

function fitted(natural: readonly number[], table: TableBlock, width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, columns) => sum + columns, gap.length * (widths.length - 1)) - width;
  while (excess > 0) {
    const widest = widestText(widths, table);
    if (widest === undefined) break;
    const next = Math.max(narrowest, secondWidest(widths, table, widest));
    const cut = Math.min(excess, Math.max(1, (widths[widest] ?? 0) - next));
    widths[widest] = (widths[widest] ?? 0) - cut;
    excess -= cut;
  }
  return widths;
}

function widestText(widths: readonly number[], table: TableBlock): number | undefined {
  let widest: number | undefined;
  widths.forEach((columns, i) => {
    if (!isCuttable(table, i) || columns <= narrowest) return;
    if (widest === undefined || columns > (widths[widest] ?? 0)) widest = i;
  });
  return widest;
}

function secondWidest(widths: readonly number[], table: TableBlock, widest: number): number {
  return Math.max(0, ...widths.filter((_, i) => i !== widest && isCuttable(table, i)));
}

function isCuttable({ head }: TableBlock, i: number): boolean {
  return head[i]?.align === "left" && head[i]?.whole !== true;
}
