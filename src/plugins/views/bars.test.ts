import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { ChartBlock, Figure } from "../../core/figures/figure.ts";
import { jsonObject } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { bars } from "./bars.ts";
import { flow } from "./flow.ts";

const options = (given: Readonly<Record<string, Value>>): Values => new Map(Object.entries(given));

viewContract(bars, {
  default: new Map(),
  "by uid": options({ per: "order", by: "uid" }),
  "texts, mean": options({ per: "uid", func: "mean" }),
});
viewContract(flow, {
  default: new Map(),
  "by uid": options({ through: "order", by: "uid", accumulate: false }),
  mean: options({ func: "mean" }),
});

const chartIn = (figure: Figure): ChartBlock => figure.blocks[0] as ChartBlock;
const drawn = (given: Readonly<Record<string, Value>>, run = sampleRun()): ChartBlock =>
  chartIn(bars.draw(run, options(given)));
const flowing = (given: Readonly<Record<string, Value>>, run = sampleRun()): ChartBlock =>
  chartIn(flow.draw(run, options(given)));
const heights = ({ series }: ChartBlock): [string, number[]][] => series.map(({ label, y }) => [label, [...y]]);

/** Memory rows with these functions, snapshots and amounts. */
function memoryRun(rows: readonly (readonly [uid: string, snapshot: number, amount: number])[]): Run {
  const subjects = rows.map(([uid, snapshot, amount]) => ({
    properties: jsonObject({
      uid: jsonObject({ function: uid }),
      type: "memory",
      subtype: amount === 0 ? "free" : "malloc",
    }),
    columns: [
      { name: "amount", type: "integer" as const, values: [amount] },
      { name: "snapshot", type: "integer" as const, values: [snapshot] },
    ],
  }));
  const collector = { name: "memory", params: jsonObject({}) };
  return profileOf({ type: "memory", cmd: "./a", workload: "", units: { memory: "B" }, collector, subjects });
}

describe("bars", () => {
  it("sums the values of a bar and of its parts", () => {
    expect(heights(drawn({ per: "order", by: "uid" }))).toEqual([["swap:7", [10.5, 9.5, 8.5]]]);
    expect(drawn({ per: "uid" })).toMatchObject({ horizontal: true, x: { categories: ["main:3", "swap:7"] } });
    expect(heights(drawn({ per: "uid" }))).toEqual([["", [303, 28.5]]]);
    expect(heights(drawn({ per: "uid", func: "count" }))).toEqual([["", [3, 3]]]);
    expect(heights(drawn({ per: "uid", func: "nunique", of: "uid:function" }))).toEqual([["", [1, 1]]]);
    expect(heights(drawn({ per: "uid", where: "amount>=101" }))).toEqual([["", [203]]]);
  });

  it("labels the unit and the statistic", () => {
    const figure = bars.draw(sampleRun(), options({ per: "uid" }));
    expect(figure.title).toBe("sum of amount per uid: ./sort big.txt");
    expect(chartIn(figure).y[0].unit).toBeDefined();
    expect(bars.draw(sampleRun(), options({ title: "T", "x-label": "X", "y-label": "Y" }))).toMatchObject({
      title: "T",
      blocks: [{ x: { label: "X" }, y: [{ label: "Y" }] }],
    });
  });

  it("combines small values if they are additive, else reports omitted ones", () => {
    const run = memoryRun([..."abcdefgh"].map((uid, at) => [uid, 0, 2 ** at]));
    expect(drawn({ per: "uid", top: 2 }, run).x.categories).toEqual(["h", "g", "6 others"]);
    expect(heights(drawn({ per: "uid", top: 2 }, run))).toEqual([["", [128, 64, 63]]]);
    expect(heights(drawn({ per: "snapshot", by: "uid", parts: 2 }, run))).toEqual([
      ["h", [128]],
      ["g", [64]],
      ["6 others", [63]],
    ]);
    const means = bars.draw(run, options({ per: "uid", func: "mean", top: 2 }));
    expect(means.blocks).toMatchObject([
      { x: { categories: ["h", "g"] } },
      { kind: "text", text: expect.stringContaining("6 more") },
    ]);
  });

  it("covers the complete profile when it combines values", () => {
    const row = fc.tuple(
      fc.constantFrom("a", "b", "c", "d"),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 1, max: 1000 }),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (rows, most) => {
        const whole = rows.reduce((sum, [, , amount]) => sum + amount, 0);
        const given = { per: "uid", by: "snapshot", top: most, parts: most };
        const shown = heights(drawn(given, memoryRun(rows))).flatMap(([, values]) =>
          values.filter((value) => !Number.isNaN(value)),
        );
        expect(shown.reduce((sum, value) => sum + value, 0)).toBe(whole);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [{ per: "nothing" }, "unknown-column"],
    [{ func: "most" }, "unknown-statistic"],
    [{ of: "uid", func: "mean" }, "statistic-not-possible"],
    [{ where: "amount>1000" }, "nothing-to-draw"],
    [{ top: 0 }, "bad-collector-option"],
  ])("refuses %j with %s", (given, code) => {
    expect(() => drawn(given as Record<string, Value>)).toThrowError(expect.objectContaining({ code }));
  });
});

describe("flow", () => {
  const run = memoryRun([
    ["a", 0, 1],
    ["b", 2, 10],
    ["a", 10, 100],
    ["b", 10, 5],
  ]);

  it("accumulates in numeric order, with zero for missing values", () => {
    expect(flowing({ by: "uid" }, run)).toMatchObject({
      mark: "area",
      stacked: true,
      y: [{ label: "sum of amount so far" }],
    });
    expect(heights(flowing({ by: "uid" }, run))).toEqual([
      ["a", [1, 1, 101]],
      ["b", [0, 10, 15]],
    ]);
    expect([...(flowing({ by: "uid" }, run).series[1]?.x ?? [])]).toEqual([0, 2, 10]);
  });

  it("draws each position's contribution as curves", () => {
    expect(heights(flowing({ by: "uid", accumulate: false }, run))[1]).toEqual(["b", [0, 10, 5]]);
    expect(flowing({ by: "uid", stacked: false }, run)).toMatchObject({ mark: "curve" });
    expect(heights(flowing({ by: "uid", func: "max" }, run))[1]).toEqual(["b", [Number.NaN, 10, 5]]);
  });

  it("refuses text columns", () => {
    expect(() => flowing({ through: "uid" }, run)).toThrowError(expect.objectContaining({ code: "not-numbers" }));
  });
});
