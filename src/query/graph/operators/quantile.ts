import type { OperatorElement } from "../../../core/query-description.ts";
import type { Vector } from "../vector.ts";
import { aggregate } from "./aggregate.ts";
import { quantileAggregate } from "./aggregates.ts";
import { onlyInput, refuse, takesOnly, variantOf, type Operator } from "./operator.ts";
import { valueIn } from "./quantity.ts";

/** The content in the middle; of an even number of contents the lower one, with variant="upper" the upper one. */
export const median: Operator = {
  name: "median",
  apply(element, inputs) {
    takesOnly(element, ["variant", "scope"]);
    return quantileOf(element, inputs, 50);
  },
};

/** The content below which `value` percent of the contents lie; with variant="upper" above which. */
export const quantile: Operator = {
  name: "quantile",
  apply(element, inputs) {
    takesOnly(element, ["value", "variant", "scope"]);
    const percent = valueIn(element);
    if (percent < 0 || percent > 100) throw refuse(element, `there is no quantile of ${percent} %`, "give a value from 0 to 100");
    return quantileOf(element, inputs, percent);
  },
};

function quantileOf(element: OperatorElement, inputs: readonly Vector[], percent: number): Vector {
  const isUpper = variantOf(element, ["lower", "upper"]) === "upper";
  return aggregate(quantileAggregate(element.type ?? "", percent, isUpper), element, onlyInput(element, inputs));
}
