import { jsonRow } from "../../../core/figures/table-figure.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import { plainLabels, type ShownVector } from "./shown-vector.ts";
import type { Shown, Target } from "./target.ts";

/** All vectors with their columns and rows, as a document of the schema `perfkeep.vectors/1`. */
export const json: Target = {
  name: "json",
  extension: "json",
  joins: false,
  printable: true,
  show: (shown) => ({ kind: "content", content: `${printed(shown)}\n` }),
};

function printed({ pages, element, name }: Shown): string {
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
