import { valueAt, type Column, type Table } from "../../core/tables/index.ts";
import { convert, type Value } from "../../core/values/index.ts";
import type { JoinKey } from "./join-keys.ts";
import type { Side } from "./join-names.ts";

/** The rows of both experiments with one combination of key values, as indexes into their tables. */
export interface KeyRows {
  /** In the units of the first experiment. */
  readonly values: readonly Value[];
  readonly rows: readonly [number[], number[]];
}

/** Rows by key, in order of appearance: those of the first experiment, then keys of the second only. */
export interface MatchedRows {
  readonly keys: readonly KeyRows[];
  /** Rows with a missing key value, which has no partner. */
  readonly withoutKey: readonly [KeyRows[], KeyRows[]];
}

/** Digits that survive the conversion of a unit. */
const significantDigits = 15;

/**
 * Groups the rows of two tables by their keys, which are the first columns of both, in time linear in the rows. Values
 * are equal as in conditions: NaN equals NaN, 0 equals -0, a missing value equals nothing. Numbers that need a
 * conversion of units are equal if they agree in 15 digits.
 */
export function matchRows(tables: readonly [Table, Table], keys: readonly JoinKey[]): MatchedRows {
  const found = new Map<string, KeyRows>();
  const withoutKey: [KeyRows[], KeyRows[]] = [[], []];
  for (const side of [0, 1] as const)
    for (const [row, values] of keyValues(tables[side], keys, side)) {
      if (values.includes(null)) {
        withoutKey[side].push({ values, rows: side === 0 ? [[row], []] : [[], [row]] });
        continue;
      }
      const text = values.map((value, at) => keyText(value, keys[at])).join("\0");
      const known = found.get(text);
      if (known !== undefined) known.rows[side].push(row);
      else found.set(text, { values, rows: side === 0 ? [[row], []] : [[], [row]] });
    }
  return { keys: [...found.values()], withoutKey };
}

function* keyValues(table: Table, keys: readonly JoinKey[], side: Side): Generator<readonly [number, Value[]]> {
  for (let row = 0; row < table.length; row++) {
    const values = keys.map(({ of, factor }, at) => {
      const value = cellOf(table.columns[at], row, of[side].type);
      return side === 0 || value === null || isUnit(factor) ? value : convert(Number(value), factor);
    });
    yield [row, values];
  }
}

/** A value of a column; null for the row -1. */
export function cellOf(column: Column | undefined, row: number, type: JoinKey["of"][0]["type"]): Value {
  return column === undefined || column.kind === "interned" || row < 0 ? null : valueAt(column, row, type);
}

function isUnit({ times, over }: JoinKey["factor"]): boolean {
  return times === 1 && over === 1;
}

function keyText(value: Value, key: JoinKey | undefined): string {
  if (typeof value === "string") return `${value.length}:${value}`;
  if (typeof value !== "number") return String(value);
  const isConverted = key !== undefined && !isUnit(key.factor);
  return String(isConverted ? Number(value.toPrecision(significantDigits)) + 0 : value + 0);
}
