import type { OperatorElement } from "../../../core/experiments/index.ts";
import { allRows } from "../groups.ts";
import { pick } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";

/** The first `value` rows. */
export const first: Operator = {
  name: "first",
  apply(element, inputs) {
    takesOnly(element, ["value"]);
    const input = onlyInput(element, inputs);
    return { ...pick(input, allRows(Math.min(countIn(element), input.length))), origin: element.id, from: "operator" };
  },
};

export function countIn(element: OperatorElement): number {
  const { value = "" } = element;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw refuse(element, `'${value.slice(0, 40)}' is no number of rows`, "write a whole number such as 10");
}
