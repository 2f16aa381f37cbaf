import type { InputLocation, TableLocation, TableValue } from "./input-description.ts";
import type { Origin } from "./location-parts.ts";
import { tableProblem } from "./row-layout.ts";
import { transposedKey } from "./row-location-text.ts";
import type { TransposedLocation, TransposedValue } from "./row-locations.ts";

/** A location, or a line that is one column or one row of a table. */
export type ReadLocation =
  | InputLocation
  | { readonly table: TableLocation; readonly number: number }
  | { readonly transposed: TransposedLocation; readonly number: number };

/**
 * Combines lines with equal table properties into one table at the position of its first line. `refuse` gets the
 * problem of a table and the position of its first line.
 */
export function mergeTables(
  locations: readonly ReadLocation[],
  refuse: (origin: Origin, problem: string) => Error,
): InputLocation[] {
  const columns = new Map<string, TableValue[]>();
  const lines = new Map<string, TransposedValue[]>();
  const merged = locations.flatMap((location): InputLocation[] => {
    if ("table" in location) {
      const { table, number } = location;
      const values = joined(columns, tableKey(table, number), table.values);
      return values ? [{ ...table, values }] : [];
    }
    if ("transposed" in location) {
      const { transposed, number } = location;
      const values = joined(lines, transposedKey(transposed, number), transposed.values);
      return values ? [{ ...transposed, values }] : [];
    }
    return [location];
  });
  for (const location of merged) {
    const problem = location.kind === "table" ? tableProblem(location) : undefined;
    if (problem !== undefined) throw refuse(location.origin, problem);
  }
  return merged;
}

/** The list for a new key; undefined if the values were added to that of a known one. */
function joined<T>(lists: Map<string, T[]>, key: string, values: readonly T[]): T[] | undefined {
  const known = lists.get(key);
  if (known) {
    known.push(...values);
    return undefined;
  }
  const list = [...values];
  lists.set(key, list);
  return list;
}

/** Equal for tables that have the same text syntax except for columns. */
export function tableKey(table: TableLocation, number: number): string {
  const { values: _values, origin: _origin, kind: _kind, ...properties } = table;
  return JSON.stringify([Object.entries(properties).sort(([one], [other]) => (one < other ? -1 : 1)), number]);
}
