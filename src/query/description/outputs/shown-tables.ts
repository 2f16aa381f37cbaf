import { textColumn, concatTables } from "../../../core/tables/table-builder.ts";
import type { Table } from "../../../core/tables/table.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { plainLabels, type ShownVector } from "./shown-vector.ts";
import type { Page, Shown } from "./target.ts";

/** Rows of inputs that have the same columns, and what is said of all of them. */
export interface ShownTable {
  readonly labels: readonly string[];
  readonly table: Table;
}

const filters: Variable = { name: "filters", role: "parameter", occurrence: "multiple", type: "string" };

/**
 * The vectors of an output as tables with the names they are shown with. Those with the same columns (name, type, unit)
 * stand in one table; where their filters differ, its first column tells them.
 */
export function tablesOf({ pages }: Pick<Shown, "pages">): ShownTable[] {
  const groups = new Map<string, ShownVector[]>();
  for (const input of pages.flatMap((page: Page) => page.inputs)) {
    const head = JSON.stringify(shownVariables(input).map(({ name, type, unit }) => [name, type, formatUnit(unit)]));
    groups.set(head, [...(groups.get(head) ?? []), input]);
  }
  return [...groups.values()].map(joined);
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
