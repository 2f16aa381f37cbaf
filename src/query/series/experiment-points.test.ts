import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { compareNaturally } from "../../core/text/names-in-lists.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { addExperiment } from "./experiment-points.ts";
import { SeriesBuilder } from "./series-builder.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(40) as VersionId) as [VersionId, VersionId, VersionId];
const fact = (name: string, type: Variable["type"]): Variable => ({
  name,
  role: "parameter",
  occurrence: "once",
  type,
});
const size = fact("size", "integer");
const rate: Variable = {
  name: "rate",
  role: "result",
  occurrence: "multiple",
  type: "float",
  unit: parseUnit("MByte/s"),
};

function built(rows: (number | string | null)[][], order: readonly VersionId[], result = rate) {
  const builder = new SeriesBuilder();
  const table = tableOf(
    [fact("run", "integer"), size, result],
    rows.map(([run, , ...others]) => [run ?? null, ...others]),
  );
  const versions = new Map(
    rows.flatMap(([run, version]) => (version === null ? [] : [[run as number, version as VersionId]])),
  );
  const leftOut = addExperiment(builder, { experiment: "io", by: [size], results: [result], versions }, table, order);
  const series = builder.series().map(({ subject, points }) => ({
    subject,
    points: points.map((point) => [point.version, point.evidence.join(), [...point.sample]]),
  }));
  return { series, leftOut };
}

describe("points of experiments", () => {
  it("are in the order of history, runs of a version pooled", () => {
    const { series, leftOut } = built(
      [
        [1, c, 4, 10],
        [2, a, 4, 20],
        [2, a, 4, 21],
        [2, a, 8, 30],
        [3, c, 4, 11],
        [4, b, 4, null],
      ],
      [a, b, c],
    );
    expect(leftOut).toEqual({ withoutVersion: 0, outsideHistory: 0 });
    expect(series.map(({ subject }) => subject.benchmark)).toEqual(["io size=4", "io size=8"]);
    expect(series[0]?.subject).toMatchObject({ source: "experiment", metric: "rate", better: "higher" });
    expect(series[0]?.points).toEqual([
      [a, "io#2", [20, 21]],
      [c, "io#1,io#3", [10, 11]],
    ]);
    expect(series[1]?.points).toEqual([[a, "io#2", [30]]]);
  });

  it.each([
    [{ name: "ops" }, "higher"],
    [{ name: "accuracy", unit: parseUnit("%") }, "higher"],
    [{ name: "ops", better: "lower" }, "lower"],
    [{ name: "amount" }, "lower"],
  ] as const)("of %o without a decisive unit: %s is better", (own, better) => {
    const result: Variable = { role: "result", occurrence: "multiple", type: "float", ...own };
    expect(built([[1, a, 4, 10]], [a], result).series[0]?.subject.better).toBe(better);
  });

  it("omit constant run parameters from names unless selected; their keys keep them", () => {
    const variables = [
      fact("run", "integer"),
      fact("host", "string"),
      fact("clock", "float"),
      { ...size, occurrence: "multiple" as const },
      rate,
    ];
    const named = (isChosen: boolean, hosts: readonly (string | null)[]): unknown => {
      const builder = new SeriesBuilder();
      const table = tableOf(
        variables,
        hosts.map((host, at) => [at + 1, host, 2.5, 4, 10]),
      );
      const by = variables.slice(1, 4);
      addExperiment(
        builder,
        {
          experiment: "io",
          by,
          isChosen,
          results: [rate],
          versions: new Map([
            [1, a],
            [2, a],
          ]),
        },
        table,
        [a],
      );
      return builder.series().map(({ subject: { benchmark, key } }) => [benchmark, key]);
    };
    const key = 'experiment ["io","host=n1, clock=2.5, size=4","rate"]';
    expect(named(false, ["n1", "n1"])).toEqual([["io size=4", key]]);
    expect(named(true, ["n1", "n1"])).toEqual([["io host=n1, clock=2.5, size=4", key]]);
    expect(named(false, ["n1", null])).toEqual([
      ["io size=4", 'experiment ["io","clock=2.5, size=4","rate"]'],
      ["io host=n1, size=4", key],
    ]);
  });

  it("of runs without a known version are skipped and counted", () => {
    const { series, leftOut } = built(
      [
        [1, null, 4, 10],
        [2, c, 4, 20],
        [3, a, 4, 30],
      ],
      [a, b],
    );
    expect(leftOut).toEqual({ withoutVersion: 1, outsideHistory: 1 });
    expect(series[0]?.points).toEqual([[a, "io#3", [30]]]);
  });

  it("omit missing values from names", () => {
    const { series } = built([[1, a, null, 10]], [a]);
    expect(series[0]?.subject).toMatchObject({ benchmark: "io", key: 'experiment ["io","","rate"]' });
  });

  it("are runs without a history", () => {
    const { series } = built(
      [
        [2, null, 4, 20],
        [1, null, 4, 10],
      ],
      [],
    );
    expect(series[0]?.points).toEqual([
      [null, "io#1", [10]],
      [null, "io#2", [20]],
    ]);
  });
});

