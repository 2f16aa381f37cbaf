import type { PlotStyle } from "../../../core/experiments/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { valueAt } from "../../../core/tables/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { numbersOf, unitOf, type NamedColumn, type ResultPoints } from "../../chart/index.ts";
import { displayText } from "../display-text.ts";
import { parametersOf, resultsOf, type VectorColumn } from "../vector.ts";
import type { ShownVector } from "./shown-vector.ts";
import type { Shown } from "./target.ts";

/** One result over the first parameter, as a curve. */
export interface Curve {
  readonly input: ShownVector;
  /** Absent: there is no parameter. */
  readonly x: VectorColumn | undefined;
  readonly y: VectorColumn;
  /** The result with half the width of error bars, or the results with both ends. */
  readonly errors: readonly VectorColumn[];
  /** 0: the first y axis, 1: the second one. */
  readonly axis: 0 | 1;
}

/** Number of results that each kind of error bars needs. */
const errorKinds: ReadonlyMap<string, number> = new Map([
  ["ydelta", 1],
  ["ylowhigh", 2],
]);

/**
 * Every result is a curve, except those that are error bars. Fails with `query-not-possible` for unsupported types, and
 * with `nothing-to-draw` without any result.
 */
export function curvesOf(inputs: readonly ShownVector[], shown: Shown): readonly [Curve, ...Curve[]] {
  const units: string[] = [];
  const curves = inputs.flatMap((input): Curve[] =>
    drawnResults(input, shown).map(({ y, errors }) => {
      requireNumbers(y.variable, shown);
      const unit = formatUnit(unitOf(y.variable));
      if (!units.includes(unit)) units.push(unit);
      if (units.length > 2)
        throw noPicture(
          shown,
          `its results have units ${units.map((each) => `'${each}'`).join(", ")}, a plot has two axes`,
        );
      return { input, x: parametersOf(input.vector)[0], y, errors, axis: units.indexOf(unit) === 0 ? 0 : 1 };
    }),
  );
  const [first, ...rest] = curves;
  if (first === undefined) throw new Failure("nothing-to-draw", { what: `output '${shown.name}' has no result` });
  return [first, ...rest];
}

function drawnResults(
  input: ShownVector,
  shown: Shown,
): { readonly y: VectorColumn; readonly errors: readonly VectorColumn[] }[] {
  const kind = input.attributes.get("errors") ?? shown.element.attributes.get("errors");
  const results = resultsOf(input.vector);
  if (kind === undefined || kind === "no") return results.map((y) => ({ y, errors: [] }));
  const count = errorKinds.get(kind);
  if (count === undefined)
    throw noPicture(shown, `there are no error bars '${kind.slice(0, 40)}', but ydelta and ylowhigh`);
  const [y, ...errors] = results;
  if (y === undefined || errors.length < count)
    throw noPicture(
      shown,
      `error bars ${kind} need ${count + 1} results, and input '${input.vector.origin}' has ${results.length}`,
    );
  return [{ y, errors: errors.slice(0, count) }];
}

export function requireNumbers({ type, name }: Variable, shown: Shown): void {
  if (type === "integer" || type === "float" || type === "duration" || type === "boolean") return;
  throw noPicture(shown, `result '${name}' is a ${type}, which cannot be plotted`);
}

export function noPicture({ name }: Shown, problem: string): Failure {
  return new Failure("query-not-possible", {
    element: name,
    problem,
    advice: "show it as text, or select other results",
  });
}

/** The numbers of a curve with the ends of its error bars. */
export function pointsOf({ input, y, errors, axis }: Omit<Curve, "x">, style: PlotStyle): ResultPoints {
  const result = { name: y.display, errors: "none", style, axis: axis === 0 ? "left" : "right" } as const;
  const center = numbersOf(y);
  const points = { result, variable: y.variable, length: input.vector.length, center };
  const [one, two] = errors.map(numbersOf);
  if (one === undefined) return points;
  if (two !== undefined) return { ...points, low: one, high: two };
  return { ...points, low: (row) => center(row) - one(row), high: (row) => center(row) + one(row) };
}

/** The name of a value on an axis. */
export function valueName({ column, variable }: NamedColumn, row: number): string {
  return displayText(valueAt(column, row, variable.type), variable.type);
}

/** The label of an axis: the synopsis of the variable, or its name. */
export function axisText({ variable, display }: VectorColumn): string {
  const synopsis = variable.synopsis?.trim().replaceAll(/\s+/g, " ") ?? "";
  return synopsis === "" ? display : synopsis;
}
