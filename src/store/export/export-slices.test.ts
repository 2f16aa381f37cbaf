import fc from "fast-check";
import { expect, test } from "vitest";
import { exportSlices, type RunSpan } from "./export-slices.ts";
import { RowBudget } from "./row-budget.ts";

test("every ordinal of every run is in one slice, in order, and no slice is too long", () => {
  const sizes = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 5 })), { maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 10 }), (lengths, maxRows) => {
      const runs = lengths.map((_, i) => i + 1);
      const spans = new Map<number, RunSpan>();
      lengths.forEach(([length, first], i) => length > 0 && spans.set(i + 1, { first, last: first + length - 1 }));
      const ordinalsOf = (run: number, { first, last }: RunSpan): string[] =>
        Array.from({ length: last - first + 1 }, (_, i) => `${run}:${first + i}`);
      const allOf = (run: number): string[] => ordinalsOf(run, spans.get(run) ?? { first: 0, last: 0 });
      const slices = [...exportSlices(runs, spans, () => maxRows)].map(({ runs: of, ordinals }) =>
        of.flatMap((run) => (ordinals ? ordinalsOf(run, ordinals) : allOf(run))),
      );
      expect(slices.flat()).toEqual(runs.flatMap(allOf));
      for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(maxRows);
    }),
  );
});

test("only the first slice of a run does not continue it", () => {
  expect([...exportSlices([7, 8], new Map([[7, { first: 0, last: 4 }]]), () => 2)]).toEqual([
    { runs: [7], ordinals: { first: 0, last: 1 }, continues: false },
    { runs: [7], ordinals: { first: 2, last: 3 }, continues: true },
    { runs: [7], ordinals: { first: 4, last: 4 }, continues: true },
    { runs: [8], continues: false },
  ]);
});

test("a slice has no more runs than it may have", () => {
  const slices = [...exportSlices([1, 2, 3, 4, 5], new Map(), () => 100, 2)];
  expect(slices.map(({ runs }) => runs)).toEqual([[1, 2], [3, 4], [5]]);
});

test("the size of the rows read determines how many are read next", () => {
  const budget = new RowBudget();
  const sizes: number[] = [];
  // Rows of 8 bytes, except for those from 60,000 to 60,100 of 1 MiB each.
  for (const { ordinals } of exportSlices([1], new Map([[1, { first: 0, last: 200_000 }]]), () => budget.rows)) {
    const { first = 0, last = 0 } = ordinals ?? {};
    const large = Math.max(0, Math.min(last, 60_100) - Math.max(first, 60_000) + 1);
    sizes.push(last - first + 1);
    budget.record(last - first + 1, large * 2 ** 20 + 8 * (last - first + 1));
  }
  expect(sizes.slice(0, 4)).toEqual([256, 2048, 16_384, 100_000]);
  expect(Math.min(...sizes.slice(4))).toBeLessThan(20_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_001);
});

test("reads one row at a time if more do not fit, and many again when they do", () => {
  const budget = new RowBudget();
  budget.record(256, 256 * 2 ** 26);
  expect(budget.rows).toBe(1);
  for (let times = 0; times < 9; times++) budget.record(budget.rows, 8 * budget.rows);
  expect(budget.rows).toBe(100_000);
  expect(new RowBudget(2).rows).toBe(2);
});
