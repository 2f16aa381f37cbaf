import { expect, test } from "vitest";
import type { Run } from "../../core/profiles/run.ts";
import { takeRows } from "../../core/tables/table-rows.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import { withAmountUnit } from "./amount-unit.ts";
import { chosenColumns, rowsWhere } from "./selected-rows.ts";
import { flatModels, flatResources } from "./flat-rows.ts";
import { keysOf, distinctValues } from "./keys.ts";
import { plotPoints } from "./points.ts";

const run: Run = decodeProfile(
  new TextEncoder().encode(
    JSON.stringify({
      resources: {
        "a#0": { amount: [1, 2, 3], order: [1, 2, 1] },
        "b#0": { amount: [10, 20.5], order: [1, 2] },
        "c#0": { amount: [7] },
      },
      resource_type_map: {
        "a#0": { uid: { function: "main", line: 7 }, snapshot: 0, type: "time" },
        "b#0": { uid: { function: "push", line: 9 }, snapshot: 1, type: "time" },
        "c#0": { uid: "all", snapshot: 1, type: "time" },
      },
      models: [{ uid: "main:7", model: "linear", coeffs: [{ name: "b0", value: 1.5 }], r_square: 1 }],
      header: { type: "time", cmd: "./a", workload: "", units: { time: "ms" } },
      collector_info: { name: "time", params: {} },
      postprocessors: [],
    }),
  ),
);
const flat = flatResources(run);
const names = (table: Table): string[] => table.variables.map(({ name }) => name);
const where = (...conditions: string[]): Table => takeRows(flat, rowsWhere(flat, conditions));

test("flattens nested values; numbers keep their units and digits", () => {
  expect(names(flat)).toEqual(["amount", "order", "uid:function", "uid:line", "uid", "snapshot", "type"]);
  expect(flat.variables.map(({ type }) => type)).toEqual([
    "float",
    "integer",
    "text",
    "integer",
    "text",
    "integer",
    "text",
  ]);
  expect(formatUnit(flat.variables[0]!.unit)).toBe("ms");
  expect(rowsOf(flat)[4]).toEqual([20.5, 2, "push", 9, "push:9", 1, "time"]);
  expect(rowsOf(flat)[5]).toEqual([7, null, null, null, "all", 1, "time"]);
  expect([names(flatModels(run)), rowsOf(flatModels(run))]).toEqual([
    ["uid", "model", "coeffs:b0", "coeffs", "r_square"],
    [["main:7", "linear", 1.5, "1.5", 1]],
  ]);
});

test("integers beyond 2^53 keep their digits", () => {
  const text = `{"resources": {"a#0": {"amount": [9007199254740993]}},
    "resource_type_map": {"a#0": {"uid": "a", "type": "time"}},
    "header": {"type": "time", "cmd": "", "workload": "", "units": {}}}`;
  expect(rowsOf(flatResources(decodeProfile(new TextEncoder().encode(text))))[0]![0]).toBe(9007199254740993n);
});

test("conditions select rows; names select columns, in order", () => {
  expect(rowsOf(chosenColumns(where("uid:function=main", "amount>=2"), ["order", "amount"]))).toEqual([
    [2, 2],
    [1, 3],
  ]);
  expect(where("order is null")).toMatchObject({ length: 1 });
  expect(() => where("amuont>2")).toThrow(expect.objectContaining({ code: "unknown-column" }));
  expect(() => chosenColumns(flat, ["nothing"])).toThrow(expect.objectContaining({ code: "unknown-column" }));
});

test("keys have counts of values, and values are in order of first appearance", () => {
  expect(rowsOf(keysOf(flat)).map((row) => row.slice(0, 5))).toEqual([
    ["amount", "float", "ms", 6, 6],
    ["order", "integer", "", 5, 2],
    ["uid:function", "text", "", 5, 2],
    ["uid:line", "integer", "", 5, 2],
    ["uid", "text", "", 6, 3],
    ["snapshot", "integer", "", 6, 2],
    ["type", "text", "", 6, 1],
  ]);
  expect(rowsOf(distinctValues(flat, "uid"))).toEqual([
    ["main:7", 3],
    ["push:9", 2],
    ["all", 1],
  ]);
  expect(() => distinctValues(flat, "nothing")).toThrow(expect.objectContaining({ code: "unknown-column" }));
});

