import fc from "fast-check";
import { expect, test } from "vitest";
import type { CostChange } from "../../core/profiles/profile-difference.ts";
import type { Run } from "../../core/profiles/run.ts";
import { decodeProfile } from "../../formats/profile/profile.ts";
import { profileDifference, type DifferenceOptions } from "./profile-difference.ts";

type Stacks = Readonly<Record<string, number>>;

const options: DifferenceOptions = { by: "function", isNormalised: false, minShare: 0, limit: 1000 };

function profile(rows: readonly (readonly [properties: object, cells: object])[], unit = "ms"): Run {
  const document = {
    resources: Object.fromEntries(
      rows.map(([, cells], at) => [
        `r#${at}`,
        Object.fromEntries(Object.entries(cells).map(([key, v]) => [key, [v].flat()])),
      ]),
    ),
    resource_type_map: Object.fromEntries(rows.map(([properties], at) => [`r#${at}`, { type: "time", ...properties }])),
    header: { type: "time", cmd: "./a", workload: "", units: { time: unit } },
  };
  return decodeProfile(new TextEncoder().encode(JSON.stringify(document)));
}

/** Calls from the outside in, `name` or `name@file`, and what the last one costs. */
function sampled(stacks: Stacks, order = 1): Run {
  const frame = (word: string): object => {
    const [name, source] = word.split("@");
    return { function: name, ...(source === undefined ? {} : { source }) };
  };
  return profile(
    Object.entries(stacks).map(([stack, amount]) => {
      const trace = stack.split(";").map(frame).toReversed();
      const orders = Array.from({ length: order }, (_, at) => at + 1);
      return [
        { subtype: "cpu", uid: trace[0], trace },
        { amount: orders.map(() => amount), order: orders },
      ];
    }),
  );
}

function rows(before: Stacks, after: Stacks, more: Partial<DifferenceOptions> = {}): readonly CostChange[] {
  return profileDifference(sampled(before), sampled(after), { ...options, ...more })[0]!.rows;
}

const named = (all: readonly CostChange[], name: string): CostChange => all.find((row) => row.name === name)!;

test("functions are sorted by their share of all changes, with self and inclusive costs", () => {
  const [before, after] = [
    sampled({ "main@a.c;work@a.c": 100, "main@a.c;idle@b.c": 50 }),
    sampled({ "main@a.c;work@a.c": 190, "main@a.c;idle@b.c": 40 }),
  ];
  expect(profileDifference(before, after, options)).toMatchObject([
    {
      metric: "cpu",
      before: 150,
      after: 230,
      omitted: 0,
      rows: [
        {
          name: "work",
          file: "a.c",
          before: { self: 100, inclusive: 100 },
          after: { self: 190 },
          change: 90,
          share: 0.9,
          movedWithin: null,
        },
        { name: "idle", file: "b.c", change: -10, share: -0.1, renamedFrom: null },
      ],
    },
  ]);
});

test("new and removed functions have one side only", () => {
  const found = rows({ "main;old;deep": 10, "main;stays": 5 }, { "main;fresh": 90, "main;stays": 5 });
  expect(found.map(({ name, before, after }) => [name, before?.self ?? null, after?.self ?? null])).toEqual([
    ["fresh", null, 90],
    ["deep", 10, null],
  ]);
});

test("a recursive function is counted once", () => {
  expect(rows({ "f;f;f": 10 }, { "f;f;f": 14 })[0]).toMatchObject({
    before: { inclusive: 10 },
    after: { inclusive: 14 },
  });
});

test("costs are means of repetitions", () => {
  const [found] = profileDifference(sampled({ f: 10, g: 7 }, 3), sampled({ f: 10, g: 8 }, 5), options);
  expect(found).toMatchObject({ before: 17, after: 18, rows: [{ name: "g", change: 1, share: 1 }] });
});

