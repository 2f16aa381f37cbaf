import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import {
  columnNamed,
  compareContents,
  contentOf,
  parametersOf,
  pick,
  type Vector,
  type VectorColumn,
} from "../vector.ts";
import { refuse, takesOnly, type Operator } from "./operator.ts";
import { appended } from "./union.ts";

/**
 * Rows of all inputs in the order of columns: `value` lists their names (default: the first parameter), `variant` says
 * which way.
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
      rows.sort((a, b) => compareRows(keys, a, b, direction) || a - b),
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

function compareRows(keys: readonly VectorColumn[], a: number, b: number, direction: 1 | -1): number {
  for (const key of keys) {
    const order = compareContents(key, contentOf(key, a), contentOf(key, b), direction);
    if (order !== 0) return order;
  }
  return 0;
}
