import { numberColumn } from "../../../core/tables/table-builder.ts";
import { valueAt, type NumberColumn } from "../../../core/tables/table.ts";
import { prefixes, prefixNamed } from "../../../core/values/base-units.ts";
import { conversion, formatUnit, type Unit } from "../../../core/values/unit.ts";
import type { OperatorElement } from "../../../core/experiments/query-description.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { roundAway } from "../../../math/numerics/rounding.ts";
import { floatText } from "../display-text.ts";
import { float, whole, type RowExpression } from "../../plan/row-expression.ts";
import type { Vector, VectorColumn } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type ComputedRows, type Operator, type RowsInDatabase } from "./operator.ts";
import { requestedType, valueIn, withUnit } from "./quantity.ts";

/** What an operator makes of every single content. */
interface Change {
  apply(content: number): number;
  /** Of a whole number that stays one, with all its digits. */
  applyExactly(content: bigint): bigint;
  display(display: string): string;
  /** Whether whole numbers stay whole. */
  readonly whole: boolean;
  /** What the contents are in then; absent: in the unit they were in. */
  readonly unit?: ((unit: Unit | undefined) => Unit | undefined) | undefined;
  /**
   * Of a content in a database, a whole number that stays one or a float; absent, undefined: it would not be the same
   * to the last digit.
   */
  inDatabase?(content: RowExpression, isWhole: boolean): RowExpression | undefined;
}

/**
 * Every result times `value`: a number, one divided by a number, or a prefix by whose size the unit becomes smaller.
 */
export const scale = shift("scale", (element) => {
  const prefixed = prefixIn(element);
  const value = prefixed ?? valueIn(element);
  const unit = prefixed === undefined ? undefined : (before: Unit | undefined) => scaledUnit(element, before, value);
  return {
    apply: (content) => content * value,
    applyExactly: (content) => content * BigInt(value),
    display: (display) => `${display}*${floatText(value)}`,
    whole: Number.isSafeInteger(value),
    unit,
    inDatabase: (content, isWhole) => (isWhole ? whole("*", content, value) : float("*", content, value)),
  };
});

/** Every result plus `value`. */
export const offset = shift("offset", (element) => {
  const value = valueIn(element);
  return {
    apply: (content) => content + value,
    applyExactly: (content) => content + BigInt(value),
    display: (display) => `${display}+${floatText(value)}`,
    whole: Number.isSafeInteger(value),
    inDatabase: (content, isWhole) => (isWhole ? whole("+", content, value) : float("+", content, value)),
  };
});

/** What remains of every result when it is divided by `value`; it has the sign of the result. */
export const modulo = shift("modulo", (element) => {
  const value = valueIn(element);
  if (value === 0) throw refuse(element, "modulo of 0 is nothing", "give another value");
  return {
    apply: (content) => content % value,
    applyExactly: (content) => content % BigInt(value),
    display: (display) => `${display}%${floatText(value)}`,
    whole: Number.isSafeInteger(value),
    inDatabase: (content, isWhole) => (isWhole ? whole("%", content, value) : undefined),
  };
});

/** Every result with `value` decimals (3), ties away from zero. */
export const round = shift("round", (element) => {
  const digits = valueIn(element, 3);
  if (!Number.isInteger(digits) || Math.abs(digits) > 15)
    throw refuse(element, `round cannot give ${digits} decimals`, "give a whole number from -15 to 15");
  return {
    apply: (content) => roundAway(content, digits),
    applyExactly: (content) => wholeRounded(content, digits),
    display: (display) => `round(${display})`,
    whole: true,
    inDatabase: (content, isWhole) => (isWhole && digits >= 0 ? content : undefined),
  };
});

function wholeRounded(content: bigint, digits: number): bigint {
  if (digits >= 0) return content;
  const step = 10n ** BigInt(-digits);
  const half = content < 0n ? -step / 2n : step / 2n;
  return ((content + half) / step) * step;
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

/** Whole numbers keep their digits, however many they become. */
function wholeColumn(column: NumberColumn, { apply: content, applyExactly: exactly }: Change): NumberColumn {
  const values = Array.from(column.values, (value, row) => {
    if (column.missing?.[row] === 1) return null;
    const near = content(value);
    if (Number.isSafeInteger(near) && !column.exact?.has(row)) return near;
    const exact = exactly(BigInt(valueAt(column, row, "integer") as number | bigint));
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  });
  return numberColumn(values);
}

function floatColumn(
  element: OperatorElement,
  display: string,
  column: NumberColumn,
  { apply: content }: Change,
  type: Variable["type"],
): NumberColumn {
  const values = column.values.map((each) => (type === "integer" ? Math.trunc(content(each)) : content(each)));
  if (type === "integer" && values.some((each) => Number.isFinite(each) && !Number.isSafeInteger(each)))
    throw refuse(element, `numbers of '${display}' become too large to be whole`, 'give option="float"');
  return { ...column, values, exact: null };
}

function changeInDatabase([input, second]: readonly RowsInDatabase[], change: Change): ComputedRows | undefined {
  if (input === undefined || second !== undefined) return undefined;
  const results: RowExpression[] = [];
  for (const [at, { variable }] of input.vector.columns.entries()) {
    const content = input.expressions[at];
    if (variable.role !== "result" || content === undefined) continue;
    const after = change.inDatabase?.(content, variable.type === "integer" && change.whole);
    if (after === undefined) return undefined;
    results.push(after);
  }
  return { results };
}

function typeOf(element: OperatorElement, variable: Variable, staysWhole: boolean): Variable["type"] {
  if (element.option !== undefined) return requestedType(element, variable);
  return variable.type === "integer" && !staysWhole ? "float" : variable.type;
}

/** How large the prefix is that `value` names (`Mega`, `Ki`, `1/Kilo`); undefined: it names none. */
function prefixIn({ value = "" }: OperatorElement): number | undefined {
  const [, inverse, name] = /^ *(1 *\/)? *([A-Za-z]+) *$/.exec(value) ?? [];
  const prefix = name === undefined ? undefined : prefixNamed(name);
  if (prefix === undefined) return undefined;
  return inverse === undefined ? prefix.times / prefix.over : prefix.over / prefix.times;
}

/**
 * The unit of which there are `value` in the one before, told by another prefix: a million times as many are us in
 * place of s.
 */
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
