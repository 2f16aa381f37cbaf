import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitCommand } from "../../core/text/command-line.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { valueOutput } from "../plan/logical-plan.ts";
import { rowNumberInRun } from "../plan/run-variables.ts";
import { jobsFor } from "./jobs.ts";
import { changesChart } from "./chart.ts";
import { mineTables } from "./tables.ts";
import { type MinePlan, inHistory, inTime } from "./plan.ts";
import { reportOf, type MineReport, type MineOptions } from "./report.ts";
import { rowsOfTable } from "./row-collector.ts";
import type { VersionId } from "../../core/versions/digest.ts";

const op: Variable = { name: "op", role: "parameter", occurrence: "multiple", type: "string" };
const size: Variable = { name: "size", role: "parameter", occurrence: "multiple", type: "integer" };
const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string" };
const time: Variable = { name: "time", role: "result", occurrence: "multiple", type: "float", better: "lower" };
const run: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };
const outputs = [run, rowNumberInRun, op, size, time].map(valueOutput);
const plan: MinePlan = {
  results: [time],
  parameters: [op, size, host],
  query: { outputs, grouped: false, where: [], sort: [], of: "data" },
};

/** One value: run, operation, size, time. */
type Row = readonly [run: number, op: string | null, size: number, time: Value];

/** Odd runs are on host b. */
function report(
  rows: readonly Row[],
  wishes: Partial<MineOptions> = {},
  parameters: readonly Variable[] = [op, size],
): MineReport {
  const runs = [...new Set(rows.map(([number]) => number))].sort((a, b) => a - b);
  const positions = new Map<number, number>();
  const rowNumberOf = (number: number): number => {
    positions.set(number, (positions.get(number) ?? 0) + 1);
    return positions.get(number) ?? 0;
  };
  const table = tableOf(
    outputs.map(({ variable }) => variable),
    rows.map(([number, ...rest]) => [number, rowNumberOf(number), ...rest]),
  );
  const once = tableOf(
    [run, host],
    runs.map((number) => [number, number % 2 === 0 ? "a" : "b"]),
  );
  const order = runs.map((number) => ({ number }));
  const own = { ...plan, parameters };
  return reportOf(
    own,
    { rows: rowsOfTable(own, wishes.order ?? order, table), once },
    { level: 0.05, maxSpread: 0.05, isNamed: false, order, ...wishes },
  );
}

const wave = (number: number): number => ((number * 7) % 5) / 100;
const series = (runs: number, valueOf: (run: number) => number): Row[] =>
  Array.from({ length: runs }, (_, number): Row => [number + 1, "read", 1, valueOf(number + 1)]);

describe("coverage", () => {
  const rows: Row[] = [
    [1, "read", 1, 5],
    [1, "read", 2, 5],
    [1, "write", 1, 5],
    [2, "read", 1, 5],
    [2, "read", 2, 5],
    [2, "write", 1, NaN],
    [2, null, 1, 5],
  ];
  it("compares the full matrix with the measured values", () => {
    const { coverage, nonFinite } = report(rows);
    expect(coverage).toMatchObject({ parameters: ["op", "size"], possible: 4, measured: 3, expected: 2, perRun: 1 });
    expect(coverage.gaps.map(({ set, values, missing }) => [Object.fromEntries(set), values, missing])).toEqual([
      [{ op: "write", size: 2 }, 0, 2],
      [{ op: "write", size: 1 }, 1, 1],
    ]);
    expect(nonFinite).toBe(1);
  });

  it("uses the requested number of values", () => {
    const { coverage } = report(rows, { least: 3 });
    expect(coverage.gaps.reduce((sum, { missing }) => sum + missing, 0)).toBe(3 + 2 + 1 + 1);
  });

  it("uses parameters of runs and rows that vary", () => {
    expect(report(rows, {}, [op, host]).coverage).toMatchObject({ possible: 4, measured: 3 });
    expect(report(series(4, () => 1)).parameters).toEqual([]);
    expect(
      report(
        series(4, () => 1),
        { isNamed: true },
      ).parameters,
    ).toEqual([op, size]);
  });

  it("omits parameters if the matrix is too large, and fails if they are named", () => {
    const wide = Array.from({ length: 1200 }, (_, at): Row => [at + 1, `op${at}`, at, 1]);
    expect(report(wide).coverage).toMatchObject({ parameters: ["op"], omitted: [{ name: "size", valueCount: 1200 }] });
    expect(() => report(wide, { isNamed: true })).toThrow(expect.objectContaining({ code: "matrix-too-large" }));
  });
});

