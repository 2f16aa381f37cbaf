import { Failure } from "../../../core/failures/index.ts";
import {
  InvalidValue,
  readFloat,
  conversion,
  convert,
  formatUnit,
  parseUnit,
  sameDimension,
  type Conversion,
  type Unit,
  type Value,
} from "../../../core/values/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { numberColumn, textColumn, columnKind } from "../../../core/tables/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { float, type RowExpression } from "../../plan/index.ts";
import { resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import { refuse } from "./operator.ts";

const seconds = parseUnit("s");

/** The unit of values: durations are in seconds whatever their declared unit. undefined: none. */
export function unitIn({ type, unit }: Variable): Unit | undefined {
  if (type === "duration" || type === "timeofday") return seconds;
  return unit === undefined || unit.factors.length === 0 ? undefined : unit;
}

/** Sets or removes the unit of a variable. */
export function withUnit({ unit: _, ...variable }: Variable, unit: Unit | undefined): Variable {
  return unit === undefined || unit.factors.length === 0 ? variable : { ...variable, unit };
}

/**
 * The conversion of the second column to the unit of the first. Fails with `unit-mismatch`; in perfbase, values without
 * a unit are compatible with all.
 */
export function conversionTo(first: VectorColumn, second: VectorColumn, compat?: "perfbase"): Conversion {
  const [to, from] = [unitIn(first.variable), unitIn(second.variable)];
  if (compat === "perfbase" && (to === undefined || from === undefined)) return { times: 1, over: 1 };
  if (sameDimension(from, to)) return conversion(from, to);
  throw unlike(first.display, to, second.display, from);
}

export function unlike(first: string, to: Unit | undefined, second: string, from: Unit | undefined): Failure {
  const text = (unit: Unit | undefined): string => formatUnit(unit) || "no unit";
  return new Failure("unit-mismatch", { variable: first, to: text(to), other: second, from: text(from) });
}

/** Whether integers stay integers: only for integer factors. */
export function staysWhole({ times, over }: Conversion): boolean {
  return over === 1 && Number.isInteger(times);
}

/** Converts a value; integers beyond 2^53 keep all digits if they stay integers. */
export function converted(value: number | bigint, factor: Conversion): number | bigint {
  if (factor.times === 1 && factor.over === 1) return value;
  if (typeof value === "bigint" && staysWhole(factor)) return value * BigInt(factor.times);
  return convert(Number(value), factor);
}

/** The same in a database, as a float; undefined: an integer would be rounded differently. */
export function convertInDatabase(
  value: RowExpression,
  { type }: Variable,
  factor: Conversion,
): RowExpression | undefined {
  const { times, over } = factor;
  if (times === 1 && over === 1) return value;
  if (type === "integer" && staysWhole(factor)) return undefined;
  return over === 1 ? float("*", value, times) : float("/", float("*", value, times), over);
}

export function withValues(column: VectorColumn, values: readonly Value[]): VectorColumn {
  const isText = columnKind(column.variable.type) === "text";
  return {
    ...column,
    column: isText ? textColumn(values.map((each) => (each === null ? null : String(each)))) : numberColumn(values),
  };
}

/** Parses a number, or one divided by a number. undefined: not a finite number. */
function readNumber(text: string): number | undefined {
  const [, divisor] = /^1 *\/ *(.+)$/.exec(text) ?? [];
  const number = readFloat(divisor ?? text);
  if (number instanceof InvalidValue) return undefined;
  const value = divisor === undefined ? number : 1 / number;
  return Number.isFinite(value) ? value : undefined;
}

/** The number in the element's `value`; `otherwise` by default. */
export function valueIn(element: OperatorElement, otherwise?: number): number {
  if (element.value === undefined && otherwise !== undefined) return otherwise;
  const text = element.value ?? "";
  const number = readNumber(text.trim());
  if (number !== undefined) return number;
  const problem =
    text === "" ? `${element.type} needs a value` : `the value '${text.slice(0, 40)}' of ${element.type} is no number`;
  throw refuse(element, problem, "write a number such as 2.5, or one divided by a number such as 1/60");
}

/** The type that `option` requests; non-numeric results support none. */
export function requestedType(element: OperatorElement, variable: Variable): Variable["type"] {
  const { option } = element;
  if (option === undefined) return variable.type;
  if (option !== "float" && option !== "integer")
    throw refuse(
      element,
      `there is no option '${option.slice(0, 40)}' of ${element.type}`,
      "options are float and integer",
    );
  if (variable.type === "integer" || variable.type === "float" || variable.type === "boolean") return option;
  throw refuse(
    element,
    `a ${variable.type} does not become ${option === "float" ? "a float" : "an integer"}`,
    "leave the option out",
  );
}

/** The only result of a vector. */
export function onlyResult(element: OperatorElement, vector: Vector): VectorColumn {
  const [result, second] = resultsOf(vector);
  if (result && !second) return result;
  const count = resultsOf(vector).length;
  throw refuse(element, `${element.type} takes one result, not ${count}`, "remove results, or omit them by a combiner");
}
