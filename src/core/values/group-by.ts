import type { Value } from "./value.ts";

/** Groups items by a key, in order of the first item of each. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The rows 0 to length - 1 by a key, in order of the first row of each. */
export function rowsBy<K>(length: number, keyOf: (row: number) => K): Map<K, number[]> {
  return groupBy(
    Array.from({ length }, (_, row) => row),
    keyOf,
  );
}

/** A text that lists of equal values share, and no others: 0 equals -0, NaN equals NaN. */
export function keyOfValues(values: readonly Value[]): string {
  return values.map((value) => (typeof value === "string" ? `${value.length}:${value}` : String(value))).join("\0");
}
