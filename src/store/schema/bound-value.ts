import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import { versionKey } from "./version-key.ts";

/** The SQL expression for a value in a column of `variable`; `bind` binds a value and returns its `$n`. */
export function boundValueSql(
  value: Value,
  variable: Pick<Variable, "type">,
  dialect: Dialect,
  bind: (value: Value) => string,
): string {
  if (value === null) return "null";
  switch (variable.type) {
    case "date":
    case "timestamp":
      return `cast(${bind(formatValue(value, variable.type))} as ${variable.type})`;
    case "version":
      return bind(versionKey(formatValue(value, "version")));
    case "float":
    case "duration":
    case "timeofday":
      return `cast(${bind(value)} as double precision)`;
    case "boolean":
      return bind(value === true || value === 1);
    case "binary":
      return dialect.bytesOf(bind(value));
    default:
      return bind(value);
  }
}
