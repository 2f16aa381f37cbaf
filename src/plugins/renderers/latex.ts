import { type Block, type Figure, latexLines, latexText } from "../../core/figures/index.ts";
import { terminalLines, terminalText } from "../../core/text/index.ts";
import { blockTable } from "./drawing/block-table.ts";
import type { Renderer } from "./renderer.ts";

/**
 * A figure as tables for a LaTeX document with the package booktabs. A chart is written as its points, a surface as its
 * heights; titles and captions are comments.
 */
export const latex = Object.freeze<Renderer>({
  kind: "renderer",
  name: "latex",
  synopsis: "LaTeX tables",
  options: [],
  mediaType: "application/x-latex",
  extension: "tex",
  render: async (figure: Figure) => `${[...comment(figure.title), ...figure.blocks.map(blockText)].join("\n")}\n`,
});

function blockText(block: Block): string {
  // Each line of text is a paragraph.
  if (block.kind === "text")
    return terminalLines(block.text.replace(/\n$/, "")).split("\n").map(latexText).join("\n\n");
  const table = blockTable(block);
  return [...comment(table.caption ?? ""), ...latexLines(table), ""].join("\n");
}

function comment(text: string): string[] {
  return text === "" ? [] : [`% ${terminalText(text)}`];
}
