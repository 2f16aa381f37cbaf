import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObject, JsonNumber, type Json } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { concatenateRounds, concatenateRuns, concatenateTables, addConstantColumn } from "./concatenate-profiles.ts";
import { profileOf, type Subject } from "./build-profile.ts";
import { decodeProfile, encodeProfile } from "./profile.ts";

function runOf(
  subjects: readonly Subject[],
  units: Record<string, string> = { time: "s" },
  statuses: readonly number[] = [0],
): Run {
  const run = profileOf({
    type: "time",
    cmd: "x",
    workload: "",
    units,
    collector: { name: "time", params: null },
    subjects,
  });
  const execution = jsonObject({
    status: statuses.map((status) => JsonNumber.integer(status)),
    stdout: `ended ${statuses.at(-1)}`,
  });
  return { ...run, extra: new Map<string, Json>([...run.extra, ["execution", execution]]) };
}

const subject = (uid: string, columns: Readonly<Record<string, readonly number[]>>): Subject => ({
  properties: jsonObject({ type: "time", uid }),
  columns: Object.entries(columns).map(([name, values]) => ({
    name,
    type: values.every(Number.isInteger) ? "integer" : "float",
    values,
  })),
});

/** Rows as objects, to ignore the order of columns. */
function rows({ data }: Run): Record<string, unknown>[] {
  return rowsOf(data).map((row) =>
    Object.fromEntries(row.flatMap((cell, at) => (cell === null ? [] : [[data.variables[at]!.name, cell]]))),
  );
}

test("concatenates rows, and equal properties share a resource type", () => {
  const [a, b] = [
    runOf([subject("f", { amount: [1, 2] }), subject("g", { amount: [3] })]),
    runOf([subject("g", { amount: [4] })]),
  ];
  const joined = concatenateRuns([a, b]);
  expect(rows(joined)).toEqual([...rows(a), ...rows(b)]);
  const text = new TextDecoder().decode(encodeProfile(joined));
  expect(text.startsWith('{"resources": {"f#0": {"amount": [1, 2]}, "g#0": {"amount": [3, 4]}}')).toBe(true);
});

test("keeps all values if columns are missing or differ in kind", () => {
  const odd = runOf([
    {
      properties: jsonObject({ type: "time", uid: "f", size: "large" }),
      columns: [{ name: "amount", type: "float", values: [0.5] }],
    },
  ]);
  const even = runOf([subject("f", { amount: [7], size: [3] })]);
  const back = decodeProfile(encodeProfile(concatenateRuns([odd, even])));
  const plain = rows(back).map((row) => [
    row["amount"],
    row["size"] instanceof JsonNumber ? row["size"].value : row["size"],
  ]);
  expect(plain).toEqual([
    [0.5, "large"],
    [7, 3],
  ]);
});

test("rounds continue the order and keep all statuses and the last output", () => {
  const first = runOf([subject("f", { amount: [1, 2], order: [1, 2] })], { time: "s" }, [0, 1]);
  const second = runOf([subject("f", { amount: [3], order: [1] })], { time: "s", "time(x)": "B" }, [2]);
  const joined = concatenateRounds([first, second]);
  expect(rows(joined).map((row) => row["order"])).toEqual([1, 2, 3]);
  const text = new TextDecoder().decode(encodeProfile(joined));
  expect(text).toContain('"execution": {"status": [0, 1, 2], "stdout": "ended 2"}');
  expect(text).toContain('"units": {"time": "s", "time(x)": "B"}');
  expect(concatenateRounds([first])).toEqual(first);
});

test("a constant becomes a column or a property, unless rows have it", () => {
  const table = runOf([subject("f", { amount: [1, 2] })]).data;
  const filled = [
    ["lines", 3],
    ["share", 0.5],
    ["name", "a"],
    ["uid", "other"],
  ].reduce((wider, [name, value]) => addConstantColumn(wider, String(name), value as number | string), table);
  expect(rows({ data: filled } as Run)).toEqual([
    { amount: 1, lines: 3, share: 0.5, name: "a", type: "time", uid: "f" },
    { amount: 2, lines: 3, share: 0.5, name: "a", type: "time", uid: "f" },
  ]);
});

const cells = fc.record({
  amount: fc.array(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
    minLength: 1,
    maxLength: 4,
  }),
  uid: fc.constantFrom("f", "g", "h"),
  extra: fc.option(fc.constantFrom("lines", "size")),
});

test("concatenation keeps every row of arbitrary tables", () => {
  fc.assert(
    fc.property(fc.array(fc.array(cells, { maxLength: 3 }), { minLength: 1, maxLength: 4 }), (parts) => {
      const runs = parts.map((own) =>
        runOf(
          own.map(({ amount, uid, extra }) =>
            subject(uid, { amount, ...(extra ? { [extra]: amount.map((_, at) => at) } : {}) }),
          ),
        ),
      );
      const joined = concatenateTables(runs.map((run) => run.data));
      expect(rows({ data: joined } as Run)).toEqual(runs.flatMap(rows));
    }),
  );
});
