import type { OperatorElement } from "../../../core/experiments/index.ts";
import { orderBy } from "../../../core/values/index.ts";
import { allRows } from "../groups.ts";
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
    const byKeys = orderBy<VectorColumn, number>(keys, (key, a, b) =>
      compareInColumn(key, valueOf(key, a), valueOf(key, b), direction),
    );
    return pick(all, allRows(all.length).sort(byKeys));
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
    const byKeys = orderBy<OrderKey, number>(orderKeys(element, input), ({ column, direction }, a, b) =>
      compareMissingLast(valueOf(column, a), valueOf(column, b), column, direction),
    );
    return { ...pick(input, allRows(input.length).sort(byKeys)), origin: element.id, from: "operator" };
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
