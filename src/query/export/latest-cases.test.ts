import fc from "fast-check";
import { expect, test } from "vitest";
import type { MeasuredRun, Quantity } from "../../core/measurements/measurement.ts";
import { LatestCases } from "./latest-cases.ts";

const quantities: Quantity[] = [
  { name: "time", unit: "s" },
  { name: "size", unit: "Byte" },
];

const runOf = (number: number): MeasuredRun => ({ number, performed: 0, facts: new Map() });

/** Expected cases by key, the latest run of each case last. */
function expected(runs: readonly (readonly (readonly [string, string, number, number])[])[]): object[] {
  const found = new Map<
    string,
    { benchmark: string; parameter: string; run: number; time: number[]; size: number[] }
  >();
  for (const [run, rows] of runs.entries()) {
    for (const [benchmark, parameter, time, size] of rows) {
      if (Number.isNaN(time) && Number.isNaN(size)) continue;
      const key = JSON.stringify([benchmark, parameter]);
      const known = found.get(key);
      const own = known?.run === run ? known : { benchmark, parameter, run, time: [], size: [] };
      if (own !== known) found.delete(key);
      found.set(key, own);
      for (const [name, value] of [["time", time] as const, ["size", size] as const])
        if (!Number.isNaN(value)) own[name].push(value);
    }
  }
  return [...found.values()];
}

test("keeps the latest run of each case, with all its numbers in order", () => {
  const text = fc.constantFrom("a", "b", '"', "\ud800", "__proto__");
  const number = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -5, max: 5 }));
  const row = fc.tuple(text, text, number, number);
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 5 }), (runs) => {
      const cases = new LatestCases(quantities);
      for (const [run, rows] of runs.entries()) {
        const measured = runOf(run);
        for (const [benchmark, parameter, ...values] of rows)
          cases.add(measured, { benchmark, parameters: new Map([["p", parameter]]), values });
      }
      const numbersOf = (name: string, wanted?: Quantity[]): unknown[] =>
        [...cases.cases(wanted)].map(({ samples }) => samples.get(name)?.numbers ?? []);
      const actual = [...cases.cases()].map(({ benchmark, parameters, run, samples }) => ({
        benchmark,
        parameter: parameters.get("p"),
        run: run.number,
        time: samples.get("time")?.numbers ?? [],
        size: samples.get("size")?.numbers ?? [],
      }));
      expect(actual).toEqual(expected(runs));
      expect(numbersOf("size", [quantities[1]!])).toEqual(
        numbersOf("size").filter((numbers) => (numbers as number[]).length > 0),
      );
    }),
  );
});

test("drops rows of superseded cases and keeps all others", () => {
  const cases = new LatestCases(quantities);
  for (let run = 1; run <= 20; run++) {
    const measured = runOf(run);
    cases.add(measured, { benchmark: `only ${run}`, parameters: new Map(), values: [run, Number.NaN] });
    for (let row = 0; row < 10_000; row++)
      cases.add(measured, {
        benchmark: `b${row % 7}`,
        parameters: new Map(),
        values: [run * 10_000 + row, Number.NaN],
      });
  }
  expect(cases.rows).toBeLessThan(100_000);
  const actual = [...cases.cases()].map(({ benchmark, run, samples }) => [
    benchmark,
    run.number,
    samples.get("time")!.numbers.slice(0, 2),
  ]);
  const again = [0, 1, 2, 3, 4, 5, 6].map((at) => [`b${at}`, 20, [200_000 + at, 200_007 + at]]);
  const once = Array.from({ length: 20 }, (_, at) => [`only ${at + 1}`, at + 1, [at + 1]]);
  expect(actual).toEqual([...once, ...again]);
});

test("computes the statistics of a sample", () => {
  const cases = new LatestCases(quantities);
  const run = runOf(1);
  for (const time of [4, 1, 2, 9])
    cases.add(run, { benchmark: "a", parameters: new Map(), values: [time, Number.NaN] });
  const [found] = cases.cases();
  expect([...found!.samples]).toEqual([
    [
      "time",
      { numbers: [4, 1, 2, 9], median: 3, least: 1, greatest: 9, deviation: expect.closeTo(Math.sqrt(38 / 3), 12) },
    ],
  ]);
});
