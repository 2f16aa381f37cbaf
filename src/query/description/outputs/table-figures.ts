import type { Block, Figure } from "../../../core/figures/figure.ts";
import { answerFigure } from "../../../core/figures/table-figure.ts";
import { tablesOf, type ShownTable } from "./shown-tables.ts";
import type { Shown, Target } from "./target.ts";

/** Tables that a renderer prints. */
export const csv = tableTarget("csv", "csv");
export const markdown = tableTarget("markdown", "md");

function tableTarget(name: string, extension: string): Target {
  return {
    name,
    extension,
    joins: false,
    printable: true,
    show: (shown) => ({ kind: "figure", figure: figureOf(shown), renderer: name }),
  };
}

function figureOf(shown: Shown): Figure {
  const blocks = tablesOf(shown).flatMap(({ table, labels }: ShownTable) =>
    answerFigure(table, "exact").blocks.map((block): Block =>
      labels.length === 0 || block.kind !== "table" ? block : { ...block, caption: labels.join(", ") },
    ),
  );
  return { title: shown.element.attributes.get("title") ?? "", blocks };
}
