import { expect, test } from "vitest";
import { quantityBlocks } from "../../core/figures/difference-figure.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import { comparedGraphs, tracedStacks } from "../flame/compared-graphs.ts";
import { quantitiesIn } from "../profile/quantities.ts";
import { runWithRows } from "../profile/run-with-rows.ts";
import { headerComparison, profileDifference } from "./profile-difference.ts";
import { stacksOfFunctions } from "./costs.ts";

/** Each row as often as `times`, with the same amount. */
function sampled(stacks: Readonly<Record<string, number>>, more: object = {}, times = 1): Run {
  const all = Object.entries(stacks).map(([stack, amount], at) => {
    const trace = stack.split(" ").map((name) => ({ function: name }));
    return {
      id: `r#${at}`,
      amount,
      fields: { type: "time", subtype: "cycles", uid: trace.at(-1), trace: trace.toReversed() },
    };
  });
  const orders = Array.from({ length: times }, (_, at) => at + 1);
  const document = {
    resources: Object.fromEntries(
      all.map(({ id, amount }) => [id, { amount: orders.map(() => amount), order: orders }]),
    ),
    resource_type_map: Object.fromEntries(all.map(({ id, fields }) => [id, fields])),
    header: { type: "time", cmd: "./work", workload: "big", units: { time: "ms" } },
    collector_info: { name: "perf", params: { frequency: 99 } },
    postprocessors: [],
    ...more,
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
}

const before = sampled({ "main a f": 10, "main b f": 20, "main g": 5, "main f;x": 7 });
const after = sampled({ "main a f": 40, "main b f": 21, "main g": 5, "main f;x": 8 });

test("lists the changed stacks of each function, the largest first", () => {
  const options = { isNormalised: false, minShare: 0, limit: 100 };
  const [byFunction] = profileDifference(before, after, { ...options, by: "function" });
  const [byStack] = profileDifference(before, after, { ...options, by: "stack" });
  const stacksOf = stacksOfFunctions(byStack!.rows);
  const rows = byFunction!.rows.map((row) => [
    row.name,
    ...stacksOf(row).map(({ name, change }) => `${name} ${change}`),
  ]);
  expect(rows).toEqual([
    ["f", "main;a;f 30", "main;b;f 1"],
    ["f;x", "main;f,x 1"],
  ]);
  const [table] = quantityBlocks(byFunction!, "terminal", stacksOf);
  expect(table).toMatchObject({
    kind: "table",
    rows: [expect.arrayContaining(["main > a and 1 more"]), expect.anything()],
  });
  expect(table).toHaveProperty("details.0", "+30: 10 -> 40\n  main\n  a\n  f\n+1: 20 -> 21\n  main\n  b\n  f");
  expect(quantityBlocks(byFunction!, "terminal")[0]).not.toHaveProperty("details");
});

test("compares headers side by side, without empty rows", () => {
  const machine = {
    host: "one",
    cpu: { model: "Fast", total: 8, frequency: "2600.00Mhz" },
    memory: { total_ram: "16.0 GiB" },
  };
  const base = { run: sampled({ "main a": 1 }, { machine }), profile: "a.perf", version: "ab".repeat(20) as VersionId };
  const target = {
    run: sampled({ "main a": 1, "main b": 2 }, { machine: { host: ["odd"], cpu: null } }),
    profile: "b.perf",
    version: null,
  };
  expect(headerComparison(base, target).rows).toEqual([
    ["profile", "a.perf", "b.perf", "differs"],
    ["origin", "ab".repeat(20), "-", "differs"],
    ["command", "./work", "./work", ""],
    ["workload", "big", "big", ""],
    ["collector", "perf (frequency: 99)", "perf (frequency: 99)", ""],
    ["rows", "1", "2", "differs"],
    ["host", "one", "-", "differs"],
    ["cpu", "Fast, 8 processors, 2600.00Mhz", "-", "differs"],
    ["memory", "16.0 GiB", "-", "differs"],
  ]);
});

test("keeps rows that have one of the values", () => {
  const amounts = (run: Run): unknown =>
    run.data.columns[run.data.variables.findIndex(({ name }) => name === "amount")];
  expect(
    amounts(
      runWithRows(before, [
        ["uid:function", "g"],
        ["amount", "7"],
      ]),
    ),
  ).toMatchObject({ values: Float64Array.from([5, 7]) });
  expect(runWithRows(before, [])).toBe(before);
  expect(runWithRows(before, [["uid:function", "none"]]).data.length).toBe(0);
  expect(() => runWithRows(before, [["colour", "red"]])).toThrow(Failure);
});

test("scales compared graphs by repetitions", () => {
  const often = sampled({ "main a f": 10, "main b f": 20, "main g": 5, "main f;x": 7 }, {}, 3);
  const [base, target] = comparedGraphs(tracedStacks(before)!, tracedStacks(often)!, { focus: "f" });
  expect([target.total, target.self, target.start, target.whole]).toEqual([
    base.total,
    base.self,
    base.start,
    base.whole,
  ]);
  expect(base.whole).toBe(42);
});

test("one of two profiles may lack the focused frame", () => {
  const other = sampled({ "main h": 5 });
  const [base, target] = comparedGraphs(tracedStacks(before)!, tracedStacks(other)!, { focus: "f" });
  expect([base.total[0], target.total]).toEqual([30, new Float64Array(1)]);
  expect(() => comparedGraphs(tracedStacks(other)!, tracedStacks(other)!, { focus: "f" })).toThrow(Failure);
});

test("a run without traces has no stacks, and each quantity is compared once", () => {
  const kinds = ["user", "cycles", "real", "cycles"];
  const resources = Object.fromEntries(kinds.map((_, at) => [`r#${at}`, { amount: [1] }]));
  const types = Object.fromEntries(kinds.map((subtype, at) => [`r#${at}`, { type: "time", subtype, uid: `u${at}` }]));
  const run = sampled({}, { resources, resource_type_map: types });
  expect([tracedStacks(run), quantitiesIn(run.data)]).toEqual([null, ["cycles", "real"]]);
});
