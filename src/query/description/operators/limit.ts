import { InvalidValue, readFloat, compareValues, readValue, type Value } from "../../../core/values/index.ts";
import type { OperatorElement } from "../../../core/experiments/index.ts";
import { hasUnits } from "../../../core/variables/index.ts";
import { columnNamed, valueOf, pick, resultsOf, type Vector, type VectorColumn } from "../vector.ts";
import type { RowLimit } from "../../plan/index.ts";
import { onlyInput, refuse, takesOnly, variantOf, type Operator } from "./operator.ts";

const orders = {
  less: { sign: "<", holds: (order: number) => order < 0 },
  lessequal: { sign: "<=", holds: (order: number) => order <= 0 },
  equal: { sign: "=", holds: (order: number) => order === 0 },
  notequal: { sign: "!=", holds: (order: number) => order !== 0 },
  greaterequal: { sign: ">=", holds: (order: number) => order >= 0 },
  greater: { sign: ">", holds: (order: number) => order > 0 },
} as const;

const variants = ["less", "lessequal", "equal", "notequal", "greaterequal", "greater", "true", "false"] as const;

/** The rows whose column `option` (default: the first result) compares with `value` by the variant. */
export const limit: Operator = { name: "limit", apply: (element, inputs) => limitRows(element, inputs, false) };

/** Like limit, on the absolute value. */
export const abslimit: Operator = { name: "abslimit", apply: (element, inputs) => limitRows(element, inputs, true) };

function limitRows(element: OperatorElement, inputs: readonly Vector[], isAbsolute: boolean): Vector {
  takesOnly(element, ["value", "option", "variant"]);
  const input = onlyInput(element, inputs);
  const column = element.option === undefined ? resultsOf(input)[0] : columnNamed(element, input, element.option);
  if (column === undefined) throw refuse(element, "its input has no result");
  if (isAbsolute && !hasUnits(column.variable.type) && column.variable.type !== "duration")
    throw refuse(element, `'${column.display}' is a ${column.variable.type} without a distance from zero`);
  const { test, text } = condition(element, column, isAbsolute);
  const rows: number[] = [];
  for (let row = 0; row < input.length; row++) if (test(valueOf(column, row))) rows.push(row);
  const label = `,${isAbsolute ? `|${column.variable.name}|` : column.variable.name}${text} `;
  const kept = pick(input, rows);
  return { ...kept, origin: element.id, from: "operator", columns: kept.columns.map((each) => labelled(each, label)) };
}

/** The condition of a limit for a database, and its column. */
export function rowLimitOf(
  element: OperatorElement,
  input: Pick<Vector, "columns">,
): { readonly column: VectorColumn } & Omit<RowLimit, "of"> {
  const column =
    element.option === undefined ? input.columns.find(isResult) : columnNamed(element, input, element.option);
  if (column === undefined) throw refuse(element, "its input has no result");
  const variant = variantOf(element, variants);
  const absolute = element.type === "abslimit";
  if (variant === "true" || variant === "false") return { column, sign: "=", value: variant === "true", absolute };
  const { sign } = orders[variant];
  return { column, sign: sign === "!=" ? "<>" : sign, value: limitIn(element, column.variable.type), absolute };
}

function isResult({ variable }: VectorColumn): boolean {
  return variable.role === "result";
}

function labelled(column: VectorColumn, label: string): VectorColumn {
  return column.variable.role === "result" ? { ...column, display: column.display + label } : column;
}

interface Condition {
  /** False for missing values. */
  test(value: Value): boolean;
  readonly text: string;
}

function condition(element: OperatorElement, { variable, display }: VectorColumn, isAbsolute: boolean): Condition {
  if (element.variant === undefined)
    throw refuse(element, `${element.type} needs a variant`, `variants are ${variants.join(", ")}`);
  const variant = variantOf(element, variants);
  const { type } = variable;
  if (variant === "true" || variant === "false") {
    if (type !== "boolean")
      throw refuse(element, `'${display}' is a ${type}, neither true nor false`, "compare it with a value");
    if (element.value !== undefined) throw refuse(element, `the variant ${variant} takes no value`, "leave it out");
    return { test: (value) => value === (variant === "true"), text: `=${variant}` };
  }
  const { sign, holds } = orders[variant];
  const limit = limitIn(element, type);
  const test = (value: Value): boolean => {
    if (value === null) return false;
    if (Number.isNaN(value)) return variant === "notequal";
    const compared = isAbsolute && (typeof value === "number" || typeof value === "bigint") ? distance(value) : value;
    return holds(compareValues(compared, limit, type));
  };
  return { test, text: sign + (element.value ?? "") };
}

function distance(value: number | bigint): number | bigint {
  return value < 0 ? -value : value;
}

function limitIn(element: OperatorElement, type: VectorColumn["variable"]["type"]): Exclude<Value, null> {
  const text = element.value;
  if (text === undefined) throw refuse(element, `${element.type} needs a value`, "give the value to compare with");
  const found = readLimit(text, type);
  if (!(found instanceof InvalidValue) && !Number.isNaN(found)) return found;
  throw refuse(element, `the value '${text.slice(0, 40)}' is no ${type}`, "write it as a value of the column");
}

/** Integers may be compared with fractions. */
function readLimit(text: string, type: VectorColumn["variable"]["type"]): Exclude<Value, null> | InvalidValue {
  const exact = readValue(text, type);
  return type === "integer" && exact instanceof InvalidValue ? readFloat(text) : exact;
}
