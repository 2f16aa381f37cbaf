import type { Column, Table } from "../../core/tables/index.ts";

const keyEnd = "\u0001";
const wordEnd = "\u0002";

/**
 * A text whose code point order is the order of versions (core/value.ts), followed by the version: `1.10` sorts after
 * `1.9`, `1.0rc1` before `1.0` and `1.0a` after it. Version columns store such keys, so that all databases sort them
 * alike.
 */
export function versionKey(version: string): string {
  const components = version.match(/\d+|[A-Za-z]+/g) ?? [];
  const keys = components.map((component, index) =>
    componentKey(component, index > 0 && index === components.length - 1),
  );
  return `${keys.join("")}1${keyEnd}${version}`;
}

/**
 * Words sort before the end of a version, a last single letter after it, numbers after both; numbers sort by digit
 * count, then by digits.
 */
function componentKey(component: string, isLast: boolean): string {
  if (isLast && /^[A-Za-z]$/.test(component)) return `1${component}${wordEnd}`;
  if (!/^\d/.test(component)) return `0${component}${wordEnd}`;
  const digits = component.replace(/^0+(?=\d)/, "");
  return `2${String(digits.length).padStart(3, "0")}${digits}`;
}

export function versionOfKey(key: string): string {
  return key.slice(key.indexOf(keyEnd) + 1);
}

/** A table with its version columns encoded by `versionKey`. */
export function encodeVersions({ variables, columns, length }: Table): Table {
  const encode = (column: Column, at: number): Column =>
    variables[at]?.type === "version" && column.kind === "text"
      ? { ...column, dictionary: column.dictionary.map(versionKey) }
      : column;
  return { variables, columns: columns.map(encode), length };
}
