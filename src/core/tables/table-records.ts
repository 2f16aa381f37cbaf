import type { Json } from "../values/json.ts";
import { rowsOf, type Table } from "./table.ts";
import type { Value } from "../values/value.ts";

/**
 * Rows as objects by the names of their columns; null is no content. Contents are as `Value` tells: durations in
 * seconds, timestamps in microseconds since
 * 1970, dates in days since then, integers beyond 2^53 as bigint. For tables that fit into memory as objects.
 */
export function records(table: Table): Record<string, Value | Json>[] {
  const names = table.variables.map(({ name }) => name);
  return rowsOf(table).map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? "", cell])));
}
