import { tableOf, type Table } from "../../core/tables/index.ts";
import { formatUnit, formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { valuesOf } from "./selected-rows.ts";

const described = { role: "parameter", occurrence: "multiple" } as const;

/** Candidates for the independent column, in order of preference. */
const independent = ["structure-unit-size", "snapshot", "order", "call-order", "address", "timestamp", "exclusive"];

/** The default dependent column. */
export const dependentKey = "amount";

/** The default independent column; undefined if the rows have none of the candidates. */
export function independentKey(table: Table): string | undefined {
  return independent.find((name) => table.variables.some((variable) => variable.name === name));
}

const keyVariables: readonly Variable[] = [
  { ...described, name: "key", type: "text" },
  { ...described, name: "type", type: "text" },
  { ...described, name: "unit", type: "text" },
  { ...described, name: "values", type: "integer" },
  { ...described, name: "distinct", type: "integer" },
];

/** The columns of a flat table: type, unit, number of values and of distinct values. */
export function keysOf(table: Table): Table {
  const rows = table.variables.map(({ name, type, unit }) => {
    const counts = countsOf(table, name);
    const values = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
    return [name, type, formatUnit(unit), values, counts.size];
  });
  return tableOf(keyVariables, rows);
}

/** The distinct values of a column in order of first appearance, with their counts. Fails with `unknown-column`. */
export function distinctValues(table: Table, key: string): Table {
  const counts = [...countsOf(table, key).values()];
  const variable = table.variables.find(({ name }) => name === key)!;
  const rows = counts.map(({ value, count }) => [value, count]);
  return tableOf(
    [
      { ...variable, role: "parameter" },
      { ...described, name: "rows", type: "integer" },
    ],
    rows,
  );
}

interface Counted {
  readonly value: Value;
  count: number;
}

function countsOf(table: Table, key: string): Map<string, Counted> {
  const values = valuesOf(table, key);
  const type = table.variables.find(({ name }) => name === key)?.type ?? "text";
  const counts = new Map<string, Counted>();
  for (let row = 0; row < table.length; row++) {
    const value = values(row);
    if (value === null) continue;
    const text = formatValue(value, type);
    const known = counts.get(text);
    if (known === undefined) counts.set(text, { value, count: 1 });
    else known.count += 1;
  }
  return counts;
}
