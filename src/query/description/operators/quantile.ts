import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import { aggregate } from "./aggregate.ts";
import { quantileAggregate, type Aggregate } from "./aggregates.ts";
import { onlyInput, refuse, takesOnly, variantOf, type Operator } from "./operator.ts";
import { valueIn } from "./quantity.ts";

/** The content in the middle; of an even number of contents the lower one, with variant="upper" the upper one. */
export const median: Operator = {
  name: "median",
  aggregateOf: (element) => aggregateIn(element, 50),
  apply(element, inputs) {
    takesOnly(element, ["variant", "scope"]);
    return aggregate(aggregateIn(element, 50), element, onlyInput(element, inputs));
  },
};

/** The content below which `value` percent of the contents lie; with variant="upper" above which. */
export const quantile: Operator = {
  name: "quantile",
  aggregateOf: (element) => aggregateIn(element, percentIn(element)),
  apply(element, inputs) {
    takesOnly(element, ["value", "variant", "scope"]);
    return aggregate(aggregateIn(element, percentIn(element)), element, onlyInput(element, inputs));
  },
};

function percentIn(element: OperatorElement): number {
  const percent = valueIn(element);
  if (percent >= 0 && percent <= 100) return percent;
  throw refuse(element, `there is no quantile of ${percent} %`, "give a value from 0 to 100");
}

function aggregateIn(element: OperatorElement, percent: number): Aggregate {
  return quantileAggregate(element.type ?? "", percent, variantOf(element, ["lower", "upper"]) === "upper");
}
