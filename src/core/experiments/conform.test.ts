import { describe, expect, test } from "vitest";
import { allowedOnce, conformOnce, conformTable, conformUpdate } from "./conform.ts";
import type { Experiment } from "./experiment.ts";
import { tableOf } from "../tables/table-builder.ts";
import { rowsOf } from "../tables/table.ts";
import { parseUnit } from "../values/unit.ts";
import type { Value } from "../values/value.ts";
import type { Variable } from "../variables/variable.ts";

const base = { role: "parameter", occurrence: "multiple", type: "integer" } as const;
const size: Variable = { ...base, name: "S", unit: parseUnit("Byte") };
const mode: Variable = { ...base, name: "mode", type: "string", default: "sync", valid: ["sync", "async"] };
const time: Variable = { ...base, name: "T", role: "result", type: "float", unit: parseUnit("us") };
const host: Variable = { ...base, name: "host", occurrence: "once", type: "string" };
const nodes: Variable = { ...base, name: "N", occurrence: "once", default: 1 };
const note: Variable = { ...base, name: "note", occurrence: "once", type: "text", default: null };
const experiment: Experiment = {
  name: "e",
  readers: [],
  writers: [],
  variables: [size, host, mode, nodes, note, time],
};

const given = (unit: string): Variable => ({ ...time, unit: parseUnit(unit) });

describe("conformOnce", () => {
  test("applies order, spelling and defaults", () => {
    expect([...conformOnce(new Map([["HOST", "a"]]), experiment)]).toEqual([
      ["host", "a"],
      ["N", 1],
      ["note", null],
    ]);
  });
  test("refuses unknown, invalid or too long values; missing ones stay missing", () => {
    expect(() => conformOnce(new Map([["hots", "a"]]), experiment)).toThrow(
      "no parameter or result 'hots', did you mean host?",
    );
    expect(conformOnce(new Map(), experiment).get("host")).toBeNull();
    const short = { ...experiment, variables: [{ ...host, longest: 3 }] };
    expect(conformOnce(new Map([["host", "a😀b"]]), short).get("host")).toBe("a😀b");
    expect(() => conformOnce(new Map([["host", "abcd"]]), short)).toThrow("it has 4 characters, 3 are allowed");
    const picky = { ...experiment, variables: [{ ...nodes, valid: [1, 2] }] };
    expect(conformOnce(new Map([["N", 2n]]), picky).get("N")).toBe(2n);
    expect(() => conformOnce(new Map([["N", 3]]), picky)).toThrow("'3' is not among the valid values of 'N'");
  });
});

describe("allowedOnce", () => {
  test("omits values that conformOnce refuses", () => {
    const picky = { ...experiment, variables: [{ ...nodes, valid: [1, 2] }, { ...host, longest: 3 }, note] };
    const values = new Map<string, Value>([
      ["n", 3],
      ["host", "abc"],
      ["note", null],
    ]);
    expect([...allowedOnce(values, picky).keys()]).toEqual(["host", "note"]);
    expect([...allowedOnce(new Map<string, Value>([...values, ["n", 2], ["host", "abcd"]]), picky).keys()]).toEqual([
      "n",
      "note",
    ]);
  });
});

describe("conformTable", () => {
  test("zeros have no sign, which DuckDB forgets when it compresses rows", () => {
    const table = tableOf([size, time], [[-0, -0]]);
    expect([...rowsOf(conformTable(table, experiment))]).toEqual([[0, "sync", 0]]);
    expect(conformOnce(new Map([["N", -0]]), experiment).get("N")).toBe(0);
  });
  test("converts units, fills defaults, orders columns, leaves results missing", () => {
    const table = tableOf(
      [given("ms"), mode, size],
      [
        [1.5, null, 8],
        [null, "async", 16],
      ],
    );
    expect(rowsOf(conformTable(table, experiment))).toEqual([
      [8, "sync", 1500],
      [16, "async", null],
    ]);
  });
  test("adds missing columns", () => {
    expect(rowsOf(conformTable(tableOf([size], [[8]]), experiment))).toEqual([[8, "sync", null]]);
  });
  test("fills missing numbers, also beyond 2^53", () => {
    const wide = { ...experiment, variables: [{ ...size, default: 2n ** 60n }] };
    expect(rowsOf(conformTable(tableOf([size], [[null], [7], [2n ** 61n]]), wide))).toEqual([
      [2n ** 60n],
      [7],
      [2n ** 61n],
    ]);
  });
  test("rounds fractions caused by the conversion, refuses overflow", () => {
    const giga = { ...size, type: "float", unit: parseUnit("GByte") } as const;
    expect(rowsOf(conformTable(tableOf([giga], [[2.01]]), experiment))).toEqual([[2_010_000_000, "sync", null]]);
    const narrow = { ...experiment, variables: [{ ...size, size: 2 as const }] };
    expect(() => conformTable(tableOf([giga], [[2.01]]), narrow)).toThrow("in Byte it does not fit into 2 bytes");
  });
  test("refuses a fraction for an integer", () => {
    expect(() => conformTable(tableOf([{ ...size, unit: parseUnit("bit") }], [[12]]), experiment)).toThrow(
      "'1.5' is no value for 'S'",
    );
  });
  test("refuses a missing parameter, an incompatible unit, a value outside of the list", () => {
    expect(() => conformTable(tableOf([size], [[1], [null]]), experiment)).toThrow("no value for row 2 of 'S'");
    expect(() => conformTable(tableOf([time], [[1]]), experiment)).toThrow("no value for row 1 of 'S'");
    expect(rowsOf(conformTable(tableOf([time], [[1]]), experiment, "null"))).toEqual([[null, "sync", 1]]);
    expect(() => conformTable(tableOf([size, given("Byte")], [[1, 2]]), experiment)).toThrow(
      "'T': cannot convert Byte to us",
    );
    expect(() => conformTable(tableOf([size, mode], [[1, "fast"]]), experiment)).toThrow(
      "'fast' is not among the valid values of 'mode'",
    );
    expect(() => conformTable(tableOf([{ ...size, name: "Q" }], []), experiment)).toThrow("no parameter or result 'Q'");
  });
});

describe("conformUpdate", () => {
  test("converts and checks given columns, and adds none", () => {
    const changed = conformUpdate(
      tableOf(
        [given("ms"), mode],
        [
          [1.5, "async"],
          [null, null],
        ],
      ),
      experiment,
    );
    expect(changed.variables).toEqual([time, mode]);
    expect(rowsOf(changed)).toEqual([
      [1500, "async"],
      [null, null],
    ]);
    expect(() => conformUpdate(tableOf([mode], [["fast"]]), experiment)).toThrow(
      "'fast' is not among the valid values of 'mode'",
    );
    const short = { ...experiment, variables: [{ ...mode, longest: 3 }] };
    expect(() => conformUpdate(tableOf([mode], [["sync"]]), short)).toThrow("3 are allowed");
  });
});
