import type { OperatorElement } from "../../../core/experiments/index.ts";
import {
  columnNamed,
  valueOf,
  pick,
  type Vector,
  type VectorColumn,
  compareInColumn,
  parametersOf,
} from "../vector.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";
import { compareMissingLast } from "./statistics.ts";
import { appended } from "./union.ts";

/**
 * Sorts the rows of all inputs by columns: `value` lists their names (default: the first parameter), `variant` is the
 * direction.
 */
export const sort: Operator = {
  name: "sort",
  apply(element, inputs, { compat }) {
    takesOnly(element, ["value", "variant"]);
    const all: Vector = { ...appended(element, inputs, compat), from: "operator" };
    const direction = directionOf(element);
    const keys = keysOf(element, all);
    if (direction === 0 || keys.length === 0) return all;
    const rows = Array.from({ length: all.length }, (_, row) => row);
    return pick(
      all,
      rows.sort((a, b) => compareSortKeys(keys, a, b, direction) || a - b),
    );
  },
};

function directionOf(element: OperatorElement): -1 | 0 | 1 {
  switch (element.variant ?? "ascending") {
    case "ascending":
      return 1;
    case "descending":
      return -1;
    case "none":
      return 0;
    default:
      throw refuse(
        element,
        `there is no variant '${element.variant}' of sort`,
        "variants are ascending, descending and none",
      );
  }
}

function keysOf(element: OperatorElement, vector: Vector): VectorColumn[] {
  if (element.value === undefined) return parametersOf(vector).slice(0, 1);
  return element.value.split(",").map((word) => columnNamed(element, vector, word.trim()));
}

function compareSortKeys(keys: readonly VectorColumn[], a: number, b: number, direction: 1 | -1): number {
  for (const key of keys) {
    const order = compareInColumn(key, valueOf(key, a), valueOf(key, b), direction);
    if (order !== 0) return order;
  }
  return 0;
}

/** A sort key. */
export interface OrderKey {
  readonly column: VectorColumn;
  readonly direction: 1 | -1;
}

/** Sorts rows by the columns in `value`, `-name` for descending; missing values last; stable. */
export const order: Operator = {
  name: "order",
  apply(element, inputs) {
    takesOnly(element, ["value"]);
    const input = onlyInput(element, inputs);
    const keys = orderKeys(element, input);
    const rows = Array.from({ length: input.length }, (_, row) => row).sort((a, b) => compareRows(keys, a, b) || a - b);
    return { ...pick(input, rows), origin: element.id, from: "operator" };
  },
};

/** Fails with `query-not-possible` for unknown columns. */
export function orderKeys(element: OperatorElement, input: Pick<Vector, "columns">): OrderKey[] {
  const words = (element.value ?? "").split(",").map((word) => word.trim());
  if (words.includes(""))
    throw refuse(element, "order needs a value", "list columns joined by commas, -name for descending");
  return words.map((word) => {
    const isColumn = input.columns.some(({ variable, display }) => variable.name === word || display === word);
    const descending = word.startsWith("-") && !isColumn;
    return { column: columnNamed(element, input, descending ? word.slice(1) : word), direction: descending ? -1 : 1 };
  });
}

function compareRows(keys: readonly OrderKey[], a: number, b: number): number {
  for (const { column, direction } of keys) {
    const found = compareMissingLast(valueOf(column, a), valueOf(column, b), column, direction);
    if (found !== 0) return found;
  }
  return 0;
}
