import { Failure } from "../../core/failures/index.ts";
import { type Block, type Figure, tableStyleNames } from "../../core/figures/index.ts";
import { asciiText, terminalLines } from "../../core/text/index.ts";
import { option } from "../plugin.ts";
import { blockTable } from "./drawing/block-table.ts";
import type { Renderer } from "./renderer.ts";
import { styledLines, type TableStyle, tableStyles } from "./table-styles.ts";

const defaultStyle = "grid";

/**
 * The tables of a figure in one of many styles, to paste into a document: without truncation, titles or captions. A
 * chart is written as its points, a surface as its heights, a flame graph as its frames.
 */
export const table = Object.freeze<Renderer>({
  kind: "renderer",
  name: "table",
  synopsis: "tables in one of many text formats (--format-opt style=psql)",
  options: [option("style", "string", defaultStyle, "grid, psql, rst, mediawiki, …", tableStyleNames)],
  mediaType: "text/plain; charset=utf-8",
  extension: "table",
  render: async (figure: Figure, { unicode }, values) => {
    const style = tableStyles.get(String(values.get("style") ?? defaultStyle));
    if (style === undefined) throw unknownStyle(String(values.get("style")));
    const own = unicode ? style : { ...style, cell: (text: string, at: number) => asciiText(style.cell(text, at)) };
    return figure.blocks.map((block) => `${blockLines(block, own).join("\n")}\n`).join("\n");
  },
});

function blockLines(block: Block, style: TableStyle): readonly string[] {
  if (block.kind !== "text") return styledLines(blockTable(block), style);
  const lines = terminalLines(block.text.replace(/\n$/, "")).split("\n");
  return lines.map((line) => style.cell(line, 0));
}

function unknownStyle(value: string): Failure {
  return new Failure("unknown-choice", { kind: "style", value, choices: tableStyleNames });
}
