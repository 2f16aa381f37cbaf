import { expect, test } from "vitest";
import { profileOfSamples } from "../../../test/contracts/arbitrary-stacks.ts";
import { rowsOf, type InternedColumn } from "../../core/tables/table.ts";
import { stackRun } from "./stack-rows.ts";

const frame = { function: "f", source: "/project/src/a.c", line: 3 };

test("a row per stack and labels: the main type is the amount, others are columns", () => {
  const types = [
    { name: "samples", unit: "count" },
    { name: "cpu", unit: "nanoseconds" },
  ];
  const samples = [
    {
      calls: [{ function: "main" }, { ...frame, address: 1n }],
      values: [1, 10],
      labels: [
        ["thread", ["t"]],
        ["type", ["x"]],
      ],
    },
    {
      calls: [{ function: "main" }, { ...frame, address: 2n }],
      values: [2, 20],
      labels: [
        ["thread", ["t"]],
        ["type", ["x"]],
      ],
    },
    { calls: [{ function: "", module: { path: "/lib/x.so" } }], values: [4, 0.5], labels: [] },
    { calls: [{ function: "zero" }], values: [0, 0], labels: [] },
  ] as const;
  const run = stackRun(profileOfSamples(samples, types), "pprof", "/project");
  expect([run.fixed.get("type"), run.steps[0]?.name, run.data.length]).toEqual(["time", "pprof", 2]);
  const names = run.data.variables.map(({ name }) => name);
  const [first, second] = rowsOf(run.data).map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  expect(first).toMatchObject({ amount: 30, samples: 3, subtype: "cpu", thread: "t", "label-type": "x" });
  expect(second).toMatchObject({ amount: 0.5, samples: 4, uid: "[x.so]" });
});

test("bytes are memory, and types of one name get distinct columns", () => {
  const types = [
    { name: "space", unit: "bytes" },
    { name: "space", unit: "count" },
    { name: "amount", unit: "count" },
  ];
  const run = stackRun(profileOfSamples([{ calls: [frame], values: [1, 2, 3], labels: [] }], types, 0), "x", "/");
  expect(run.fixed.get("type")).toBe("memory");
  expect(run.data.variables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["amount", "space-count-1", "value-amount"]),
  );
});

test("columns have unique names for arbitrary types", () => {
  const types = ["amount", "value-amount", "value-amount"].map((name, at) => ({
    name,
    unit: at === 2 ? "bytes" : "count",
  }));
  const all = [...types, { name: "cpu", unit: "nanoseconds" }];
  const run = stackRun(profileOfSamples([{ calls: [frame], values: [1, 2, 3, 4], labels: [] }], all), "x", "/");
  const numbers = run.data.variables.filter((_, at) => run.data.columns[at]!.kind === "number").map(({ name }) => name);
  expect([numbers.length, new Set(numbers).size]).toEqual([4, 4]);
});

test("stacks with equal text are one row despite different addresses; traces share frame objects", () => {
  const at = (address: bigint) => ({ ...frame, address });
  const sample = (calls: readonly object[], value: number) => ({
    calls: calls as (typeof frame)[],
    values: [value],
    labels: [],
  });
  const samples = [sample([at(1n), at(2n)], 1), sample([at(3n), at(1n)], 2), sample([at(4n)], 4)];
  const { data } = stackRun(profileOfSamples(samples, [{ name: "cpu", unit: "count" }]), "x", "/");
  const { dictionary } = data.columns[data.variables.findIndex(({ name }) => name === "trace")] as InternedColumn;
  expect(data.length).toBe(2);
  expect(new Set(dictionary.flat()).size).toBe(1);
});
