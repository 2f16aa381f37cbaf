import { compareNaturally } from "../../src/core/text/index.ts";

/**
 * Rows sorted by a column: by leading numbers if both cells have one, else as text. Empty cells come last.
 */
export function sortedRows(
  rows: readonly (readonly string[])[],
  column: number,
  down: boolean,
): readonly (readonly string[])[] {
  const keys = rows.map((cells) => keyOf(cells[column] ?? ""));
  const order = rows.map((_, i) => i);
  order.sort((a, b) => compared(keys[a] ?? noKey, keys[b] ?? noKey, down) || a - b);
  return order.map((i) => rows[i] ?? []);
}

interface Key {
  /** NaN: the cell does not start with a number. */
  readonly number: number;
  readonly text: string;
}

const noKey: Key = { number: Number.NaN, text: "" };
const numberAtStart = /^[+-]?(?:\d[\d,\u202f]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/;

function keyOf(cell: string): Key {
  const text = cell.trim().replace("−", "-");
  const digits = numberAtStart.exec(text)?.[0];
  return { text, number: digits === undefined ? Number.NaN : Number(digits.replace(/[,\u202f]/g, "")) };
}

function compared(a: Key, b: Key, down: boolean): number {
  if (a.text === "" || b.text === "") return Number(a.text === "") - Number(b.text === "");
  const sign = down ? -1 : 1;
  if (Number.isNaN(a.number) !== Number.isNaN(b.number)) return Number.isNaN(a.number) ? 1 : -1;
  if (Number.isNaN(a.number)) return sign * compareNaturally(a.text, b.text);
  return sign * (a.number - b.number);
}
