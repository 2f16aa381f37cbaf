import { displayText } from "../display-text.ts";
import { unitText } from "../filter-label.ts";
import { contentOf, type Vector } from "../vector.ts";
import { textTarget, type Page } from "./target.ts";
import { xmlEscaped as escaped } from "./xml-escape.ts";

/**
 * perfbase's XML output, with what means something else in XML escaped. Rows of all inputs, one `<data>` each that has
 * rows.
 */
export const xmlText = textTarget("xml", "xml", printed);

function printed({ inputs }: Page): string {
  const lines = inputs.filter(({ vector }) => vector.length > 0).flatMap(({ vector }) => dataOf(vector));
  return ["<output>", ...lines, "</output>", ""].join("\n");
}

function dataOf(vector: Vector): string[] {
  const lines = ["  <data>", ...vector.labels.map(({ text }) => `    <filter>${escaped(text)}</filter>`)];
  const openings = vector.columns.map(({ variable, display }) => {
    const unit = unitText(variable);
    return `      <value name="${escaped(display)}"${unit === "" ? "" : ` unit="${escaped(unit)}"`}>`;
  });
  for (let row = 0; row < vector.length; row++) {
    lines.push("    <dataset>");
    vector.columns.forEach((column, at) => {
      lines.push(`${openings[at]}${escaped(displayText(contentOf(column, row), column.variable.type))}</value>`);
    });
    lines.push("    </dataset>");
  }
  return [...lines, "  </data>"];
}
