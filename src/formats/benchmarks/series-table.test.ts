import fc from "fast-check";
import { expect, it } from "vitest";
import { separatedLines } from "../text/csv-lines.ts";
import { readSeriesTable } from "./series-table.ts";

const cellsOf = (text: string): (readonly string[])[] => [...separatedLines(text, "f.csv")].map(({ cells }) => cells);

it("reads series with their labels, without the places where they have no value", () => {
  const text = 'commit,"time, s",bytes\r\nabc,1.5,\r\n\r\ndef,nan,7\r\n"gh""i",-2e-3,8';
  expect(readSeriesTable(text, "f.csv")).toEqual([
    { name: "time, s", values: Float64Array.of(1.5, -0.002), labels: ["abc", 'gh"i'] },
    { name: "bytes", values: Float64Array.of(7, 8), labels: ["def", 'gh"i'] },
  ]);
});

it("takes semicolons and tabs, a byte order mark and short lines", () => {
  expect(readSeriesTable("\uFEFFi;a\n0;1\n1\n2;3", "f.csv")).toEqual([
    { name: "a", values: Float64Array.of(1, 3), labels: ["0", "2"] },
  ]);
  expect(readSeriesTable("i\ta,b\tc\n0\t4\t5", "f.csv")[0]?.name).toBe("a,b");
});

it.each([
  ["", 1, /names no series/],
  ["index\n1", 1, /names no series/],
  ["i,a\n0,1\n1,x", 3, /'x' of series a is no finite number/],
  ["i,a\n0,inf", 2, /no finite number/],
  ["i,a\n0,1,2", 2, /3 cells/],
  ['i,a\n0,1\n"1,2\n3', 3, /quote/],
])("refuses %j", (text, line, reason) => {
  expect(() => readSeriesTable(text, "f.csv")).toThrow(
    expect.objectContaining({
      code: "bad-series",
      data: expect.objectContaining({ line, reason: expect.stringMatching(reason) }),
    }),
  );
});

it("reads the cells that were written, whatever is in them", () => {
  const cell = fc
    .string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", ";", "é", " x") })
    .map((text) => `x${text}`);
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
  fc.assert(
    fc.property(table, (lines) => {
      // The head has more commas than anything else, so that they are what separates.
      const head = lines[0]?.map((_, at) => `n${at}`) ?? [];
      const text = [head, ...lines.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`))]
        .map((cells) => cells.join(","))
        .join("\n");
      expect(cellsOf(text)).toEqual([head, ...lines]);
    }),
  );
});
