import { numberColumn, valueAt, type NumberColumn } from "../../../core/tables/index.ts";
import { prefixes, prefixNamed, conversion, formatUnit, type Unit } from "../../../core/values/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { roundAway } from "../../../math/numerics/index.ts";
import { floatText } from "../display-text.ts";
import { float, whole, type RowExpression } from "../../plan/index.ts";
import type { Vector, VectorColumn } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type ComputedRows, type Operator, type RowsInDatabase } from "./operator.ts";
import { requestedType, valueIn, withUnit } from "./quantity.ts";

/** A function on every single value. */
interface Change {
  apply(value: number): number;
  /** The same for integers with all digits. */
  applyExactly(value: bigint): bigint;
  display(display: string): string;
  /** Whether integers stay integers. */
  readonly whole: boolean;
  /** The new unit; absent: unchanged. */
  readonly unit?: ((unit: Unit | undefined) => Unit | undefined) | undefined;
  /** The same in a database, on an integer that stays one or a float; absent, undefined: it would not be bit-exact. */
  inDatabase?(value: RowExpression, isWhole: boolean): RowExpression | undefined;
}

/** Multiplies every result by `value`: a number, one divided by a number, or a prefix, by which the unit is scaled. */
export const scale = shift("scale", (element) => {
  const prefixed = prefixIn(element);
  const value = prefixed ?? valueIn(element);
  const unit = prefixed === undefined ? undefined : (before: Unit | undefined) => scaledUnit(element, before, value);
  return {
    apply: (x) => x * value,
    applyExactly: (x) => x * BigInt(value),
    display: (display) => `${display}*${floatText(value)}`,
    whole: Number.isSafeInteger(value),
    unit,
    inDatabase: (x, isWhole) => (isWhole ? whole("*", x, value) : float("*", x, value)),
  };
});

/** Adds `value` to every result. */
export const offset = shift("offset", (element) => {
  const value = valueIn(element);
  return {
    apply: (x) => x + value,
    applyExactly: (x) => x + BigInt(value),
    display: (display) => `${display}+${floatText(value)}`,
    whole: Number.isSafeInteger(value),
    inDatabase: (x, isWhole) => (isWhole ? whole("+", x, value) : float("+", x, value)),
  };
});

/** The remainder of every result divided by `value`; it has the sign of the result. */
export const modulo = shift("modulo", (element) => {
  const value = valueIn(element);
  if (value === 0) throw refuse(element, "modulo of 0 is undefined", "give another value");
  return {
    apply: (x) => x % value,
    applyExactly: (x) => x % BigInt(value),
    display: (display) => `${display}%${floatText(value)}`,
    whole: Number.isSafeInteger(value),
    inDatabase: (x, isWhole) => (isWhole ? whole("%", x, value) : undefined),
  };
});

/** Rounds every result to `value` decimals (3), ties away from zero. */
export const round = shift("round", (element) => {
  const digits = valueIn(element, 3);
  if (!Number.isInteger(digits) || Math.abs(digits) > 15)
    throw refuse(element, `round cannot give ${digits} decimals`, "give a whole number from -15 to 15");
  return {
    apply: (x) => roundAway(x, digits),
    applyExactly: (x) => wholeRounded(x, digits),
    display: (display) => `round(${display})`,
    whole: true,
    inDatabase: (x, isWhole) => (isWhole && digits >= 0 ? x : undefined),
  };
});

function wholeRounded(value: bigint, digits: number): bigint {
  if (digits >= 0) return value;
  const step = 10n ** BigInt(-digits);
  const half = value < 0n ? -step / 2n : step / 2n;
  return ((value + half) / step) * step;
}

function shift(name: string, changeOf: (element: OperatorElement) => Change): Operator {
  return {
    name,
    apply(element, inputs) {
      takesOnly(element, ["value", "option"]);
      return changed(element, inputs, changeOf(element));
    },
    inDatabase: (element, inputs) =>
      element.option === undefined ? changeInDatabase(inputs, changeOf(element)) : undefined,
  };
}

