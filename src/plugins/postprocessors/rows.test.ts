import { describe, expect, it } from "vitest";
import { curve, pointsRun, postprocessorContract } from "../../../test/contracts/postprocessor.ts";
import { isObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value } from "../../core/values/value.ts";
import { flatColumns } from "../../core/tables/flat-table.ts";
import { clusterizer } from "./clusterizer.ts";
import { filter } from "./filter.ts";
import { normalizer } from "./normalizer.ts";

postprocessorContract(filter, [
  new Map([["where", "amount>1"]]),
  new Map([["where", "uid=swap,structure-unit-size<=5"]]),
]);
postprocessorContract(normalizer, [new Map(), new Map([["by", "uid"]])]);
postprocessorContract(clusterizer, [new Map(), new Map([["strategy", "sliding-window"]])]);

const run = pointsRun({
  swap: curve(4, (x) => 10 * x),
  main: [
    [1, -5],
    [2, 2.5],
  ],
});

function column(after: Run, name: string): (number | string)[] {
  const found = flatColumns(after.data).find((each) => each.name === name)!;
  return Array.from({ length: after.data.length }, (_, row) => (found.numeric ? found.number(row) : found.text(row)));
}

const options = (given: Record<string, Value>): Map<string, Value> => new Map(Object.entries(given));

describe("filter", () => {
  it.each([
    ["amount>=20", [20, 30, 40]],
    ["uid=main", [-5, 2.5]],
    ["uid!=main,amount<20", [10]],
    ["structure-unit-size=2", [20, 2.5]],
    ["structure-unit-size!=2,amount<=10", [10, -5]],
    ["amount=nothing", []],
  ])("keeps the rows for which %s holds", (where, amounts) => {
    expect(column(filter.apply(run, options({ where })), "amount")).toEqual(amounts);
  });

  it.each([["amount"], ["amount<many"], [""], ["size=3"]])("refuses the condition '%s'", (where) => {
    expect(() => filter.apply(run, options({ where }))).toThrow(/where|size/);
  });
});

describe("normalizer", () => {
  it("scales to the largest amount of the type, or of other groups", () => {
    expect(column(normalizer.apply(run, new Map()), "amount")).toEqual([0.25, 0.5, 0.75, 1, -0.125, 0.0625]);
    expect(column(normalizer.apply(run, options({ by: "uid" })), "amount")).toEqual([0.25, 0.5, 0.75, 1, -1, 0.5]);
  });

  it("removes the unit", () => {
    const header = normalizer.apply(run, new Map()).extra.get("header");
    expect(isObject(header) && header.get("units")).toEqual(new Map([["mixed", ""]]));
  });
});

describe("clusterizer", () => {
  const close = pointsRun({
    f: [
      [1, 100],
      [2, 1],
      [3, 99.5],
      [4, 1.2],
      [5, 50],
    ],
    g: [
      [1, 3],
      [2, 3],
    ],
  });

  it("numbers the rows of each location by amount", () => {
    expect(column(clusterizer.apply(close, new Map()), "cluster")).toEqual([5, 1, 4, 2, 3, 1, 2]);
  });

  it("assigns close amounts that fit to one cluster", () => {
    const window = { strategy: "sliding-window", "window-width": 10, "width-measure": "fixed" };
    expect(column(clusterizer.apply(close, options({ ...window, "window-height": 0.01 })), "cluster")).toEqual([
      3, 1, 3, 1, 2, 1, 1,
    ]);
    expect(
      column(
        clusterizer.apply(close, options({ ...window, "window-height": 0.1, "height-measure": "fixed" })),
        "cluster",
      ),
    ).toEqual([5, 1, 4, 2, 3, 1, 1]);
    expect(
      column(
        clusterizer.apply(
          close,
          options({ ...window, "window-height": 1, "window-width": 0.4, "width-measure": "relative" }),
        ),
        "cluster",
      ),
    ).toEqual([3, 1, 2, 1, 2, 1, 2]);
  });
});
