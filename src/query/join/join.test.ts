import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { JoinSpec, JoinType } from "../../core/experiments/join-spec.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { QuerySpec } from "../plan/query.ts";
import { joinTables } from "./join-tables.ts";
import { planJoin, type JoinPlan } from "./join-plan.ts";
import { failureLine } from "../../../test/contracts/failure-text.ts";

const variable = (name: string, type: Variable["type"], role: Variable["role"], unit?: string): Variable => ({
  name,
  role,
  occurrence: "multiple",
  type,
  ...(unit === undefined ? {} : { unit: parseUnit(unit) }),
});
const net: Experiment = {
  name: "net",
  readers: [],
  writers: [],
  variables: [
    variable("size", "integer", "parameter", "Byte"),
    variable("op", "string", "parameter"),
    variable("latency", "float", "result", "us"),
    variable("note", "string", "result"),
  ],
};
const io: Experiment = {
  name: "io",
  readers: [],
  writers: [],
  variables: [
    variable("Size", "float", "parameter", "KiByte"),
    variable("mode", "string", "parameter"),
    variable("latency", "float", "result", "ms"),
    variable("rate", "float", "result"),
  ],
};

const planOf = (spec: QuerySpec, join: Partial<JoinSpec> = {}): JoinPlan =>
  planJoin(spec, { experiment: "io", on: ["size"], type: "inner", ...join }, [net, io]);

type NetRow = readonly [size: number | null, op: string | null, latency: number | null];
type IoRow = readonly [size: number | null, mode: string | null, rate: number | null];

/** The tables that the queries of a plan would select. */
function tablesOf(plan: JoinPlan, left: readonly NetRow[], right: readonly IoRow[]): readonly [Table, Table] {
  const cells = (names: readonly string[], rows: readonly (readonly Value[])[], at: 0 | 1): Table => {
    const variables = plan.sides[at].outputs.map((output) => output.variable);
    return tableOf(
      variables,
      rows.map((row) => variables.map(({ name }) => row[names.indexOf(name)] ?? null)),
    );
  };
  return [cells(["size", "op", "latency"], left, 0), cells(["Size", "mode", "rate"], right, 1)];
}

const sizes = fc.constantFrom(1024, 2048, 4096, null);
const left = fc.array(fc.tuple(sizes, fc.constantFrom("r", "w", null), fc.option(fc.integer({ min: -5, max: 5 }))), {
  maxLength: 7,
});
const right = fc.array(
  fc.tuple(
    sizes.map((size) => (size === null ? null : size / 1024)),
    fc.constantFrom("x", "y", null),
    fc.option(fc.integer({ min: -5, max: 5 })),
  ),
  { maxLength: 7 },
);
const types = fc.constantFrom<JoinType>("inner", "left", "right", "full");

interface Pair {
  readonly a: NetRow | undefined;
  readonly b: IoRow | undefined;
}

/** The definition: every pair of rows, then the rows that have none. */
function nestedLoops(ours: readonly NetRow[], theirs: readonly IoRow[], type: JoinType): Pair[] {
  const fits = (a: NetRow, b: IoRow): boolean => a[0] !== null && b[0] !== null && a[0] === b[0] * 1024;
  const pairs: Pair[] = [];
  for (const a of ours) {
    const partners = theirs.filter((b) => fits(a, b));
    for (const b of partners) pairs.push({ a, b });
    if (partners.length === 0 && (type === "left" || type === "full")) pairs.push({ a, b: undefined });
  }
  if (type === "right" || type === "full")
    for (const b of theirs) if (!ours.some((a) => fits(a, b))) pairs.push({ a: undefined, b });
  return pairs;
}

const sizeOf = ({ a, b }: Pair): number | null => (a === undefined ? (b?.[0] ?? null) && b![0]! * 1024 : a[0]);

