import type { Json, Value } from "../values/index.ts";
import { rowsOf, type Table } from "./table.ts";

/**
 * Rows as objects by column name; null is a missing value. Units are those of `Value`: durations in seconds, timestamps
 * in microseconds since 1970, dates in days since then, integers beyond 2^53 as bigint. For tables that fit into
 * memory.
 */
export function records(table: Table): Record<string, Value | Json>[] {
  const names = table.variables.map(({ name }) => name);
  return rowsOf(table).map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? "", cell])));
}
