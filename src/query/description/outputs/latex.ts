import { latexLines } from "../../../core/figures/latex-table.ts";
import { answerFigure } from "../../../core/figures/table-figure.ts";
import { tablesOf, type ShownTable } from "./shown-tables.ts";
import type { Shown, Target } from "./target.ts";

/** Tables for a LaTeX document that loads the package booktabs; numbers are set to the right. */
export const latex: Target = {
  name: "latex",
  extension: "tex",
  joins: true,
  printable: true,
  show: (shown) => ({
    kind: "content",
    content: tablesOf(shown)
      .map((each) => tabular(each, shown))
      .join("\n"),
  }),
};

function tabular({ table, labels }: ShownTable, { element }: Shown): string {
  const title = element.attributes.get("title") ?? "";
  const caption = [...(title === "" ? [] : [title]), ...labels].join(", ");
  return [
    ...(caption === "" ? [] : [`% ${caption.replaceAll(/\p{Cc}+/gu, " ")}`]),
    ...answerFigure(table, "people").blocks.flatMap((block) => (block.kind === "table" ? latexLines(block) : [])),
    "",
  ].join("\n");
}
