import { terminalLines } from "../../../core/text/terminal-text.ts";
import { displayText } from "../display-text.ts";
import { unitText } from "../filter-label.ts";
import { contentOf, type Vector } from "../vector.ts";
import { filledOf, type ShownVector } from "./shown-vector.ts";
import { textTarget } from "./target.ts";

/**
 * perfbase's raw_text: a line with the labels (`# v = 1 w = 2 `) and one with the columns (`# name[unit]<TAB>`), both
 * only where they differ from those before, then the rows, every content followed by a blank and a tab. Inputs without
 * rows are passed over, unless none has any: then their columns are told. Controls in contents are made visible, but
 * for line feeds and tabs, which perfbase prints, too.
 */
export const rawText = textTarget("raw_text", "dat", ({ inputs }, { element }) =>
  printed(inputs, element.attributes.get("title")),
);

function printed(inputs: readonly ShownVector[], title: string | undefined): string {
  const lines: string[] = [];
  let before = "";
  for (const input of filledOf(inputs)) {
    const head = [...labelLine(input, title), headerLine(input.vector)].join("\n");
    if (head !== before) lines.push(head);
    before = head;
    const { columns, length } = input.vector;
    for (let row = 0; row < length; row++)
      lines.push(columns.map((column) => `${displayText(contentOf(column, row), column.variable.type)} \t`).join(""));
  }
  return terminalLines(lines.map((line) => `${line}\n`).join(""));
}

function headerLine({ columns }: Vector): string {
  return `# ${columns.map(({ variable, display }) => `${display}[${unitText(variable)}]\t`).join("")}`;
}

function labelLine(input: ShownVector, title: string | undefined): string[] {
  const labels = labelsOf(input, title);
  return labels.length === 0 ? [] : [`# ${labels.map((label) => `${label}  `).join("")}`];
}

/** What `label` of the input asks for; the labels of filters, when it does not say. */
function labelsOf({ vector, attributes }: ShownVector, title: string | undefined): string[] {
  const labelPrefix = attributes.get("labelprefix") ?? "";
  const said = vector.labels.filter((each) => !each.titleOnly).map((each) => each.text);
  const all = vector.labels.map((each) => each.text);
  const result = vector.columns.filter(({ variable }) => variable.role === "result").map(({ display }) => display);
  const words = ((): string[] => {
    switch (attributes.get("label")) {
      case "empty":
      case "ignore":
        return [];
      case "value":
        return result;
      case "full":
        return [...result, ...said];
      case "input_id":
        return [vector.origin];
      case "title":
        return title === undefined ? said : [title];
      case "fulltitle":
        return [...(title === undefined ? [] : [title]), ...all];
      default:
        return said;
    }
  })();
  return words.length === 0 || labelPrefix === "" ? words : [labelPrefix + (words[0] ?? ""), ...words.slice(1)];
}
