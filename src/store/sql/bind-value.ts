import type { Variable } from "../../core/variables/index.ts";

/** Maximum values in a list of values; servers limit bound values, and other conditions need some. */
export const maxMembers = 30_000;

export const double = "double precision";

export function isText(variable: Pick<Variable, "type">): boolean {
  return variable.type === "string" || variable.type === "text" || variable.type === "version";
}

/** Sorts text by code point, regardless of the database's locale. */
export function collated(expression: string): string {
  return `${expression} collate "C"`;
}
