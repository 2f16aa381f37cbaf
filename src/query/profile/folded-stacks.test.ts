import { expect, test } from "vitest";
import { rowsOf } from "../../core/tables/table.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import { foldedStacks } from "./folded-stacks.ts";

const frame = (name: string, line: number): object => ({ function: name, source: "a.c", line });

function folded(types: readonly object[], isPerun = false, of = "amount", subtype?: string): unknown[][] {
  const all = types.map(
    (type: { readonly exclusive?: unknown }, at) => [`t#${at}`, { type: "memory", ...type }] as const,
  );
  const document = {
    resources: Object.fromEntries(
      all.map(([id, { exclusive }], at) => [id, { amount: [at + 1, 10], ...(exclusive ? { exclusive } : {}) }]),
    ),
    resource_type_map: Object.fromEntries(all),
    header: { type: "memory", cmd: "", workload: "", units: { memory: "B" } },
  };
  return rowsOf(
    foldedStacks(decodeProfile(new TextEncoder().encode(JSON.stringify(document))).data, of, isPerun, subtype),
  );
}

const push = { uid: frame("push", 3), trace: [frame("push", 3), frame("main", 9)] };

test("lists calls from the outside in, merges equal stacks, and omits freed memory", () => {
  const types = [
    { ...push, subtype: "malloc" },
    { ...push, subtype: "calloc" },
    { ...push, subtype: "free" },
  ];
  expect(folded(types)).toEqual([["main()~a.c~9;push()~a.c~3", 23]]);
});

test("a uid outside of the trace is the innermost call; without a trace it is the stack", () => {
  expect(folded([{ uid: { func: "spin" }, trace: [{ func: "loop" }, { func: "main" }] }])).toEqual([
    ["main;loop;spin", 11],
  ]);
  expect(folded([{ uid: "./a" }, { uid: { function: "f", source: "a.c" } }])).toEqual([
    ["./a", 11],
    ["f()~a.c~", 12],
  ]);
});

test("a uid with less detail than the innermost call is that call", () => {
  const calls = [
    { function: "spin", module: "a.out" },
    { function: "main", module: "a.out" },
  ];
  expect(folded([{ uid: "spin", trace: calls }])).toEqual([["main;spin", 11]]);
  const scripts = [
    {
      uid: { function: "spin", source: "a.c" },
      trace: [frame("spin", 3), frame("spin", 3), { function: "(program)" }],
    },
  ];
  expect(folded(scripts)).toEqual([["(program);spin()~a.c~3;spin()~a.c~3", 11]]);
});

test("Perun puts the uid first, and keeps every row", () => {
  expect(folded([push], true)).toEqual([
    ["push()~a.c~3;main()~a.c~9;push()~a.c~3", 1],
    ["push()~a.c~3;main()~a.c~9;push()~a.c~3", 10],
  ]);
});

test("names cannot break the format", () => {
  expect(folded([{ uid: "a;b\nc", trace: [] }])).toEqual([["a,b c", 11]]);
});

test("rejects missing and non-numeric columns", () => {
  expect(() => folded([push], false, "uid")).toThrow(expect.objectContaining({ code: "statistic-not-possible" }));
  expect(() => folded([push], false, "bytes")).toThrow(expect.objectContaining({ code: "unknown-column" }));
});

test("uses the peak of heap states, without its total", () => {
  const at = (snapshot: number, uid: string, subtype = "heap"): object => ({ uid, subtype, snapshot });
  const rows = [
    at(0, "f"),
    at(0, "(all)", "total"),
    at(1, "f"),
    at(1, "g"),
    at(1, "(all)", "total"),
    at(2, "(all)", "total"),
  ];
  expect(folded(rows)).toEqual([
    ["f", 13],
    ["g", 14],
  ]);
  expect(folded(rows, false, "amount", "total")).toEqual([["(all)", 16]]);
});

test("uses self costs instead of inclusive costs", () => {
  const main = { type: "mixed", uid: "main", subtype: "instructions", exclusive: [3, 4] };
  const called = { type: "mixed", uid: "spin", subtype: "instructions by caller", caller: "main" };
  expect(folded([main, called])).toEqual([["main", 7]]);
});

test("wall-clock time replaces its parts; other quantities must be selected by name", () => {
  const time = (subtype: string): object => ({ type: "time", uid: "./a", subtype });
  expect(folded([time("user"), time("real"), time("sys")])).toEqual([["./a", 12]]);
  expect(folded([time("user"), time("real")], false, "amount", "user")).toEqual([["./a", 11]]);
  const counts = ["cycles", "branches"].map((subtype) => ({ type: "mixed", uid: "./a", subtype }));
  expect(() => folded(counts)).toThrow(/different quantities: cycles, branches/);
  expect(folded(counts, false, "amount", "branches")).toEqual([["./a", 12]]);
  expect(() => folded(counts, false, "amount", "misses")).toThrow(expect.objectContaining({ code: "no-such-subtype" }));
  expect(folded(counts, true)).toHaveLength(4);
});
