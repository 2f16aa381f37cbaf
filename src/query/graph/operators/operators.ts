import { Failure } from "../../../core/errors.ts";
import { nearest } from "../../../core/near-names.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import type { Vector } from "../vector.ts";
import { aggregateOperator } from "./aggregate.ts";
import { aggregates } from "./aggregates.ts";
import type { Operator } from "./operator.ts";
import { offset, scale } from "./shift.ts";
import { sort } from "./sort.ts";
import { union } from "./union.ts";

/** All operators that a query may name; an element without a type is a union. */
const operators: readonly Operator[] = [union, ...aggregates.map(aggregateOperator), sort, scale, offset];

/** Fails with `operator-not-known`. */
function operatorOf(element: OperatorElement): Operator {
  const type = element.type ?? "null";
  const found = operators.find(({ name }) => name === type);
  if (found) return found;
  const names = operators.map(({ name }) => name);
  const near = nearest(type.slice(0, 64), names).join(", ");
  throw new Failure("operator-not-known", { element: element.id, operator: type.slice(0, 64), near, known: names.join(", ") });
}

export function applyOperator(element: OperatorElement, inputs: readonly Vector[]): Vector {
  return operatorOf(element).apply(element, inputs);
}
