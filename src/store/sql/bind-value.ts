import { formatValue, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { versionKey } from "../schema/version-key.ts";

export const double = "double precision";

/** Bytes from base64 text, which is how values hold them. */
const bytesOf: Readonly<Record<Engine["dialect"], (text: string) => string>> = {
  duckdb: (text) => `from_base64(${text})`,
  postgres: (text) => `decode(${text}, 'base64')`,
};

/** The expression for a content of a variable as its column holds it; `bind` binds a value and says its `$n`. */
export function boundContent(
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
      return bytesOf[dialect](bind(value));
    default:
      return bind(value);
  }
}

export function isText(variable: Pick<Variable, "type">): boolean {
  return variable.type === "string" || variable.type === "text" || variable.type === "version";
}

/** Texts sort by code point, whatever the language of the database is. */
export function collated(expression: string): string {
  return `${expression} collate "C"`;
}
