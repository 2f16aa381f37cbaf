import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../failures/failure.ts";
import { concatTables, constantColumn, numberColumn, tableOf, textColumn, TableBuilder } from "./table-builder.ts";
import { indexOfVariable, rowsOf, selectColumns, valueAt } from "./table.ts";
import type { DataType, Value } from "../values/value.ts";
import type { Variable } from "../variables/variable.ts";

const variable = (name: string, type: DataType): Variable => ({ name, type, role: "result", occurrence: "multiple" });
const variables = [
  variable("n", "integer"),
  variable("x", "float"),
  variable("s", "string"),
  variable("ok", "boolean"),
];
const row = fc.tuple(
  fc.oneof(fc.constant(null), fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n })),
  fc.option(fc.double()),
  fc.option(fc.string()),
  fc.option(fc.boolean()),
);
const plain = (rows: readonly (readonly Value[])[]): Value[][] =>
  rows.map((cells) => cells.map((cell) => (Object.is(cell, -0) ? 0 : cell)));

describe("TableBuilder", () => {
  test("returns its rows for any capacity and can be reused", () => {
    fc.assert(
      fc.property(fc.array(row), fc.integer({ min: 1, max: 8 }), (rows, capacity) => {
        const builder = new TableBuilder(variables, capacity);
        for (const repeat of [1, 2]) {
          for (const cells of rows) builder.push(cells);
          const table = builder.take();
          expect([repeat, plain(rowsOf(table) as Value[][])]).toEqual([repeat, plain(rows)]);
        }
      }),
    );
  });
});

test("concatTables concatenates rows", () => {
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 5 }), { minLength: 1, maxLength: 4 }), (parts) => {
      const table = concatTables(parts.map((rows) => tableOf(variables, rows)));
      expect(plain(rowsOf(table) as Value[][])).toEqual(plain(parts.flat()));
    }),
  );
});

const part = (dictionary: string[], codes: number[]) => ({
  variables: [variable("trace", "text")],
  columns: [{ kind: "interned" as const, dictionary, codes: Int32Array.from(codes) }],
  length: codes.length,
});

test("concatTables merges shared structured values", () => {
  const table = concatTables([part(["a", "b"], [0, -1]), part(["b", "c"], [1, 0])]);
  expect(rowsOf(table)).toEqual([["a"], [null], ["c"], ["b"]]);
  expect(table.columns[0]).toHaveProperty("dictionary", ["a", "b", "c"]);
});

test("columns from arrays", () => {
  expect(valueAt(numberColumn([1, null, 2n ** 60n]), 2, "integer")).toBe(2n ** 60n);
  expect(valueAt(numberColumn(Float64Array.of(1)), 0, "float")).toBe(1);
  expect(valueAt(textColumn(["a", null, "a"]), 1, "string")).toBeNull();
  expect(textColumn(["a", null, "a"]).dictionary).toEqual(["a"]);
  expect(valueAt(constantColumn(variable("s", "string"), "z", 3), 2, "string")).toBe("z");
  expect(valueAt(constantColumn(variable("n", "integer"), 2n ** 60n, 3), 2, "integer")).toBe(2n ** 60n);
});

test("selectColumns selects by name and lists existing names on failure", () => {
  const table = tableOf(variables, [[1, 2, "a", true]]);
  expect(rowsOf(selectColumns(table, ["s", "N"]))).toEqual([["a", 1]]);
  expect(indexOfVariable(table, "nothing")).toBe(-1);
  expect(() => selectColumns(table, ["y"])).toThrow(/no column 'y'/);
  try {
    selectColumns(table, ["y"]);
  } catch (error) {
    expect(isFailure(error, "unknown-column") && error.remedy).toBe("the table has n, x, s, ok");
  }
});
