import type { OperatorElement } from "../../core/query-description.ts";
import { commonVariables } from "./group-labels.ts";
import { countedOf } from "./counted.ts";
import type { Deferred } from "./deferred.ts";
import type { Surroundings } from "./operators/operator.ts";
import { aggregateOf, statisticsOf, type Summarized } from "./summarized.ts";

/**
 * An aggregate of rows that stay where they are; undefined: it needs them here. `needsRuns`: other elements ask which run an extreme is
 * from. Fails as the operator does.
 */
export function summarize(
  element: OperatorElement,
  input: Deferred,
  needsRuns: boolean,
  surroundings: Surroundings,
): Summarized | undefined {
  if (input.rows.first !== undefined) return undefined;
  const common = commonVariables(input);
  if (common === undefined) return undefined;
  if (element.type === "statistics") return statisticsOf(element, input, common);
  return aggregateOf(element, input, common, needsRuns) ?? countedOf(element, input, common, surroundings);
}