test("cost that moved to a new callee, or between callees of one caller, is marked as moved", () => {
  const split = rows({ "main;work": 100, "main;x": 900 }, { "main;work": 20, "main;work;part": 80, "main;x": 990 });
  expect(named(split, "work").movedWithin).toEqual({ name: "work", file: null });
  expect(named(split, "part").movedWithin).toEqual({ name: "work", file: null });
  expect(named(split, "x").movedWithin).toBeNull();
  const siblings = rows(
    { "main;p;a": 100, "main;p;b": 100, "main;x": 1 },
    { "main;p;a": 150, "main;p;b": 52, "main;x": 500 },
  );
  expect([named(siblings, "a"), named(siblings, "b")].map((row) => row.movedWithin?.name)).toEqual(["p", "p"]);
});

test("a real regression is not marked as moved, however large the program is", () => {
  const found = rows({ "main;p;a": 10, "main;p;b": 100_000 }, { "main;p;a": 20, "main;p;b": 99_990 });
  expect(named(found, "a").movedWithin).toBeNull();
  expect(named(rows({ "main;p;a": 100 }, { "main;p;a": 150 }), "a").movedWithin).toBeNull();
});

test("matches a function in another tree, in another file, or under another name", () => {
  expect(rows({ "/tmp/one/a.c": 1, "f@/tmp/one/a.c": 10 }, { "/tmp/one/a.c": 1, "f@/tmp/two/a.c": 12 })).toMatchObject([
    { name: "f", change: 2, renamedFrom: null },
  ]);
  expect(rows({ "f@a.c": 10 }, { "f@b.c": 12 })).toMatchObject([
    { name: "f", file: "b.c", change: 2, renamedFrom: { name: "f", file: "a.c" } },
  ]);
  const renamed = rows({ "main;sum;add": 5, "main;sum": 50 }, { "main;total;add": 5, "main;total": 60 });
  expect(renamed).toMatchObject([{ name: "total", change: 10, renamedFrom: { name: "sum" } }]);
});

test("functions with other neighbours, files or costs are not renames", () => {
  expect(rows({ "main;sum@a.c": 50 }, { "main;total@b.c": 50 })).toHaveLength(2);
  expect(
    rows({ "main;p;sum": 50, "main;q": 1 }, { "main;p": 1, "main;q;total": 50 }).filter((row) => row.renamedFrom),
  ).toEqual([]);
  expect(rows({ "main;sum": 50 }, { "main;total": 150 })).toHaveLength(2);
  expect(
    rows({ "a;(anonymous)@x.js": 5 }, { "b;(anonymous)@y.js": 5 }).filter(({ renamedFrom }) => renamedFrom),
  ).toEqual([]);
});

test("normalised, a slower machine makes no difference", () => {
  expect(rows({ "m;a": 10, "m;b": 30 }, { "m;a": 20, "m;b": 60 }, { isNormalised: true })).toEqual([]);
  expect(rows({ "m;a": 10, "m;b": 30 }, { "m;a": 40, "m;b": 40 }, { isNormalised: true })).toMatchObject([
    { name: "a", change: 20, before: { self: 20 }, after: { self: 40 } },
    { name: "b", change: -20, before: { self: 60 }, after: { self: 40 } },
  ]);
});

test("groups by file and by stack", () => {
  const [before, after] = [
    { "f@/one/a.c": 10, "f@/one/a.c;g@/one/a.c": 5, "f@/one/a.c;h": 1 },
    { "f@/two/a.c": 20, "f@/two/a.c;g@/two/a.c": 7, "f@/two/a.c;h": 2 },
  ];
  expect(rows(before, after, { by: "file" })).toMatchObject([
    { name: "a.c", file: "a.c", change: 12 },
    { name: "(unknown)", file: null, change: 1 },
  ]);
  expect(rows(before, after, { by: "stack" }).map(({ name, change }) => [name, change])).toEqual([
    ["f", 10],
    ["f;g", 2],
    ["f;h", 1],
  ]);
});

