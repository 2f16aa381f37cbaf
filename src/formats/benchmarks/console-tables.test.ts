import { expect, test } from "vitest";
import { asvTableCells } from "./console-tables.ts";

const cellsOf = (text: string): unknown[] =>
  asvTableCells(text.split("\n")).map(({ parameters, text: cell }) => [
    ...parameters.map((each) => each.join("=")),
    cell,
  ]);

test("rows are combinations of parameters; unnamed ones are numbered", () => {
  const table = `
  ======= ======== ============
     n              
  ------- -------- ------------
    100    'a b'    1.0±0.1ms
    200     (0, 1)     failed
  ======= ======== ============`;
  expect(cellsOf(table)).toEqual([
    ["n=100", "param2='a b'", "1.0±0.1ms"],
    ["n=200", "param2=(0, 1)", "failed"],
  ]);
});

test("values of the last parameter may be columns", () => {
  const table = `
  ======= ======= =========== ===========
        --               dtype
  --------------- -----------------------
     n     kind      int         float
  ======= ======= =========== ===========
    100     x      1.0±0.1ms      n/a
  ======= ======= =========== ===========`;
  expect(cellsOf(table)).toEqual([
    ["n=100", "kind=x", "dtype=int", "1.0±0.1ms"],
    ["n=100", "kind=x", "dtype=float", "n/a"],
  ]);
});

test.each([
  ["== ==\n n\n-- --\n 1 2"],
  ["== ==\n 1 2\n== =="],
  ["== ==\n== ==\n-- --\n== =="],
  ["-- --\n== ==\n== ==\n== =="],
  [""],
])("a truncated table or one without a head has no cells: %j", (text) => {
  expect(cellsOf(text)).toEqual([]);
});
