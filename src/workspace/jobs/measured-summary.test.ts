import { expect, test } from "vitest";
import { jsonObject } from "../../core/values/json.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { measuredSummary } from "./measured-summary.ts";

interface Rows {
  readonly uid?: string;
  readonly subtype?: string;
  readonly amount: readonly number[];
  readonly order?: readonly number[];
  readonly peaks?: readonly number[];
}

function summaryOf(...groups: readonly Rows[]): string | null {
  const run = profileOf({
    type: "time",
    cmd: "x",
    workload: "",
    units: { time: "s", "time(peak-memory)": "B" },
    collector: { name: "time", params: null },
    subjects: groups.map(({ uid = "x", subtype = "real", amount, order = amount.map((_, at) => at), peaks }) => ({
      properties: jsonObject({ type: "time", uid, subtype }),
      columns: [
        { name: "amount", type: "float", values: amount },
        { name: "order", type: "integer", values: order },
        ...(peaks === undefined ? [] : [{ name: "peak-memory", type: "integer" as const, values: peaks }]),
      ],
    })),
  });
  return measuredSummary(run);
}

// The standard deviation of 1, 2, 3 is 1.
test.each([
  [[{ amount: [1, 3, 2] }], "real median 2 s, spread 50.0 % of 3 runs"],
  [
    [
      { amount: [0.001, 0.003, 0.002], peaks: [1024, 4096, 2048] },
      { subtype: "user", amount: [9, 9, 9] },
    ],
    "real median 2 ms, spread 50.0 % of 3 runs, peak memory 4 KiByte",
  ],
  [[{ amount: [0.25] }], "real 250 ms"],
  [[{ amount: [0, 0] }], "real median 0 s, spread unknown of 2 runs"],
  [[{ amount: [1, 2], order: [1, 1] }], null],
  [[{ amount: [1, 2] }, { uid: "y", amount: [1, 2] }], null],
  [[{ amount: [] }], null],
] satisfies [Rows[], string | null][])("%j", (groups, text) => {
  expect(summaryOf(...groups)).toBe(text);
});
