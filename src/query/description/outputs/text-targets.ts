import { jsonRow } from "../../../core/figures/index.ts";
import { terminalLines } from "../../../core/text/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import { displayText } from "../display-text.ts";
import { unitText } from "../filter-label.ts";
import { valueOf, type Vector } from "../vector.ts";
import { filledOf, type ShownVector, plainLabels } from "./shown-vector.ts";
import { textTarget, type Shown, type Target, type Page } from "./target.ts";
import { xmlEscaped as escaped } from "./xml-escape.ts";

/** perfbase's XML output, escaped: rows of all inputs, one `<data>` for each input with rows. */
export const xmlText = textTarget("xml", "xml", xmlPage);

function xmlPage({ inputs }: Page): string {
  const lines = inputs.filter(({ vector }) => vector.length > 0).flatMap(({ vector }) => dataOf(vector));
  return ["<output>", ...lines, "</output>", ""].join("\n");
}

function dataOf(vector: Vector): string[] {
  const lines = ["  <data>", ...vector.labels.map(({ text }) => `    <filter>${escaped(text)}</filter>`)];
  const openings = vector.columns.map((column) => {
    const [{ display }, unit] = [column, unitText(column)];
    return `      <value name="${escaped(display)}"${unit === "" ? "" : ` unit="${escaped(unit)}"`}>`;
  });
  for (let row = 0; row < vector.length; row++) {
    lines.push("    <dataset>");
    vector.columns.forEach((column, at) => {
      lines.push(`${openings[at]}${escaped(displayText(valueOf(column, row), column.variable.type))}</value>`);
    });
    lines.push("    </dataset>");
  }
  return [...lines, "  </data>"];
}

/** All vectors with columns and rows, as a document of the schema `perfkeep.vectors/1`. */
export const json: Target = {
  name: "json",
  extension: "json",
  joins: false,
  printable: true,
  show: (shown) => ({ kind: "data", data: `${jsonLines(shown)}\n` }),
};

function jsonLines({ pages, element, name }: Shown): string {
  const title = element.attributes.get("title");
  const vectors = pages.flatMap(({ inputs }) => inputs.map(vectorText));
  const head = JSON.stringify({
    schema: "perfkeep.vectors/1",
    output: name,
    ...(title === undefined ? {} : { title }),
  });
  return `${head.slice(0, -1)},"vectors":[${vectors.map((text) => `\n${text}`).join(",")}\n]}`;
}

function vectorText(input: ShownVector): string {
  const { columns, length, origin } = input.vector;
  const table = {
    variables: columns.map(({ variable }) => variable),
    columns: columns.map(({ column }) => column),
    length,
  };
  const about = {
    origin,
    filters: plainLabels(input),
    columns: columns.map(({ display, variable: { role, type, unit } }) => ({
      name: display,
      role,
      type,
      unit: formatUnit(unit),
    })),
  };
  const rows = Array.from({ length }, (_, row) => `\n${JSON.stringify(jsonRow(table, row))}`);
  return `${JSON.stringify(about).slice(0, -1)},"rows":[${rows.join(",")}]}`;
}

/**
 * perfbase's raw_text: a line with the labels (`# v = 1 w = 2 `) and one with the columns (`# name[unit]<TAB>`), both
 * only if changed, then the rows, every value followed by a blank and a tab. Omits inputs without rows, but prints the
 * columns if none has any. Makes control characters in values visible, except line feeds and tabs.
 */
export const rawText = textTarget("raw_text", "dat", ({ inputs }, { element }) =>
  textPage(inputs, element.attributes.get("title")),
);

function textPage(inputs: readonly ShownVector[], title: string | undefined): string {
  const lines: string[] = [];
  let before = "";
  for (const input of filledOf(inputs)) {
    const head = [...labelLine(input, title), headerLine(input.vector)].join("\n");
    if (head !== before) lines.push(head);
    before = head;
    const { columns, length } = input.vector;
    for (let row = 0; row < length; row++)
      lines.push(columns.map((column) => `${displayText(valueOf(column, row), column.variable.type)} \t`).join(""));
  }
  return terminalLines(lines.map((line) => `${line}\n`).join(""));
}

function headerLine({ columns }: Vector): string {
  return `# ${columns.map((column) => `${column.display}[${unitText(column)}]\t`).join("")}`;
}

function labelLine(input: ShownVector, title: string | undefined): string[] {
  const labels = labelsOf(input, title);
  return labels.length === 0 ? [] : [`# ${labels.map((label) => `${label}  `).join("")}`];
}

/** The labels by `label` of the input; the filters by default. */
function labelsOf({ vector, attributes }: ShownVector, title: string | undefined): string[] {
  const labelPrefix = attributes.get("labelprefix") ?? "";
  const labels = vector.labels.filter((each) => !each.titleOnly).map((each) => each.text);
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
        return [...result, ...labels];
      case "input_id":
        return [vector.origin];
      case "title":
        return title === undefined ? labels : [title];
      case "fulltitle":
        return [...(title === undefined ? [] : [title]), ...all];
      default:
        return labels;
    }
  })();
  return words.length === 0 || labelPrefix === "" ? words : [labelPrefix + (words[0] ?? ""), ...words.slice(1)];
}
