import { readFloat } from "../../../core/number-text.ts";
import { Misfit } from "../../../core/misfit.ts";
import type { OperatorElement } from "../../../core/query-description.ts";
import type { Variable } from "../../../core/variable.ts";
import { floatText } from "../display-text.ts";
import type { Vector, VectorColumn } from "../vector.ts";
import { onlyInput, refuse, takesOnly, type Operator } from "./operator.ts";

/** Every result times `value`. */
export const scale: Operator = {
  name: "scale",
  apply: (element, inputs) => shifted(element, inputs, "*", (content, value) => content * value),
};

/** Every result plus `value`. */
export const offset: Operator = {
  name: "offset",
  apply: (element, inputs) => shifted(element, inputs, "+", (content, value) => content + value),
};

function shifted(
  element: OperatorElement,
  inputs: readonly Vector[],
  sign: string,
  change: (content: number, value: number) => number,
): Vector {
  takesOnly(element, ["value", "option"]);
  const input = onlyInput(element, inputs);
  const value = valueOf(element);
  const columns = input.columns.map((column) =>
    column.variable.role === "result" ? shiftedColumn(element, column, sign, value, change) : column,
  );
  return { ...input, origin: element.id, from: "operator", columns };
}

/** A number, or one divided by a number. */
function valueOf(element: OperatorElement): number {
  const text = element.value ?? "";
  const [, divisor] = /^1 *\/ *(.+)$/.exec(text) ?? [];
  const number = readFloat(divisor ?? text);
  const value = number instanceof Misfit ? Number.NaN : divisor === undefined ? number : 1 / number;
  if (Number.isFinite(value)) return value;
  throw refuse(
    element,
    `the value '${text.slice(0, 40)}' of ${element.type} is no number`,
    "write a number such as 2.5, or one divided by a number such as 1/60",
  );
}

function shiftedColumn(
  element: OperatorElement,
  { variable, display, column }: VectorColumn,
  sign: string,
  value: number,
  change: (content: number, value: number) => number,
): VectorColumn {
  const isNumber = variable.type === "integer" || variable.type === "float" || variable.type === "duration";
  if (column.kind !== "number" || !isNumber)
    throw refuse(element, `there is no ${element.type} of '${display}', which is a ${variable.type}`);
  const type = typeOf(element, variable, value);
  const values = column.values.map((content) => (type === "integer" ? Math.trunc(change(content, value)) : change(content, value)));
  if (type === "integer" && values.some((each) => Number.isFinite(each) && !Number.isSafeInteger(each)))
    throw refuse(element, `numbers of '${display}' become too large to be whole`, 'give option="float"');
  return { variable: { ...variable, type }, display: `${display}${sign}${floatText(value)}`, column: { ...column, values, exact: null } };
}

function typeOf(element: OperatorElement, { type }: Variable, value: number): Variable["type"] {
  if (element.option === "float" || element.option === "integer") return type === "duration" ? type : element.option;
  if (element.option !== undefined)
    throw refuse(element, `there is no option '${element.option}' of ${element.type}`, "options are float and integer");
  return type === "integer" && !Number.isInteger(value) ? "float" : type;
}