function changed(element: OperatorElement, inputs: readonly Vector[], change: Change): Vector {
  const input = onlyInput(element, inputs);
  const columns = input.columns.map((column) =>
    column.variable.role === "result" ? changedColumn(element, column, change) : column,
  );
  return { ...input, origin: element.id, from: "operator", columns };
}

function changedColumn(
  element: OperatorElement,
  { variable, display, column }: VectorColumn,
  change: Change,
): VectorColumn {
  const isNumber = variable.type === "integer" || variable.type === "float" || variable.type === "duration";
  if (column.kind !== "number" || !isNumber)
    throw refuse(element, `there is no ${element.type} of '${display}', which is a ${variable.type}`);
  const type = typeOf(element, variable, change.whole);
  const isWhole = variable.type === "integer" && type === "integer" && change.whole;
  const after = change.unit ? withUnit(variable, change.unit(variable.unit)) : variable;
  return {
    variable: { ...after, type },
    display: change.display(display),
    column: isWhole ? wholeColumn(column, change) : floatColumn(element, display, column, change, type),
  };
}

/** Integers keep all digits. */
function wholeColumn(column: NumberColumn, { apply, applyExactly }: Change): NumberColumn {
  const values = Array.from(column.values, (value, row) => {
    if (column.missing?.[row] === 1) return null;
    const near = apply(value);
    if (Number.isSafeInteger(near) && !column.exact?.has(row)) return near;
    const exact = applyExactly(BigInt(valueAt(column, row, "integer") as number | bigint));
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  });
  return numberColumn(values);
}

function floatColumn(
  element: OperatorElement,
  display: string,
  column: NumberColumn,
  { apply }: Change,
  type: Variable["type"],
): NumberColumn {
  const values = column.values.map((each) => (type === "integer" ? Math.trunc(apply(each)) : apply(each)));
  if (type === "integer" && values.some((each) => Number.isFinite(each) && !Number.isSafeInteger(each)))
    throw refuse(element, `numbers of '${display}' become too large to be whole`, 'give option="float"');
  return { ...column, values, exact: null };
}

function changeInDatabase([input, second]: readonly RowsInDatabase[], change: Change): ComputedRows | undefined {
  if (input === undefined || second !== undefined) return undefined;
  const results: RowExpression[] = [];
  for (const [at, { variable }] of input.vector.columns.entries()) {
    const expression = input.expressions[at];
    if (variable.role !== "result" || expression === undefined) continue;
    const after = change.inDatabase?.(expression, variable.type === "integer" && change.whole);
    if (after === undefined) return undefined;
    results.push(after);
  }
  return { results };
}

function typeOf(element: OperatorElement, variable: Variable, staysWhole: boolean): Variable["type"] {
  if (element.option !== undefined) return requestedType(element, variable);
  return variable.type === "integer" && !staysWhole ? "float" : variable.type;
}

/** The factor of the prefix in `value` (`Mega`, `Ki`, `1/Kilo`); undefined: no prefix. */
function prefixIn({ value = "" }: OperatorElement): number | undefined {
  const [, inverse, name] = /^ *(1 *\/)? *([A-Za-z]+) *$/.exec(value) ?? [];
  const prefix = name === undefined ? undefined : prefixNamed(name);
  if (prefix === undefined) return undefined;
  return inverse === undefined ? prefix.times / prefix.over : prefix.over / prefix.times;
}

/** Scales a unit by a prefix: a million times the number of s is in us. */
function scaledUnit(element: OperatorElement, before: Unit | undefined, value: number): Unit | undefined {
  const [first, ...rest] = before?.factors ?? [];
  if (first === undefined) return before;
  for (const prefix of ["", ...prefixes.map(({ name }) => name)]) {
    const candidate = { factors: [{ ...first, prefix }, ...rest] };
    const { times, over } = conversion(before, candidate);
    if (Math.abs(times / over / value - 1) < 1e-12) return candidate;
  }
  throw refuse(
    element,
    `no prefix makes ${value} of one ${formatUnit(before)}`,
    "scale by the number, if the unit is to stay",
  );
}
