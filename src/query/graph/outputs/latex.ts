import type { TableBlock } from "../../../core/figure.ts";
import { answerFigure } from "../../../core/table-figure.ts";
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
    ...answerFigure(table, "people").blocks.flatMap((block) => (block.kind === "table" ? linesOf(block) : [])),
    "",
  ].join("\n");
}

function linesOf({ head, rows }: TableBlock): string[] {
  const line = (cells: readonly string[]): string => `${cells.map(latexText).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${head.map(({ align }) => (align === "right" ? "r" : "l")).join("")}}`,
    "\\toprule",
    line(head.map(({ label }) => label)),
    "\\midrule",
    ...rows.map(line),
    "\\bottomrule",
    "\\end{tabular}",
  ];
}

const commands: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\textquotedbl{}",
  "`": "\\textasciigrave{}",
  "'": "\\textquotesingle{}",
  µ: "\\textmu{}",
};

/**
 * Untrusted text in a cell: no character of it is a command. `[` and `*` are grouped, since behind the end of a line they would belong to it.
 * Minus signs of numbers are set as such.
 */
function latexText(text: string): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, " ");
  if (/^-\d/.test(plain) && Number.isFinite(Number(plain))) return `$${plain}$`;
  return plain.replaceAll(/[\\~^<>|"`'\u00b5#$%&_{}[\]*]/g, (sign) => commands[sign] ?? (/[[\]*]/.test(sign) ? `{${sign}}` : `\\${sign}`));
}
