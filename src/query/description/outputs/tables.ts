import { Failure } from "../../../core/failures/index.ts";
import { type Block, type Figure, latexLines, answerFigure } from "../../../core/figures/index.ts";
import { textColumn, concatTables, type Table } from "../../../core/tables/index.ts";
import { formatUnit, groupBy } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { plainLabels, type ShownVector } from "./shown-vector.ts";
import type { Page, Shown, Target } from "./target.ts";

/** Tables by a renderer. */
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

/** One table as a columnar file. Fails with `query-not-possible` if the inputs have different columns. */
function tableFile(name: "parquet" | "arrow", kind: string): Target {
  return {
    name,
    extension: name,
    joins: false,
    printable: false,
    show(shown) {
      const [first, ...rest] = tablesOf(shown);
      if (first !== undefined && rest.length === 0) return { kind: "table", table: first.table, format: name };
      const count = rest.length + (first === undefined ? 0 : 1);
      const problem = `${kind} file holds one table, and the inputs make ${count}`;
      const advice = "give inputs with other columns an output of their own";
      throw new Failure("query-not-possible", { element: shown.name, problem, advice });
    },
  };
}

export const parquet = tableFile("parquet", "a Parquet");
export const arrow = tableFile("arrow", "an Arrow");

/** Tables for LaTeX with the package booktabs; numbers are right-aligned. */
export const latex: Target = {
  name: "latex",
  extension: "tex",
  joins: true,
  printable: true,
  show: (shown) => ({
    kind: "data",
    data: tablesOf(shown)
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

/** Rows of inputs with the same columns, and their common labels. */
export interface ShownTable {
  readonly labels: readonly string[];
  readonly table: Table;
}

const filters: Variable = { name: "filters", role: "parameter", occurrence: "multiple", type: "string" };

/**
 * The vectors of an output as tables with display names. Vectors with the same columns (name, type, unit) are
 * concatenated; if their filters differ, the first column holds them.
 */
function tablesOf({ pages }: Pick<Shown, "pages">): ShownTable[] {
  const headOf = (input: ShownVector): string =>
    JSON.stringify(shownVariables(input).map(({ name, type, unit }) => [name, type, formatUnit(unit)]));
  const inputs = pages.flatMap((page: Page) => page.inputs);
  return [...groupBy(inputs, headOf).values()].map(joined);
}

function joined(inputs: readonly ShownVector[]): ShownTable {
  const all = inputs.map(plainLabels);
  const labels = (all[0] ?? []).filter((label) => all.every((each) => each.includes(label)));
  const own = all.map((each) => each.filter((label) => !labels.includes(label)).join(", "));
  if (own.every((text) => text === "")) return { labels, table: concatTables(inputs.map(tableOf)) };
  return { labels, table: concatTables(inputs.map((input, at) => withFilters(tableOf(input), own[at] ?? ""))) };
}

function tableOf(input: ShownVector): Table {
  const { columns, length } = input.vector;
  return { variables: shownVariables(input), columns: columns.map(({ column }) => column), length };
}

function withFilters(table: Table, text: string): Table {
  const column = textColumn(Array.from({ length: table.length }, () => text));
  return { variables: [filters, ...table.variables], columns: [column, ...table.columns], length: table.length };
}

function shownVariables({ vector }: ShownVector): Variable[] {
  return vector.columns.map(({ variable, display }) => ({ ...variable, name: display }));
}