test("counts omitted rows", () => {
  const [found] = profileDifference(sampled({ a: 1, b: 1, c: 1 }), sampled({ a: 91, b: 10, c: 2 }), {
    ...options,
    minShare: 0.05,
    limit: 1,
  });
  expect([found?.rows.map(({ name }) => name), found?.omitted]).toEqual([["a"], 2]);
});

test("call traces have inclusive costs and callers", () => {
  const trace = (work: number, part: number): Run =>
    profile([
      [
        { subtype: "instructions", uid: "work", location: "a.out" },
        { amount: 100, exclusive: work },
      ],
      [
        { subtype: "instructions", uid: "part", location: "a.out" },
        { amount: part, exclusive: part },
      ],
      [{ subtype: "instructions by caller", uid: "part", location: "a.out", caller: "work" }, { amount: part }],
    ]);
  const found = profileDifference(trace(90, 10), trace(40, 60), options);
  expect(found).toMatchObject([
    {
      metric: "instructions",
      before: 100,
      after: 100,
      rows: [
        { name: "part", change: 50, after: { self: 60, inclusive: 60 }, movedWithin: { name: "work" } },
        { name: "work", change: -50, after: { self: 40, inclusive: 100 }, movedWithin: { name: "work" } },
      ],
    },
  ]);
});

test("attributes memory to its allocation, and ignores freed memory", () => {
  const memory = (amount: number): Run => {
    const uid = { function: "push", source: "a.c", line: 3 };
    const trace = [
      { function: "malloc", source: "malloc.c", line: 1 },
      uid,
      { function: "main", source: "a.c", line: 9 },
    ];
    return profile(
      ["malloc", "calloc", "free"].map((subtype) => [{ type: "memory", subtype, uid, trace }, { amount }]),
    );
  };
  expect(profileDifference(memory(8), memory(10), options)).toMatchObject([
    { metric: "memory", before: 16, after: 20, rows: [{ name: "push", file: "a.c", change: 4 }] },
  ]);
});

test("converts amounts to one unit, and skips those of other dimensions", () => {
  const of = (amount: number, unit: string): Run => profile([[{ uid: "f" }, { amount }]], unit);
  expect(profileDifference(of(1500, "ms"), of(2, "s"), options)).toMatchObject([
    { before: 1500, after: 2000, rows: [{ change: 500 }] },
  ]);
  expect(profileDifference(of(1500, "ms"), of(2, "B"), options)).toEqual([]);
});

test("profiles without a common quantity have no difference", () => {
  expect(
    profileDifference(sampled({ f: 1 }), profile([[{ subtype: "cycles", uid: "f" }, { amount: 1 }]]), options),
  ).toEqual([]);
  expect(profileDifference(sampled({}), sampled({}), options)).toEqual([]);
});

const stacks = fc.dictionary(
  fc
    .array(fc.constantFrom("a", "b@x.c", "c@y.c", "d@x.c", "e"), { minLength: 1, maxLength: 5 })
    .map((calls) => calls.join(";")),
  fc.integer({ min: 1, max: 1000 }),
  { maxKeys: 12 },
);

test("changes sum to the difference of the totals, shares to 1, and swapping sides negates them", () => {
  fc.assert(
    fc.property(
      stacks,
      stacks,
      fc.constantFrom("function" as const, "file" as const, "stack" as const),
      (before, after, by) => {
        const [forth] = profileDifference(sampled(before), sampled(after), { ...options, by });
        const [back] = profileDifference(sampled(after), sampled(before), { ...options, by });
        if (forth === undefined || back === undefined) return;
        const sum = (of: (row: CostChange) => number): number => forth.rows.reduce((all, row) => all + of(row), 0);
        expect(sum(({ change }) => change)).toBeCloseTo(forth.after - forth.before, 6);
        if (forth.rows.length > 0) expect(sum(({ share }) => Math.abs(share))).toBeCloseTo(1, 9);
        expect(back.rows.reduce((all, row) => all + Math.abs(row.change), 0)).toBeCloseTo(
          sum(({ change }) => Math.abs(change)),
          6,
        );
      },
    ),
    { numRuns: 200, seed: 6 },
  );
});
