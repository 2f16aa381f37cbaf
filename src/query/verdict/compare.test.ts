import { expect, it } from "vitest";
import type { Measured, Measurements } from "../../core/verdicts/samples.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { compareAll, type Compared, type CompareOptions } from "./compare.ts";
import { judgeDefaults } from "./decision.ts";

const compareMeasurements = (old: Measurements, now: Measurements, options: CompareOptions): Compared =>
  compareAll(old, [now], options)[0]!;

const values = [0, 3, 1, 4, 2, 5, 9, 7];

function measured(name: string, level: number, unitText: string, more: Partial<Measured> = {}): Measured {
  const subject = {
    source: "file",
    key: name,
    benchmark: name,
    metric: "t",
    unit: parseUnit(unitText),
    better: "lower",
  } as const;
  return { subject, unitText, groups: [Float64Array.from(values, (value) => level * (1 + value / 1000))], ...more };
}

const side = (...all: Measured[]): Measurements => ({ name: "side", measured: all, machines: [], version: null });
const words = (old: Measurements, now: Measurements): string[] =>
  compareMeasurements(old, now, judgeDefaults).rows.map(({ verdict }) => verdict.outcome);

it("decides nothing if the program exits with other statuses, and ignores unknown ones", () => {
  const [fine, failed] = [measured("a", 100, "ms", { statuses: [0] }), measured("a", 20, "ms", { statuses: [1] })];
  expect(words(side(fine), side(failed))).toEqual(["inconclusive"]);
  expect(words(side(failed), side({ ...failed, statuses: [1] }))).toEqual(["same"]);
  expect(words(side(fine), side(measured("a", 20, "ms")))).toEqual(["better"]);
  const { rows } = compareMeasurements(side(fine), side(failed), { ...judgeDefaults, exact: true });
  expect(rows[0]?.verdict.reason).toContain("exits with status 1, before with 0");
});

it("converts numbers of other units to the unit of the old side, or rejects them", () => {
  const { rows } = compareMeasurements(side(measured("a", 100, "ms")), side(measured("a", 0.2, "s")), judgeDefaults);
  expect(rows[0]?.unit).toBe("ms");
  expect(rows[0]?.verdict.delta).toBeCloseTo(1, 9);
  const strange = compareMeasurements(side(measured("a", 100, "ms")), side(measured("a", 100, "Byte")), judgeDefaults)
    .rows[0]?.verdict;
  expect(strange).toMatchObject({
    outcome: "inconclusive",
    after: null,
    delta: null,
    reason: "the new side measures Byte",
  });
});

it("the geometric mean covers subjects of one unit on both sides", () => {
  const old = side(
    measured("a", 100, "s"),
    measured("b", 400, "s"),
    measured("gone", 7, "s"),
    measured("c", 5, "Byte"),
  );
  const now = side(measured("a", 200, "s"), measured("b", 800, "s"), measured("new", 9, "s"), measured("c", 5, "Byte"));
  const { means } = compareMeasurements(old, now, judgeDefaults);
  expect(means.map(({ unit, rows }) => [unit, rows])).toEqual([
    ["s", 2],
    ["Byte", 1],
  ]);
  expect(means[0]?.delta).toBeCloseTo(1, 12);
});

it("the geometric mean covers one metric if several have the unit", () => {
  const times = (wall: number, cpu: number): Measurements =>
    side(
      ...["a", "b"].flatMap((name) => [
        measured(name, wall, "s"),
        {
          ...measured(name, cpu, "s"),
          subject: { ...measured(name, cpu, "s").subject, key: `${name}c`, metric: "cpu" },
        },
      ]),
    );
  const { means } = compareMeasurements(times(4, 2), times(8, 2), judgeDefaults);
  expect(means.map(({ metric, rows }) => [metric, rows])).toEqual([
    [measured("a", 1, "s").subject.metric, 2],
    ["cpu", 2],
  ]);
  expect(means.map(({ delta }) => Math.round(delta * 1e9) / 1e9)).toEqual([1, 0]);
});

it("pairs values only if one run measured both sides", () => {
  const pair = (name: string, level: number, pairing: string): Measurements =>
    side(measured(name, level, "s", { pairing }));
  const test = (old: Measurements, now: Measurements): string | undefined =>
    compareMeasurements(old, now, judgeDefaults).rows[0]?.verdict.test;
  expect(test(pair("a", 100, "x"), pair("a", 101, "x"))).toBe("signed-rank");
  expect(test(pair("a", 100, "x"), pair("a", 101, "y"))).toBe("mann-whitney");
  expect(test(pair("a", 100, "x"), side(measured("a", 101, "s")))).toBe("mann-whitney");
});

