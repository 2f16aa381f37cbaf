import { multiply, type Conversion } from "../../../core/values/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { hasUnits, type Variable } from "../../../core/variables/index.ts";
import type { RowExpression } from "../../plan/index.ts";
import { valueOf, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import { aggregate as aggregateOne, resultColumn } from "./aggregate.ts";
import type { Aggregate } from "./aggregates.ts";
import { matchedVector, matchRows, type Matches } from "./matching.ts";
import { refuse, takesOnly, type ComputedRows, type Operator, type RowsInDatabase } from "./operator.ts";
import { conversionTo, converted, convertInDatabase, staysWhole, unitIn, withValues, withUnit } from "./quantity.ts";

/**
 * An aggregate as an operator that also takes several inputs: it then aggregates each match of their rows, result by
 * result.
 */
export function acrossOperator(aggregate: Aggregate): Operator {
  return {
    name: aggregate.name,
    aggregateOf: () => aggregate,
    apply(element, inputs, { compat }) {
      const [only, second] = inputs;
      takesOnly(element, only && !second ? ["option", "scope"] : ["option", "match"]);
      if (only && !second) return aggregateOne(aggregate, element, only);
      const matches = matchRows(element, inputs);
      const first = inputs[0] ? resultsOf(inputs[0]) : [];
      const results = first.map((_, at) =>
        acrossColumn(aggregate, element, resultsAt(element, inputs, at), matches, compat),
      );
      return matchedVector(element, inputs, matches, results);
    },
    inDatabase: (element, inputs, { compat }) =>
      compat === undefined && element.option === undefined && inputs.length === 2
        ? computed(resultsInDatabase(element, inputs).map((columns) => acrossInDatabase(aggregate, columns)))
        : undefined,
  };
}

function computed(results: readonly (RowExpression | undefined)[]): ComputedRows | undefined {
  const found = results.flatMap((each) => each ?? []);
  return found.length < results.length ? undefined : { results: found };
}

/** A result of an input whose rows are in a database. */
export interface DatabaseColumn {
  readonly column: VectorColumn;
  readonly expression: RowExpression;
}

/** The results of the inputs at one index. */
export function resultsInDatabase(element: OperatorElement, inputs: readonly RowsInDatabase[]): DatabaseColumn[][] {
  const vectors = inputs.map(({ vector }) => vector);
  const [first] = vectors;
  return (first ? resultsOf(first) : []).map((_, at) =>
    resultsAt(element, vectors, at).flatMap((column, input): DatabaseColumn[] => {
      const { vector, expressions = [] } = inputs[input] ?? {};
      const expression = expressions[vector?.columns.indexOf(column) ?? -1];
      return expression ? [{ column, expression }] : [];
    }),
  );
}

const kinds: Readonly<Record<string, "total" | "product" | "least" | "greatest">> = {
  sum: "total",
  prod: "product",
  min: "least",
  max: "greatest",
};

/** Numbers only; integers only if none needs a conversion. */
function acrossInDatabase({ name }: Aggregate, [first, second]: readonly DatabaseColumn[]): RowExpression | undefined {
  const kind = kinds[name];
  if (kind === undefined || first === undefined || second === undefined) return undefined;
  const [a, b] = [first.column, second.column];
  if (![a, b].every(({ variable: { type } }) => type === "integer" || type === "float" || type === "duration"))
    return undefined;
  const isProduct = kind === "product";
  const factor: Conversion = isProduct ? { times: 1, over: 1 } : conversionTo(a, b);
  const right = convertInDatabase(second.expression, b.variable, factor);
  if (right === undefined) return undefined;
  const areWhole = a.variable.type === "integer" && b.variable.type === "integer" && staysWhole(factor) && !isProduct;
  return areWhole
    ? { kind, left: first.expression, right }
    : { kind, left: asFloat(first.expression), right: asFloat(right) };
}

function asFloat(of: RowExpression): RowExpression {
  return { kind: "float", of };
}

/** The results of the inputs at one index. */
export function resultsAt(element: OperatorElement, inputs: readonly Vector[], at: number): VectorColumn[] {
  const lists = inputs.map(resultsOf);
  if (lists.some((list) => list.length !== lists[0]?.length))
    throw refuse(
      element,
      "its inputs have different numbers of results",
      "leave results out, or omit them by a combiner",
    );
  return lists.flatMap((list) => list[at] ?? []);
}

/**
 * Concatenates all values into one column and aggregates those of each match. Takes the unit of the first column,
 * except for products.
 */
function acrossColumn(
  aggregate: Aggregate,
  element: OperatorElement,
  columns: readonly VectorColumn[],
  { rows, length }: Matches,
  compat: "perfbase" | undefined,
): VectorColumn {
  const [first] = columns;
  if (first === undefined) throw refuse(element, "its input has no result");
  const isProduct = aggregate.name === "prod";
  const factors = columns.map((each): Conversion =>
    isProduct ? { times: 1, over: 1 } : conversionTo(first, each, compat),
  );
  const type = typeOf(element, columns, factors);
  const all2 = columns.flatMap((each, input) =>
    Array.from({ length }, (_, at) => {
      const value = valueOf(each, rows[input]?.[at] ?? -1);
      const factor = factors[input];
      return factor && (typeof value === "number" || typeof value === "bigint") ? converted(value, factor) : value;
    }),
  );
  const display = `${aggregate.name}(${columns.map((each) => each.display).join(",")})`;
  const all = withValues({ variable: { ...first.variable, type }, display, column: first.column }, all2);
  const positions = Int32Array.from(columns, (_, input) => input * length);
  const values = Array.from({ length }, (_, at) =>
    aggregate.compute(
      all,
      positions.map((position) => position + at),
    ),
  );
  const result = resultColumn(aggregate, element, all, values);
  return isProduct ? { ...result, variable: withUnit(result.variable, productUnit(columns)) } : result;
}

function productUnit(columns: readonly VectorColumn[]): Variable["unit"] {
  return columns.map(({ variable }) => unitIn(variable) ?? { factors: [] }).reduce(multiply);
}

/** Integers stay integers unless combined with floats. */
function typeOf(
  element: OperatorElement,
  columns: readonly VectorColumn[],
  factors: readonly Conversion[],
): Variable["type"] {
  const types = new Set(columns.map(({ variable }) => variable.type));
  const [type] = types;
  if (types.size === 1 && type !== undefined) return type === "integer" && !factors.every(staysWhole) ? "float" : type;
  if ([...types].every((each) => hasUnits(each) || each === "duration")) return "float";
  const names = columns.map(({ variable, display }) => `'${display}' (${variable.type})`).join(" and ");
  throw refuse(element, `${names} have different types`, "give results of one type");
}
