import { Failure } from "../../../core/failures/index.ts";
import { nearest } from "../../../core/text/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { resultsOf, type Vector } from "../vector.ts";
import { acrossOperator } from "./aggregate-across.ts";
import { aggregateOperator, median, quantile } from "./aggregate.ts";
import { acrossAggregates, singleAggregates } from "./aggregates.ts";
import { distribution, frequency } from "./distribution.ts";
import { evalOperator } from "./eval.ts";
import { first } from "./first.ts";
import { abslimit, limit } from "./limit.ts";
import { normalize, statistics } from "./statistics.ts";
import type { Operator, OperatorContext } from "./operator.ts";
import { order, sort } from "./order.ts";
import { pairwise } from "./pairwise.ts";
import { param, resolve, runIndex, runParam, latest, oldest, slice } from "./run-operators.ts";
import { modulo, offset, round, scale } from "./elementwise.ts";
import { union } from "./union.ts";

/** All operators; an element without a type is a union. */
const operators: readonly Operator[] = [
  union,
  ...singleAggregates.map(aggregateOperator),
  ...acrossAggregates.map(acrossOperator),
  median,
  quantile,
  sort,
  scale,
  offset,
  modulo,
  round,
  normalize,
  ...pairwise,
  evalOperator,
  limit,
  abslimit,
  distribution,
  frequency,
  slice,
  oldest,
  latest,
  runIndex,
  param,
  runParam,
  resolve,
  statistics,
  order,
  first,
];

/** Fails with `operator-not-known`. */
export function operatorOf(element: OperatorElement): Operator {
  const type = element.type ?? "null";
  const found = operators.find(({ name }) => name === type);
  if (found) return found;
  const names = operators.map(({ name }) => name);
  const near = nearest(type.slice(0, 64), names).join(", ");
  throw new Failure("operator-not-known", {
    element: element.id,
    operator: type.slice(0, 64),
    near,
    known: names.join(", "),
  });
}

export function applyOperator(
  element: OperatorElement,
  inputs: readonly Vector[],
  surroundings: OperatorContext = {},
): Vector {
  const found = operatorOf(element).apply(element, inputs, surroundings);
  return renamed(element, inputs[0], found);
}

/** An edge with label="ignore" keeps the display names of results. */
export function renamed(element: OperatorElement, input: Vector | undefined, found: Vector): Vector {
  return element.inputs[0]?.attributes.get("label") === "ignore" ? withNamesOf(input, found) : found;
}

function withNamesOf(input: Vector | undefined, found: Vector): Vector {
  const names = input ? resultsOf(input).map(({ display }) => display) : [];
  const results = resultsOf(found);
  const columns = found.columns.map((column) => ({
    ...column,
    display: names[results.indexOf(column)] ?? column.display,
  }));
  return { ...found, columns };
}
