import { prefixes, prefixNamed } from "../../../core/unit-names.ts";
import { conversion, formatUnit, type Unit } from "../../../core/unit.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import type { Variable } from "../../../core/variable.ts";
import { roundAway } from "../../../math/rounding.ts";
import { floatText } from "../display-text.ts";
import type { Vector, VectorColumn } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";
import { typeAsked, valueIn, withUnit } from "./quantity.ts";

/** What an operator makes of every single content. */
interface Change {
  content(content: number): number;
  display(display: string): string;
  /** Whether whole numbers stay whole. */
  readonly whole: boolean;
  /** What the contents are in then; absent: in the unit they were in. */
  readonly unit?: ((unit: Unit | undefined) => Unit | undefined) | undefined;
}

/** Every result times `value`: a number, one divided by a number, or a prefix by whose size the unit becomes smaller. */
export const scale: Operator = {
  name: "scale",
  apply(element, inputs) {
    takesOnly(element, ["value", "option"]);
    const prefixed = prefixIn(element);
    const value = prefixed ?? valueIn(element);
    const unit = prefixed === undefined ? undefined : (before: Unit | undefined) => scaledUnit(element, before, value);
    return changed(element, inputs, {
      content: (content) => content * value,
      display: (display) => `${display}*${floatText(value)}`,
      whole: Number.isInteger(value),
      unit,
    });
  },
};

/** Every result plus `value`. */
export const offset: Operator = {
  name: "offset",
  apply(element, inputs) {
    takesOnly(element, ["value", "option"]);
    const value = valueIn(element);
    const display = (display: string): string => `${display}+${floatText(value)}`;
    return changed(element, inputs, { content: (content) => content + value, display, whole: Number.isInteger(value) });
  },
};

/** What remains of every result when it is divided by `value`; it has the sign of the result. */
export const modulo: Operator = {
  name: "modulo",
  apply(element, inputs) {
    takesOnly(element, ["value", "option"]);
    const value = valueIn(element);
    if (value === 0) throw refuse(element, "modulo of 0 is nothing", "give another value");
    const display = (display: string): string => `${display}%${floatText(value)}`;
    return changed(element, inputs, { content: (content) => content % value, display, whole: Number.isInteger(value) });
  },
};

/** Every result with `value` decimals (3), ties away from zero. */
export const round: Operator = {
  name: "round",
  apply(element, inputs) {
    takesOnly(element, ["value", "option"]);
    const digits = valueIn(element, 3);
    if (!Number.isInteger(digits) || Math.abs(digits) > 15)
      throw refuse(element, `round cannot give ${digits} decimals`, "give a whole number from -15 to 15");
    return changed(element, inputs, {
      content: (content) => roundAway(content, digits),
      display: (display) => `round(${display})`,
      whole: true,
    });
  },
};

/** What scale or offset does to a float that stays one; undefined: anything else. */
export function stepOf(element: OperatorElement): { readonly kind: "times" | "plus"; readonly by: number } | undefined {
  if (element.option !== undefined) return undefined;
  if (element.type === "scale") return { kind: "times", by: prefixIn(element) ?? valueIn(element) };
  return element.type === "offset" ? { kind: "plus", by: valueIn(element) } : undefined;
}

function changed(element: OperatorElement, inputs: readonly Vector[], change: Change): Vector {
  const input = onlyInput(element, inputs);
  const columns = input.columns.map((column) => (column.variable.role === "result" ? changedColumn(element, column, change) : column));
  return { ...input, origin: element.id, from: "operator", columns };
}

function changedColumn(element: OperatorElement, { variable, display, column }: VectorColumn, change: Change): VectorColumn {
  const isNumber = variable.type === "integer" || variable.type === "float" || variable.type === "duration";
  if (column.kind !== "number" || !isNumber)
    throw refuse(element, `there is no ${element.type} of '${display}', which is a ${variable.type}`);
  const type = typeOf(element, variable, change.whole);
  const values = column.values.map((content) => (type === "integer" ? Math.trunc(change.content(content)) : change.content(content)));
  if (type === "integer" && values.some((each) => Number.isFinite(each) && !Number.isSafeInteger(each)))
    throw refuse(element, `numbers of '${display}' become too large to be whole`, 'give option="float"');
  const after = change.unit ? withUnit(variable, change.unit(variable.unit)) : variable;
  return { variable: { ...after, type }, display: change.display(display), column: { ...column, values, exact: null } };
}

function typeOf(element: OperatorElement, variable: Variable, staysWhole: boolean): Variable["type"] {
  if (element.option !== undefined) return typeAsked(element, variable);
  return variable.type === "integer" && !staysWhole ? "float" : variable.type;
}

/** How large the prefix is that `value` names (`Mega`, `Ki`, `1/Kilo`); undefined: it names none. */
function prefixIn({ value = "" }: OperatorElement): number | undefined {
  const [, inverse, name] = /^ *(1 *\/)? *([A-Za-z]+) *$/.exec(value) ?? [];
  const prefix = name === undefined ? undefined : prefixNamed(name);
  if (prefix === undefined) return undefined;
  return inverse === undefined ? prefix.times / prefix.over : prefix.over / prefix.times;
}

/** The unit of which there are `value` in the one before, told by another prefix: a million times as many are us in place of s. */
function scaledUnit(element: OperatorElement, before: Unit | undefined, value: number): Unit | undefined {
  const [first, ...rest] = before?.factors ?? [];
  if (first === undefined) return before;
  for (const prefix of ["", ...prefixes.map(({ name }) => name)]) {
    const candidate = { factors: [{ ...first, prefix }, ...rest] };
    const { times, over } = conversion(before, candidate);
    if (Math.abs(times / over / value - 1) < 1e-12) return candidate;
  }
  throw refuse(element, `no prefix makes ${value} of one ${formatUnit(before)}`, "scale by the number, if the unit is to stay");
}