describe("changes", () => {
  it("are jumps where the level changes, with the runs on both sides", () => {
    const [found, ...others] = report(series(20, (at) => (at <= 12 ? 10 : 8) + wave(at))).findings;
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      kind: "jump",
      last: { number: 12 },
      at: { number: 13 },
      verdict: "better",
      count: 20,
    });
    expect(found?.kind === "jump" && Math.abs(found.relative + 0.2)).toBeLessThan(0.01);
    expect(found?.kind === "jump" && found.interval.low < -1.95 && found.interval.high > -2.05).toBe(true);
  });

  it("are plotted with their runs", () => {
    const jumps = report(
      series(30, (at) => (at <= 12 || at > 22 ? 10 : 8) + wave(at)),
      { isNamed: true },
    );
    const drift = report(series(20, (at) => 10 + at / 10 + wave(at)));
    const categories = changesChart([jumps, drift], "time").flatMap(({ x }) =>
      x.scale === "category" ? (x.categories ?? []) : [],
    );
    expect([...categories].sort()).toEqual(["all, runs 1 … 20", "read, 1, run 13", "read, 1, run 23"]);
  });

  it("are drifts where values keep changing", () => {
    const { findings } = report(series(20, (at) => 10 + at / 10 + wave(at)));
    expect(findings).toMatchObject([{ kind: "drift", since: { number: 1 }, until: { number: 20 }, verdict: "worse" }]);
    expect(findings[0]?.kind === "drift" && findings[0].slope).toBeCloseTo(0.1, 2);
  });

  it("exclude a single outlying run, which is an outlier", () => {
    const { findings } = report(series(20, (at) => (at === 9 ? 100 : 10 + wave(at))));
    expect(findings).toMatchObject([{ kind: "outlier", run: { number: 9 }, row: 1, value: 100 }]);
  });

  it("are searched in the order of runs, not of numbers", () => {
    const order = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19].map((number) => ({ number }));
    const { findings } = report(
      series(20, (at) => (at % 2 === 0 ? 10 : 20) + wave(at)),
      { order },
    );
    expect(findings).toMatchObject([{ kind: "jump", last: { number: 20 }, at: { number: 1 } }]);
  });

  it("require five runs", () =>
    expect(report(series(4, (at) => 10 ** at)).histories).toEqual({ tested: 0, tooFewValues: 1 }));
});

describe("spread", () => {
  it("is reported for excessive differences, by normal theory below eight values and by signs above", () => {
    const three = report([1, 2, 3].map((at): Row => [1, "read", 1, 10 * at])).findings;
    expect(three).toMatchObject([
      { kind: "spread", method: "standard-deviation", count: 3, spread: 0.5, variation: 0.5 },
    ]);
    const twenty = report(Array.from({ length: 20 }, (_, at): Row => [1, "read", 1, 10 + at])).findings;
    expect(twenty).toMatchObject([{ kind: "spread", method: "median-deviation", count: 20, level: 19.5 }]);
  });

  it("is not caused by a jump between two quiet levels", () => {
    const kinds = report(series(20, (at) => (at <= 10 ? 10 : 20) + wave(at))).findings.map(({ kind }) => kind);
    expect(kinds).toEqual(["jump"]);
  });

  it("is undefined at a level of zero", () =>
    expect(report(series(8, (at) => (at % 2 === 0 ? 1 : -1))).spreads.tested).toBe(0));
});

it("is not found among equal, single or no values", () => {
  expect(report(series(30, () => 3)).findings).toEqual([]);
  expect(report(series(1, () => 3)).findings).toEqual([]);
  expect(report(series(9, () => NaN)).findings).toEqual([]);
});

it("has few false positives", () => {
  let state = 1;
  const noise = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const rows = Array.from({ length: 200 }, (_, set) =>
    Array.from({ length: 30 }, (__, at): Row => [at + 1, "read", set, 100 + noise() + noise() + noise() + noise()]),
  ).flat();
  expect(report(rows).findings.length).toBeLessThanOrEqual(1);
});

it("returns finite numbers or nothing for any values", () => {
  const value = fc.oneof(fc.double({ noNaN: false }), fc.integer({ min: -3, max: 3 }));
  const row = fc.tuple(
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom("read", "write", null),
    fc.integer({ min: 0, max: 1 }),
    value,
  );
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (rows) => {
      const found = report(rows.toSorted(([a], [b]) => a - b));
      for (const { p, q } of found.findings) expect(p <= q && q <= 0.05).toBe(true);
      const tables = mineTables({ level: 0.05, maxSpread: 0.05, order: "time", tables: [found] }, 3);
      expect(JSON.stringify(tables)).not.toMatch(/NaN|Infinity|undefined/);
    }),
  );
});

describe("orders", () => {
  const [a, b] = ["a".repeat(40), "b".repeat(40)] as VersionId[] as [VersionId, VersionId];
  const runs = [
    { number: 1, performed: 30, version: a },
    { number: 2, performed: 20, version: b },
    { number: 3, performed: 10, version: a },
    { number: 4, performed: 5 },
  ];
  it("follow time or history", () => {
    expect(inTime(runs).map(({ number }) => number)).toEqual([4, 3, 2, 1]);
    expect(inHistory(runs, [b, a]).map(({ number }) => number)).toEqual([2, 3, 1]);
    expect(inHistory(runs, [a]).map(({ number }) => number)).toEqual([3, 1]);
  });
});

describe("jobs", () => {
  const gap = (
    text: string,
    missing = 1,
  ): { gaps: { kind: "gap"; set: Map<string, Value>; values: number; missing: number }[]; perRun: number } => ({
    gaps: [
      {
        kind: "gap",
        set: new Map<string, Value>([
          ["op", text],
          ["size", 8],
        ]),
        values: 0,
        missing,
      },
    ],
    perRun: 2,
  });
  it("insert values as arguments, and repeat as often as needed", () => {
    expect(jobsFor("bench -s {SIZE} '--op={op}' {{}}", gap("read", 5), [op, size])).toEqual([
      { command: "bench -s 8 --op=read '{}'", times: 3 },
    ]);
  });

  it("keep every value in its word", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("\0")),
        (text) => {
          const [job] = jobsFor("bench --op={op} x", gap(text), [op]);
          expect(splitCommand(job?.command ?? "")).toEqual(["bench", `--op=${text}`, "x"]);
        },
      ),
    );
  });

  it.each(["bench {nothing}", "bench {", "bench }x", "", "bench 'x", "{op}"])(
    "reject %s where it makes no command",
    (template) => {
      const value = template === "{op}" ? "--exec=evil" : "read";
      expect(failureOf(() => jobsFor(template, gap(value), [op]))).toMatch(/^bad-(?:job|command)$/);
    },
  );
});

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return isFailure(error) ? error.code : String(error);
  }
  return "none";
}
