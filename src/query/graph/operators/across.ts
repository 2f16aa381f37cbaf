import { multiply, type Conversion } from "../../../core/unit.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import { hasUnits, type Variable } from "../../../core/variable.ts";
import { contentOf, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import { aggregate as aggregateOne, resultColumn } from "./aggregate.ts";
import type { Aggregate } from "./aggregates.ts";
import { matchedVector, matchRows, type Matches } from "./matching.ts";
import { refuse, takesOnly, type Operator } from "./operator.ts";
import { conversionTo, converted, staysWhole, unitIn, withContents, withUnit } from "./quantity.ts";

/** An aggregate as an operator that takes several inputs, too: there it is taken of each match of their rows, result by result. */
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
      const results = first.map((_, at) => acrossColumn(aggregate, element, besideOf(element, inputs, at), matches, compat));
      return matchedVector(element, inputs, matches, results);
    },
  };
}

/** The results of inputs that stand at one place. */
export function besideOf(element: OperatorElement, inputs: readonly Vector[], at: number): VectorColumn[] {
  const lists = inputs.map(resultsOf);
  if (lists.some((list) => list.length !== lists[0]?.length))
    throw refuse(element, "its inputs have different numbers of results", "leave results out, or omit them by a combiner");
  return lists.flatMap((list) => list[at] ?? []);
}

/** All contents one below the other in one column, whose rows of one match are then aggregated. Units are the first one's, but for products. */
function acrossColumn(
  aggregate: Aggregate,
  element: OperatorElement,
  beside: readonly VectorColumn[],
  { rows, length }: Matches,
  compat: "perfbase" | undefined,
): VectorColumn {
  const [first] = beside;
  if (first === undefined) throw refuse(element, "its input has no result");
  const isProduct = aggregate.name === "prod";
  const factors = beside.map((each): Conversion => (isProduct ? { times: 1, over: 1 } : conversionTo(first, each, compat)));
  const type = typeOf(element, beside, factors);
  const contents = beside.flatMap((each, input) =>
    Array.from({ length }, (_, at) => {
      const content = contentOf(each, rows[input]?.[at] ?? -1);
      const factor = factors[input];
      return factor && (typeof content === "number" || typeof content === "bigint") ? converted(content, factor) : content;
    }),
  );
  const display = `${aggregate.name}(${beside.map((each) => each.display).join(",")})`;
  const all = withContents({ variable: { ...first.variable, type }, display, column: first.column }, contents);
  const places = Int32Array.from(beside, (_, input) => input * length);
  const values = Array.from({ length }, (_, at) =>
    aggregate.content(
      all,
      places.map((place) => place + at),
    ),
  );
  const result = resultColumn(aggregate, element, all, values);
  return isProduct ? { ...result, variable: withUnit(result.variable, productUnit(beside)) } : result;
}

function productUnit(columns: readonly VectorColumn[]): Variable["unit"] {
  return columns.map(({ variable }) => unitIn(variable) ?? { factors: [] }).reduce(multiply);
}

/** Whole numbers stay whole among themselves; besides a float they are floats. */
function typeOf(element: OperatorElement, beside: readonly VectorColumn[], factors: readonly Conversion[]): Variable["type"] {
  const types = new Set(beside.map(({ variable }) => variable.type));
  const [type] = types;
  if (types.size === 1 && type !== undefined) return type === "integer" && !factors.every(staysWhole) ? "float" : type;
  if ([...types].every((each) => hasUnits(each) || each === "duration")) return "float";
  const names = beside.map(({ variable, display }) => `'${display}' (${variable.type})`).join(" and ");
  throw refuse(element, `${names} are different things`, "give results of one type");
}
