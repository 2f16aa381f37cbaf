import { conversion, convert, parseUnit } from "../core/unit.ts";
import { parseValue, type Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";

const numberWithUnit = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\d\s.].*)$/;

/**
 * A content that a user writes for a variable: `42`, or with a unit of the same kind, `1KiByte`, which is converted to the variable's.
 * Fails with `bad-content`, `unknown-unit` or `unit-mismatch`.
 */
export function parseContent(text: string, variable: Variable): Exclude<Value, null> {
  const measured =
    variable.unit !== undefined && (variable.type === "integer" || variable.type === "float") ? numberWithUnit.exec(text) : null;
  if (measured?.[1] === undefined || measured[2] === undefined) return parseValue(text, variable);
  const number = Number(parseValue(measured[1], { ...variable, type: "float" }));
  return convert(number, conversion(parseUnit(measured[2]), variable.unit));
}
