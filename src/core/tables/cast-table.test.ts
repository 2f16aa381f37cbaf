import { expect, test } from "vitest";
import { castTable, castValues } from "./cast-table.ts";
import { tableOf } from "./table-builder.ts";
import { rowsOf } from "./table.ts";
import type { DataType } from "../values/value.ts";
import type { Variable } from "../variables/variable.ts";

function parameter(name: string, type: DataType): Variable {
  return { name, role: "parameter", occurrence: "multiple", type, default: null };
}

const given = tableOf(
  [parameter("size", "float"), parameter("name", "string")],
  [
    [1, "7"],
    [0.5, null],
    [null, "8"],
  ],
);

test("casts numbers to texts and numeric texts to numbers", () => {
  const cast = castTable(given, [parameter("SIZE", "string"), parameter("name", "integer")]);
  expect(cast.variables.map(({ name, type }) => [name, type])).toEqual([
    ["size", "string"],
    ["name", "integer"],
  ]);
  expect(rowsOf(cast)).toEqual([
    ["1", 7],
    ["0.5", null],
    [null, 8],
  ]);
});

test("a table with matching types is unchanged, and other columns stay", () => {
  expect(castTable(given, [parameter("size", "float")])).toBe(given);
});

test("reports a value that does not fit", () => {
  expect(() => castTable(given, [parameter("size", "integer")])).toThrow("'0.5' does not fit 'size' (integer)");
  const once = new Map([["host", "node7"]]);
  const declared = [{ ...parameter("host", "string"), occurrence: "once" } as const];
  expect(() => castValues(once, declared, [{ ...declared[0]!, type: "float" }])).toThrow("'node7' does not fit");
  expect(castValues(once, declared, declared)).toEqual(once);
});
