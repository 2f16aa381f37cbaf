import { formatValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { versionKey } from "../schema/index.ts";

/** Maximum values in a list of values; servers limit bound values, and other conditions need some. */
export const maxMembers = 30_000;

export const double = "double precision";

/** Decodes base64 text, the form of bytes in values. */
const decodeBase64: Readonly<Record<Engine["dialect"], (text: string) => string>> = {
  duckdb: (text) => `from_base64(${text})`,
  postgres: (text) => `decode(${text}, 'base64')`,
};

/** The SQL expression for a value in a column of `variable`; `bind` binds a value and returns its `$n`. */
export function boundValueSql(
  value: Value,
  variable: Pick<Variable, "type">,
  dialect: Engine["dialect"],
  bind: (value: Value) => string,
): string {
  if (value === null) return "null";
  switch (variable.type) {
    case "date":
    case "timestamp":
      return `cast(${bind(formatValue(value, variable.type))} as ${variable.type})`;
    case "version":
      return bind(versionKey(String(value)));
    case "float":
    case "duration":
    case "timeofday":
      return `cast(${bind(value)} as ${double})`;
    case "binary":
      return decodeBase64[dialect](bind(value));
    default:
      return bind(value);
  }
}

export function isText(variable: Pick<Variable, "type">): boolean {
  return variable.type === "string" || variable.type === "text" || variable.type === "version";
}

/** Sorts text by code point, regardless of the database's locale. */
export function collated(expression: string): string {
  return `${expression} collate "C"`;
}