describe("a join", () => {
  test("has the pairs of nested loops, in their order, and counts rows without a partner", () => {
    const property = fc.property(left, right, types, (ours, theirs, type) => {
      const plan = planOf({ results: ["size", "op", "net.latency", "mode", "rate"] }, { type });
      const pairs = nestedLoops(ours, theirs, type);
      if (pairs.length === 0) {
        expect(failureLine(() => joinTables(plan, tablesOf(plan, ours, theirs)))).toContain("nothing-joined");
        return;
      }
      const { table, report } = joinTables(plan, tablesOf(plan, ours, theirs));
      const wanted = pairs.map((pair) => [
        sizeOf(pair),
        pair.a?.[1] ?? null,
        pair.a?.[2] ?? null,
        pair.b?.[1] ?? null,
        pair.b?.[2] ?? null,
      ]);
      expect(rowsOf(table)).toEqual(wanted);
      const alone = (size: number | null, others: readonly (number | null)[]): boolean =>
        size === null || !others.includes(size);
      const kib = theirs.map(([size]) => size && size * 1024);
      expect([report.rows, report.left.unmatched, report.right.unmatched]).toEqual([
        wanted.length,
        ours.filter(([size]) =>
          alone(
            size,
            kib.filter((each) => each !== null),
          ),
        ).length,
        kib.filter((size) =>
          alone(
            size,
            ours.map(([each]) => each).filter((each) => each !== null),
          ),
        ).length,
      ]);
    });
    fc.assert(property, { seed: 22, numRuns: 500 });
  });

  test("counts each row once in the statistics of a group, and pairs in the number of rows", () => {
    const property = fc.property(left, right, types, (ours, theirs, type) => {
      const plan = planOf(
        { by: ["op", "mode"], statistics: ["sum", "count"], results: ["net.latency", "rate"] },
        { type },
      );
      const counting = planOf({ by: ["op", "mode"], statistics: ["count"] }, { type });
      const pairs = nestedLoops(ours, theirs, type);
      if (pairs.length === 0) return;
      const groups = new Map<string, Pair[]>();
      for (const pair of pairs) {
        const key = JSON.stringify([pair.a?.[1] ?? null, pair.b?.[1] ?? null]);
        groups.set(key, [...(groups.get(key) ?? []), pair]);
      }
      const found = new Map(
        rowsOf(joinTables(plan, tablesOf(plan, ours, theirs)).table).map(([op, mode, ...rest]) => [
          JSON.stringify([op, mode]),
          rest,
        ]),
      );
      const counts = new Map(
        rowsOf(joinTables(counting, tablesOf(counting, ours, theirs)).table).map(([op, mode, count]) => [
          JSON.stringify([op, mode]),
          count,
        ]),
      );
      expect([...found.keys()].toSorted()).toEqual([...groups.keys()].toSorted());
      for (const [key, own] of groups) {
        const latencies = [...new Set(own.flatMap(({ a }) => (a === undefined ? [] : [a])))].flatMap((a) => a[2] ?? []);
        const rates = [...new Set(own.flatMap(({ b }) => (b === undefined ? [] : [b])))].flatMap((b) => b[2] ?? []);
        const sum = (values: readonly number[]): number | null =>
          values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
        expect(found.get(key)).toEqual([sum(latencies), sum(rates), latencies.length, rates.length]);
        expect(counts.get(key)).toBe(own.length);
      }
    });
    fc.assert(property, { seed: 23, numRuns: 300 });
  });

  test("matches numbers that need a conversion in 15 digits", () => {
    const plan = planOf({ results: ["size", "rate"] });
    const { table } = joinTables(plan, tablesOf(plan, [[1126, "r", 1]], [[1126 / 1024, "x", 7]]));
    expect(rowsOf(table)).toEqual([[1126, 7]]);
  });

  test("says which keys are repeated and which have no partner", () => {
    const plan = planOf({ results: ["op", "rate"] });
    const ours: NetRow[] = [
      [1024, "r", 1],
      [1024, "w", 2],
      [2048, "r", 3],
      [null, "r", 4],
    ];
    const theirs: IoRow[] = [
      [1, "x", 1],
      [1, "y", 2],
      [4, "x", 3],
    ];
    expect(joinTables(plan, tablesOf(plan, ours, theirs)).report.notes).toEqual([
      "1 of 4 rows of 'net' has no partner in 'io' (size=2048 Byte): omitted",
      "1 of 4 rows of 'net' lacks a key: omitted",
      "1 of 3 rows of 'io' has no partner in 'net' (size=4096 Byte): omitted",
      "1 key (size=1024 Byte) with several rows in both experiments: 2 rows of 'net' and 2 of 'io' make 4 pairs",
    ]);
  });
});

