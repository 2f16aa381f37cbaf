import { tableOf } from "../../core/tables/table-builder.ts";
import type { Table } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { contentsOf } from "./selected-rows.ts";

const described = { role: "parameter", occurrence: "multiple" } as const;

/** The first of these that rows have is what they are related to. */
const independent = ["structure-unit-size", "snapshot", "order", "call-order", "address", "timestamp", "exclusive"];

/** The column that is related to others, unless another is named: `amount`. */
export const dependentKey = "amount";

/** The column that it is related to, unless another is named; undefined where rows have none of the usual ones. */
export function independentKey(table: Table): string | undefined {
  return independent.find((name) => table.variables.some((variable) => variable.name === name));
}

const keyVariables: readonly Variable[] = [
  { ...described, name: "key", type: "text" },
  { ...described, name: "type", type: "text" },
  { ...described, name: "unit", type: "text" },
  { ...described, name: "contents", type: "integer" },
  { ...described, name: "distinct", type: "integer" },
];

/** The columns of a flat table: type, unit, how many rows have a content, how many contents differ. */
export function keysOf(table: Table): Table {
  const rows = table.variables.map(({ name, type, unit }) => {
    const counts = countsOf(table, name);
    const contents = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
    return [name, type, formatUnit(unit), contents, counts.size];
  });
  return tableOf(keyVariables, rows);
}

/**
 * The different contents of a column in the order in which they come first, and how often each comes. Fails with
 * `unknown-column`.
 */
export function valuesOf(table: Table, key: string): Table {
  const counts = [...countsOf(table, key).values()];
  const variable = table.variables.find(({ name }) => name === key)!;
  const rows = counts.map(({ content, count }) => [content, count]);
  return tableOf(
    [
      { ...variable, role: "parameter" },
      { ...described, name: "rows", type: "integer" },
    ],
    rows,
  );
}

interface Counted {
  readonly content: Value;
  count: number;
}

function countsOf(table: Table, key: string): Map<string, Counted> {
  const contents = contentsOf(table, key);
  const type = table.variables.find(({ name }) => name === key)?.type ?? "text";
  const counts = new Map<string, Counted>();
  for (let row = 0; row < table.length; row++) {
    const content = contents(row);
    if (content === null) continue;
    const text = formatValue(content, type);
    const known = counts.get(text);
    if (known === undefined) counts.set(text, { content, count: 1 });
    else known.count += 1;
  }
  return counts;
}
