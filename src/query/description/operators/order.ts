import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { columnNamed, contentOf, pick, type Vector, type VectorColumn } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";
import { compareMissingLast } from "./statistics.ts";

/** A column that rows are put in order of. */
export interface OrderKey {
  readonly column: VectorColumn;
  readonly direction: 1 | -1;
}

/**
 * Rows in the order of the columns that `value` lists, `-name` for descending; missing contents last, rows with equal
 * ones as they were.
 */
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

/** Fails with `query-not-possible` for what is no column. */
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
    const found = compareMissingLast(contentOf(column, a), contentOf(column, b), column, direction);
    if (found !== 0) return found;
  }
  return 0;
}
