import type { Block, Figure, TableBlock } from "../../core/figures/index.ts";
import { terminalLines } from "../../core/text/index.ts";
import { blockTable } from "./drawing/block-table.ts";
import { widestTable } from "./drawing/flame-table.ts";
import { markdownText } from "./drawing/markdown-text.ts";
import type { Renderer } from "./renderer.ts";

/**
 * A figure as GitHub Flavored Markdown with tables. A chart is written as its points, a surface as its heights, a flame
 * graph as its widest frames.
 */
export const markdown = Object.freeze<Renderer>({
  kind: "renderer",
  name: "markdown",
  synopsis: "Markdown tables",
  options: [],
  mediaType: "text/markdown; charset=utf-8",
  extension: "md",
  render: async (figure: Figure) => renderMarkdown(figure),
});

function renderMarkdown(figure: Figure): string {
  const title = figure.title === "" ? [] : [`# ${markdownText(figure.title)}\n`];
  return [...title, ...figure.blocks.map(blockText)].join("\n");
}

function blockText(block: Block): string {
  if (block.kind === "text") return fenced(terminalLines(block.text.replace(/\n$/, "")));
  return tableText(block.kind === "flame" ? widestTable(block) : blockTable(block));
}

function tableText(table: TableBlock): string {
  const caption = table.caption === undefined ? "" : `${markdownText(table.caption)}\n\n`;
  const rule = line(table.head.map((column) => (column.align === "right" ? "---:" : "---")));
  const head = line(table.head.map((column) => markdownText(column.label)));
  return caption + head + rule + table.rows.map((row) => line(row.map(markdownText))).join("");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** A code block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}\n`;
}
