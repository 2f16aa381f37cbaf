import { expect, test } from "vitest";
import { sortedRows } from "./table-order.ts";

const sorted = (cells: readonly string[], down: boolean): string[] =>
  sortedRows(
    cells.map((cell) => [cell]),
    0,
    down,
  ).map(([cell]) => cell ?? "");

test("numbers sort by value, ignoring units; texts sort after numbers, empty cells last", () => {
  const cells = ["", "9 ms", "10 ms", "−3 ms", "1e3", "1,200", "name", "+0.5 %"];
  expect(sorted(cells, false)).toEqual(["−3 ms", "+0.5 %", "9 ms", "10 ms", "1e3", "1,200", "name", ""]);
  expect(sorted(cells, true)).toEqual(["1,200", "1e3", "10 ms", "9 ms", "+0.5 %", "−3 ms", "name", ""]);
});

test("rows with equal cells keep their order", () => {
  const rows = [
    ["b", "1"],
    ["a", "1"],
    ["c", "0"],
  ];
  expect(sortedRows(rows, 1, false).map(([name]) => name)).toEqual(["c", "b", "a"]);
  expect(sortedRows(rows, 1, true).map(([name]) => name)).toEqual(["b", "a", "c"]);
});