it("the direction can be overridden, and sources may declare numbers exact", () => {
  expect(
    compareMeasurements(side(measured("a", 1, "s")), side(measured("a", 2, "s")), {
      ...judgeDefaults,
      better: "higher",
    }).rows[0]?.verdict.outcome,
  ).toBe("better");
  const exact = (value: number): Measurements =>
    side(measured("a", 1, "s", { exact: true, groups: [Float64Array.of(value)] }));
  expect(words(exact(5), exact(6))).toEqual(["worse"]);
  expect(words(exact(5), side(measured("a", 1, "s", { groups: [Float64Array.of(6)] })))).toEqual(["inconclusive"]);
});

it("q accounts for the rows of all sides that are compared with one baseline", () => {
  const base = side(measured("a", 100, "s"), measured("b", 100, "s"));
  const worse = side(measured("a", 110, "s"), measured("b", 100, "s"));
  const [first, second] = compareAll(base, [worse, base], judgeDefaults);
  expect(first?.rows.map(({ verdict }) => verdict.outcome)).toEqual(["worse", "same"]);
  expect(first?.rows[0]?.verdict.q).toBeCloseTo(4 * first!.rows[0]!.verdict.p!, 12);
  expect(second?.rows.map(({ verdict }) => verdict.outcome)).toEqual(["same", "same"]);
});

it("compares values that share the drift of the machine as pairs", () => {
  const drift = Array.from({ length: 20 }, (_, at) => 100 + ((at * 7) % 20));
  const of = (values: readonly number[]): Measurements =>
    side(measured("a", 1, "s", { groups: [Float64Array.from(values)] }));
  const slower = drift.map((value, at) => value * (1.01 + (at % 3) / 1000));
  const verdictOf = (now: readonly number[]) => compareAll(of(drift), [of(now)], judgeDefaults)[0]!.rows[0]!.verdict;
  expect(verdictOf(slower)).toMatchObject({ outcome: "worse", test: "signed-rank" });
  expect(verdictOf(slower.toSorted((a, b) => ((a * 13) % 7) - ((b * 13) % 7))).test).toBe("mann-whitney");
});

/** Ten rounds in which the machine slows down; a commit that costs 2 % more; and a busy hour later. */
const rounds = Array.from({ length: 10 }, (_, at) => 100 * (1 + 0.05 * at + 0.001 * ((at * 7) % 5)));
const sessions = {
  base: measured("a", 1, "s", { groups: [Float64Array.from(rounds)], sessions: [1000] }),
  head: measured("a", 1, "s", {
    groups: [
      Float64Array.from(rounds, (value) => value * 1.6),
      Float64Array.from(rounds, (value, at) => value * (1.02 + 0.001 * (at % 2))),
    ],
    sessions: [null, 1000],
  }),
};

it("compares in pairs what one run measured round by round, without profiles of other times", () => {
  const { verdict } = compareMeasurements(side(sessions.base), side(sessions.head), judgeDefaults).rows[0]!;
  expect(verdict).toMatchObject({
    outcome: "worse",
    test: "signed-rank",
    reason: "compared in the rounds of one run; 1 profile of other times omitted",
  });
  expect(verdict.delta).toBeCloseTo(0.02, 2);
});

it("compares all profiles where no run measured both sides", () => {
  const other = { ...sessions.base, sessions: [2000] };
  const { verdict } = compareMeasurements(side(other), side(sessions.head), judgeDefaults).rows[0]!;
  expect(verdict).toMatchObject({ test: "mann-whitney", reason: null, after: { n: 20 } });
});

it("counts that repeat stay exact, and few rounds are no pairs", () => {
  const counted = (count: number, n: number, at = 1000): Measured =>
    measured("a", 1, "event", { groups: [new Float64Array(n).fill(count)], sessions: [at] });
  const exact = compareMeasurements(side(counted(82786482, 6)), side(counted(85579055, 6)), judgeDefaults);
  expect(exact.rows[0]?.verdict).toMatchObject({ outcome: "worse", test: "exact" });
  const few = (factor: number): Measured =>
    measured("a", 1, "s", { groups: [Float64Array.from(rounds.slice(0, 5), (x) => x * factor)], sessions: [1000] });
  expect(compareMeasurements(side(few(1)), side(few(1.5)), judgeDefaults).rows[0]?.verdict.test).toBe("mann-whitney");
});