describe("the plan of a join", () => {
  const columns = (spec: QuerySpec, join?: Partial<JoinSpec>): string[] =>
    planOf(spec, join).outputs.map((output) => output.variable.name);

  test("qualifies names that both experiments have", () => {
    expect(columns({})).toEqual(["size", "op", "net.latency", "note", "mode", "io.latency", "rate"]);
    expect(columns({ results: ["IO.size", "NET.run", "rate"] })).toEqual(["io.Size", "net.run", "rate"]);
    expect(columns({ by: ["size"], results: ["io.latency", "rate"], statistics: ["p95"] })).toEqual([
      "size",
      "io.latency.q95",
      "rate.q95",
    ]);
    expect(columns({ by: ["size"], statistics: ["count", "max"] })).toEqual([
      "size",
      "count",
      "net.latency.max",
      "io.latency.max",
      "rate.max",
    ]);
  });

  test("joins on all parameters of both without keys", () => {
    const plan = planOf({}, { on: [] });
    expect(plan.keys.map(({ of }) => of.map(({ name }) => name))).toEqual([["size", "Size"]]);
    expect(plan.areDefaultKeys).toBe(true);
    expect(columns({}, { on: ["size", "op=mode"] })).toContain("op");
  });

  test("gives conditions to the experiments whose variables they name, those on keys to both", () => {
    const { sides } = planOf({ where: ["size>=1KiByte and rate>3", "op=r or op=w"] });
    expect(sides.map(({ where }) => where.length)).toEqual([2, 2]);
    expect(sides[1].where[0]).toMatchObject({ value: 1 });
  });

  test("sorts by any spelling of a column", () => {
    const sort = (word: string): unknown =>
      planOf({ by: ["size"], results: ["rate"], statistics: ["max"], sort: [word] }).sort;
    expect(["rate.max", "-io.rate.max", "SIZE"].map(sort)).toEqual([
      [{ output: 1, descending: false }],
      [{ output: 1, descending: true }],
      [{ output: 0, descending: false }],
    ]);
  });

  test.each([
    [{ results: ["latency"] }, {}, "ambiguous-variable: 'latency' is in both experiments, 'net' and 'io'"],
    [{ results: ["run"] }, {}, "ambiguous-variable"],
    [{ results: ["nothing"] }, {}, "unknown-variable"],
    [{ where: ["op=r or mode=x"] }, {}, "join-not-possible"],
    [
      {},
      { on: ["size=mode"] },
      "join-not-possible: 'size' of 'net' has the type integer in Byte, 'mode' of 'io' string",
    ],
    [{}, { on: ["latency=rate"] }, "join-not-possible"],
    [{}, { on: ["nothing"] }, "unknown-variable"],
    [{ sort: ["nothing"] }, {}, "unknown-sort-key"],
  ] as const)("refuses %j %j", (spec, join, message) =>
    expect(failureLine(() => planOf(spec, join as Partial<JoinSpec>))).toContain(message),
  );

  test("refuses a join of an experiment with itself", () =>
    expect(failureLine(() => planJoin({}, { experiment: "net", on: [], type: "inner" }, [net, net]))).toContain(
      "cannot be joined with itself",
    ));
});