test("points are statistics per value of another column, and by a third", () => {
  expect(rowsOf(plotPoints(flat, {}))).toEqual([
    [0, 6],
    [1, 37.5],
  ]);
  const byFunction = plotPoints(flat, { per: "order", by: "uid:function", statistic: "max" });
  expect([names(byFunction), rowsOf(byFunction)]).toEqual([
    ["uid:function", "order", "amount.max"],
    [
      ["main", 1, 3],
      ["main", 2, 2],
      ["push", 1, 10],
      ["push", 2, 20.5],
    ],
  ]);
  expect(formatUnit(byFunction.variables[2]!.unit)).toBe("ms");
});

test("texts can only be counted", () => {
  expect(rowsOf(plotPoints(flat, { of: "uid", statistic: "distinct" }))).toEqual([
    [0, 1],
    [1, 2],
  ]);
  expect(() => plotPoints(flat, { of: "uid", statistic: "mean" })).toThrow(
    expect.objectContaining({ code: "statistic-not-possible" }),
  );
});

test("requires the independent column", () => {
  const alone = chosenColumns(flat, ["amount", "uid"]);
  expect(() => plotPoints(alone, {})).toThrow(expect.objectContaining({ code: "no-independent-key" }));
  expect(rowsOf(plotPoints(alone, { per: "uid" }))).toHaveLength(3);
});

/** Rows that have a subtype and a snapshot each. */
function subtypes(
  rows: readonly (readonly [subtype: string, snapshot: number, amount: number])[],
  type = "mixed",
): Table {
  const all = rows.map(
    ([subtype, snapshot, amount], at) => [`f#${at}`, { uid: "f", type, subtype, snapshot }, amount] as const,
  );
  const document = {
    resources: Object.fromEntries(all.map(([id, , amount]) => [id, { amount: [amount] }])),
    resource_type_map: Object.fromEntries(all.map(([id, properties]) => [id, properties])),
    header: { type, cmd: "", workload: "", units: { [type]: "us" } },
  };
  return flatResources(decodeProfile(new TextEncoder().encode(JSON.stringify(document))));
}

test("separates points of different quantities, or rejects them", () => {
  const results = subtypes([
    ["T", 0, 1],
    ["R", 0, 500],
  ]);
  expect(() => plotPoints(results, { per: "snapshot" })).toThrow(/different quantities: T, R/);
  expect(rowsOf(plotPoints(results, { per: "snapshot", subtype: "T" }))).toEqual([[0, 1]]);
  expect(rowsOf(plotPoints(results, { per: "snapshot", statistic: "count" }))).toEqual([[0, 2]]);
  expect(rowsOf(plotPoints(results, { per: "snapshot", by: "subtype" }))).toHaveLength(2);
});

test("does not add heap states over time, nor locations to totals", () => {
  const heap = subtypes(
    [
      ["total", 0, 10],
      ["heap", 1, 15],
      ["heap", 1, 4],
      ["total", 1, 20],
      ["heap", 2, 8],
      ["total", 2, 9],
    ],
    "memory",
  );
  expect(rowsOf(plotPoints(heap, { per: "snapshot" }))).toEqual([
    [0, 10],
    [1, 20],
    [2, 9],
  ]);
  expect(rowsOf(plotPoints(heap, { per: "uid" }))).toEqual([["f", 19]]);
  expect(rowsOf(plotPoints(heap, { per: "uid", statistic: "min" }))).toEqual([["f", 4]]);
});

test("amounts have the unit of their subtype", () => {
  const document = {
    resources: { "f#0": { amount: [1] }, "f#1": { amount: [500] } },
    resource_type_map: Object.fromEntries(
      ["T", "R"].map((subtype, at) => [`f#${at}`, { uid: "f", type: "mixed", subtype }]),
    ),
    header: { type: "mixed", cmd: "", workload: "", units: { "mixed(T)": "us", "mixed(R)": "MByte/s" } },
  };
  const run = decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
  const unit = (subtype?: string): string =>
    formatUnit(withAmountUnit(flatResources(run), run, subtype).variables[0]?.unit);
  expect([unit("T"), unit("R"), unit()]).toEqual(["us", "MByte/s", "us"]);
});
