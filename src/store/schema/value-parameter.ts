import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { versionKey } from "./version-key.ts";

/** The SQL expression for parameter $`at` with a value of `variable`, and the value to bind. */
export function bindParameter(
  engine: Engine,
  value: Exclude<Value, null>,
  variable: Variable,
  at: number,
): { readonly sql: string; readonly value: Value } {
  const parameter = `$${at}`;
  switch (variable.type) {
    case "date":
    case "timestamp":
      return { sql: `cast(${parameter} as ${variable.type})`, value: formatValue(value, variable.type) };
    case "version":
      return { sql: parameter, value: versionKey(formatValue(value, "version")) };
    case "float":
    case "duration":
    case "timeofday":
      return { sql: `cast(${parameter} as double precision)`, value };
    case "boolean":
      return { sql: `cast(${parameter} as boolean)`, value: value === true || value === 1 };
    case "binary":
      return {
        sql: engine.dialect === "duckdb" ? `from_base64(${parameter})` : `decode(${parameter}, 'base64')`,
        value,
      };
    default:
      return { sql: parameter, value };
  }
}
