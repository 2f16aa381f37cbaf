import { displayText } from "../display-text.ts";
import { compareInColumn, parametersOf, pick, valueOf, type VectorColumn } from "../vector.ts";
import type { ShownVector } from "./shown-vector.ts";

/**
 * An input for each combination of the parameters after the first, with labels that name them: a picture has the first
 * one along its axis, and rows that differ in others are different curves. The order is that of the values.
 */
export function byParameters(inputs: readonly ShownVector[]): readonly ShownVector[] {
  return inputs.flatMap((input) => {
    const others = parametersOf(input.vector).slice(1);
    const groups = new Map<string, number[]>();
    for (let row = 0; row < input.vector.length; row++) {
      const key = JSON.stringify(others.map((column) => textAt(column, row)));
      const rows = groups.get(key);
      if (rows === undefined) groups.set(key, [row]);
      else rows.push(row);
    }
    if (groups.size < 2) return [input];
    const varying = others.filter((column) => {
      const first = textAt(column, 0);
      return [...groups.values()].some(([row]) => textAt(column, row ?? 0) !== first);
    });
    return [...groups.values()]
      .sort(([a = 0], [b = 0]) => orderOf(varying, a, b))
      .map((rows) => curveOf(input, rows, varying));
  });
}

function orderOf(columns: readonly VectorColumn[], a: number, b: number): number {
  for (const column of columns) {
    const order = compareInColumn(column, valueOf(column, a), valueOf(column, b));
    if (order !== 0) return order;
  }
  return 0;
}

function curveOf(input: ShownVector, rows: readonly number[], varying: readonly VectorColumn[]): ShownVector {
  const own = varying.map((column) => ({
    text: `${column.display} = ${textAt(column, rows[0] ?? 0)}`,
    titleOnly: false,
  }));
  const vector = pick(input.vector, rows);
  return { ...input, vector: { ...vector, labels: [...vector.labels, ...own] } };
}

function textAt(column: VectorColumn, row: number): string {
  return displayText(valueOf(column, row), column.variable.type);
}
