import type { Block, Figure } from "../../core/figures/index.ts";
import type { Values } from "../../core/values/index.ts";
import { blockTable } from "./drawing/block-table.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";

/**
 * Tables as CSV (RFC 4180): header, then rows, with CR LF. A chart is written as its points, a surface as its heights,
 * a flame graph as its frames, text as one column. An empty line separates blocks.
 */
export const csv = Object.freeze<Renderer>({
  kind: "renderer",
  name: "csv",
  synopsis: "comma-separated values",
  options: [
    {
      name: "for-spreadsheet",
      role: "parameter",
      occurrence: "once",
      type: "boolean",
      default: false,
      synopsis: "prefix cells that a spreadsheet would interpret as formulas with '",
    },
  ],
  mediaType: "text/csv; charset=utf-8",
  extension: "csv",
  render: async (figure: Figure, _: RenderOptions, values: Values) =>
    renderCsv(figure, values.get("for-spreadsheet") === true),
});

function renderCsv(figure: Figure, forSpreadsheet: boolean): string {
  const cell = (text: string): string => (plain.test(text) ? text : quote(forSpreadsheet ? escapeFormula(text) : text));
  const blocks = figure.blocks.map((block) =>
    rowsOf(block)
      .map((row) => `${row.map(cell).join(",")}\r\n`)
      .join(""),
  );
  return blocks.join("\r\n");
}

function rowsOf(block: Block): readonly (readonly string[])[] {
  if (block.kind === "text")
    return block.text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => [line]);
  const table = blockTable(block);
  return [table.head.map((column) => column.label), ...table.rows];
}

/** Cells without any of these need no quotes and no prefix. */
const plain = /^[\w.][\w.+-]*$/;

function quote(text: string): string {
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets evaluate cells that start with these characters; numbers are unchanged. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? `'${text}` : text;
}