/** A row: run, two parameters, two results. */
type ExperimentRow = readonly [
  run: number,
  size: number | null,
  op: string | null,
  rate: number | null,
  time: number | null,
];

/** The same row by row: points of each key, with the samples of each run. */
function oneByOne(
  rows: readonly ExperimentRow[],
  versions: ReadonlyMap<number, VersionId>,
  order: readonly VersionId[],
) {
  const located = rows.flatMap((row, at) => {
    const [run] = row;
    const position = order.length === 0 ? run : order.indexOf(versions.get(run) as VersionId);
    return position < 0 ? [] : [{ row, at, position, run }];
  });
  located.sort((x, y) => x.position - y.position || x.run - y.run || x.at - y.at);
  const series = new Map<string, Map<string, number[]>>();
  for (const { row, run } of located) {
    const set = [
      ["size", row[1]],
      ["op", row[2]],
    ].flatMap(([name, value]) =>
      value === null || value === "" ? [] : [`${name}=${Object.is(value, -0) ? "-0" : value}`],
    );
    for (const [name, value] of [
      ["rate", row[3]],
      ["time", row[4]],
    ] as const) {
      if (value === null || !Number.isFinite(value)) continue;
      const key = `experiment ${JSON.stringify(["io", set.join(", "), name])}`;
      const points = series.get(key) ?? new Map<string, number[]>();
      series.set(key, points);
      const at = `${order.length === 0 ? null : versions.get(run)} io#${run}`;
      points.set(at, [...(points.get(at) ?? []), value]);
    }
  }
  return [...series].sort(([x], [y]) => compareNaturally(x, y)).map(([key, points]) => [key, [...points]]);
}

describe("points of any table", () => {
  const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null, freq: 5 });
  const number = fc.constantFrom(0, -0, 1.5, 2, 1e300, Number.NaN, Infinity);
  const sizes = fc.constantFrom(0, -0, 1, 2.5);
  // The last one looks like a set of two parameters.
  const ops = fc.constantFrom("", "write", "read", "1, op=write", "\u202E");
  const rows = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 6 }), maybe(sizes), maybe(ops), maybe(number), maybe(number)),
    {
      maxLength: 40,
    },
  );
  const measured = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(a, b, c)));
  const orders = fc.constantFrom([], [a, b], [c, b, a]);
  const [float, text] = [{ ...size, type: "float" } as const, fact("op", "string")];
  const time: Variable = { ...rate, name: "time" };

  it("equal those of its rows added one by one", () => {
    fc.assert(
      fc.property(rows, measured, orders, (all, pairs, order) => {
        const versions = new Map(pairs);
        const builder = new SeriesBuilder(true);
        const table = tableOf(
          [fact("run", "integer"), float, text, rate, time],
          all.map((row) => [...row]),
        );
        const columns = { experiment: "io", by: [float, text], results: [rate, time], versions };
        const { withoutVersion, outsideHistory } = addExperiment(builder, columns, table, order);
        const found = builder.series().map(({ subject, points }) => {
          return [
            subject.key,
            points.map(({ version, evidence, sample }) => [`${version} ${evidence.join()}`, [...sample]]),
          ];
        });
        expect(found).toEqual(oneByOne(all, versions, order));
        const count = (isLeft: (version: VersionId | undefined) => boolean): number =>
          all.filter(([run]) => isLeft(versions.get(run))).length;
        expect(withoutVersion).toBe(order.length === 0 ? 0 : count((version) => version === undefined));
        expect(outsideHistory).toBe(
          order.length === 0 ? 0 : count((version) => version !== undefined && !order.includes(version)),
        );
      }),
    );
  });

  it("pool the values and the runs of a version, in run order", () => {
    fc.assert(
      fc.property(rows, measured, (all, pairs) => {
        const builders = [true, false].map((apart) => {
          const builder = new SeriesBuilder(apart);
          const table = tableOf(
            [fact("run", "integer"), float, text, rate],
            all.map((row) => row.slice(0, 4)),
          );
          addExperiment(
            builder,
            { experiment: "io", by: [float, text], results: [rate], versions: new Map(pairs) },
            table,
            [a, b, c],
          );
          return builder.series();
        });
        const [apart, pooled] = builders.map((series) => series.map(({ points }) => points));
        for (const [at, points] of (pooled ?? []).entries()) {
          const parts = (version: VersionId | null) => (apart?.[at] ?? []).filter((point) => point.version === version);
          for (const { version, evidence, sample } of points) {
            expect([...sample]).toEqual(parts(version).flatMap((part) => [...part.sample]));
            expect(evidence).toEqual(parts(version).flatMap((part) => part.evidence));
          }
          expect(new Set(points.map(({ version }) => version)).size).toBe(points.length);
          expect(points.reduce((sum, { sample }) => sum + sample.length, 0)).toBe(
            apart?.[at]?.reduce((sum, { sample }) => sum + sample.length, 0),
          );
        }
      }),
    );
  });
});
