import { expect, test } from "vitest";
import { jsonObject } from "../../core/values/json.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { measuredSummary } from "./measured-summary.ts";

interface Rows {
  readonly type?: "time" | "mixed";
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
    units: { mixed: "event", time: "s", "time(peak-memory)": "B" },
    collector: { name: "time", params: null },
    subjects: groups.map(
      ({ type = "time", uid = "x", subtype = "real", amount, order = amount.map((_, at) => at), peaks }) => ({
        properties: jsonObject({ type, uid, subtype }),
        columns: [
          { name: "amount", type: "float", values: amount },
          { name: "order", type: "integer", values: order },
          ...(peaks === undefined ? [] : [{ name: "peak-memory", type: "integer" as const, values: peaks }]),
        ],
      }),
    ),
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
  [[{ amount: [0, 0] }], "real median 0 s, the same in 2 runs"],
  [[{ amount: [1, -1] }], "real median 0 s, spread unknown of 2 runs"],
  [[{ amount: [1, 1.01, 0.99, 1.005, 2] }], "real median 1.005 s, spread 37.2 % of 5 runs, 1 outlier"],
  [[{ amount: [1, 2], order: [1, 1] }], null],
  [[{ amount: [1, 2] }, { uid: "y", amount: [1, 2] }], null],
  [[{ amount: [] }], null],
  [[{ type: "mixed", subtype: "instructions", amount: [82786482] }], "instructions 82786482 event"],
  [
    [{ type: "mixed", subtype: "instructions", amount: [82786482, 82786482] }],
    "instructions median 82786482 event, the same in 2 runs",
  ],
] satisfies [Rows[], string | null][])("%j", (groups, text) => {
  expect(summaryOf(...groups)).toBe(text);
});
