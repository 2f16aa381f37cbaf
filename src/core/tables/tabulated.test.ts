import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../values/index.ts";
import { JsonNumber } from "../values/index.ts";
import { flatRecords } from "./flat-table.ts";
import { tabulated } from "./tabulated.ts";

const number = (text: string): JsonNumber => new JsonNumber(text);

function columnsOf(...rows: (readonly [string, Json][])[]): unknown {
  const columns = flatRecords(rows.map((row) => new Map(row)));
  return tabulated(
    columns,
    rows.map((_, at) => at),
  ).map(({ name, align, cells }) => [name, align, ...cells]);
}

test.each([
  ["integers", ["12345678", "1"], "right", ["12345678", "1"]],
  ["floats", ["12345678.0", "1.5"], "right", ["1.23457e+07", "1.5      "]],
  [
    "large and small",
    ["1e-7", "0.0001", "100000.0", "1000000.0"],
    "right",
    ["1e-07", "0.0001 ", "100000     ", "1e+06"],
  ],
  ["infinities", ["Infinity", "-Infinity", "NaN"], "right", ["inf", "-inf", "nan"]],
])("prints %s as tabulate does", (_, texts, align, cells) => {
  const found = columnsOf(...texts.map((text): [string, Json][] => [["a", number(text)]]));
  expect((found as string[][])[0]?.slice(1, 2)).toEqual([align]);
  expect((found as string[][])[0]?.slice(2).map((cell) => cell.trim())).toEqual(cells.map((cell) => cell.trim()));
});

test.each([
  [["1", "0.250"], "right", ["1   ", "0.25"]],
  [["0001", " 7 "], "right", ["0001", " 7 "]],
  [["1_000.5", "x"], "left", ["1_000.5", "x"]],
  [["True", "False"], "left", ["True", "False"]],
  [["True", "1"], "right", ["True", "1"]],
  [["infinity", "1"], "left", ["infinity", "1"]],
  [["", "1"], "left", ["", "1"]],
])("reads the texts %j as Python does", (texts, align, cells) => {
  expect(columnsOf(...texts.map((text): [string, Json][] => [["a", text]]))).toEqual([["a", align, ...cells]]);
});

test("integers become floats next to missing values and, if all columns are numbers, next to floats", () => {
  const big = number("12345678");
  expect(columnsOf([["a", big]], [["b", number("1")]])).toEqual([
    ["a", "right", "1.23457e+07", "nan          "],
    ["b", "right", "nan", "  1"].map((cell, at) => (at < 2 ? cell : cell.trim())),
  ]);
  expect(
    columnsOf([
      ["a", big],
      ["b", number("0.5")],
    ]),
  ).toEqual([
    ["a", "right", "1.23457e+07"],
    ["b", "right", "0.5"],
  ]);
  expect(
    columnsOf([
      ["a", big],
      ["b", number("0.5")],
      ["c", "x"],
    ]),
  ).toEqual([
    ["a", "right", "12345678"],
    ["b", "right", "0.5"],
    ["c", "left", "x"],
  ]);
});

test("points of a column are below each other", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e5, max: 1e5 }), { minLength: 1 }), (values) => {
      const rows = values.map((value): [string, Json][] => [["a", JsonNumber.float(value)]]);
      const cells = (columnsOf(...rows) as string[][])[0]?.slice(2) ?? [];
      const pointed = cells.filter((cell) => cell.includes("."));
      expect(new Set(pointed.map((cell) => cell.length - cell.indexOf("."))).size).toBeLessThan(2);
      for (const [at, cell] of cells.entries())
        expect(Math.abs(Number(cell) - (values[at] as number))).toBeLessThanOrEqual(
          5e-6 * Math.abs(values[at] as number) || 1e-12,
        );
    }),
  );
});
