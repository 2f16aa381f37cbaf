import { formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { versionKey } from "./version-key.ts";

/** How a content of `variable` is bound as $`at`: the expression that stands for it in SQL, and what is bound. */
export function boundValue(
  engine: Engine,
  value: Exclude<Value, null>,
  variable: Variable,
  at: number,
): { readonly sql: string; readonly value: Value } {
  const place = `$${at}`;
  switch (variable.type) {
    case "date":
    case "timestamp":
      return { sql: `cast(${place} as ${variable.type})`, value: formatValue(value, variable.type) };
    case "version":
      return { sql: place, value: versionKey(formatValue(value, "version")) };
    case "float":
    case "duration":
    case "timeofday":
      return { sql: `cast(${place} as double precision)`, value };
    case "boolean":
      return { sql: `cast(${place} as boolean)`, value: value === true || value === 1 };
    case "binary":
      return { sql: engine.dialect === "duckdb" ? `from_base64(${place})` : `decode(${place}, 'base64')`, value };
    default:
      return { sql: place, value };
  }
}
