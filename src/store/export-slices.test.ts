import fc from "fast-check";
import { expect, test } from "vitest";
import { exportSlices, type RunSpan } from "./export-slices.ts";

test("every place of every run is in one slice, in order, and none has too many", () => {
  const sizes = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 5 })), { maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 10 }), (lengths, most) => {
      const runs = lengths.map((_, i) => i + 1);
      const spans = new Map<number, RunSpan>();
      lengths.forEach(([length, first], i) => length > 0 && spans.set(i + 1, { first, last: first + length - 1 }));
      const places = (run: number, { first, last }: RunSpan): string[] =>
        Array.from({ length: last - first + 1 }, (_, i) => `${run}:${first + i}`);
      const whole = (run: number): string[] => places(run, spans.get(run) ?? { first: 0, last: 0 });
      const slices = exportSlices(runs, spans, most).map(({ runs: of, ordinals }) =>
        of.flatMap((run) => (ordinals ? places(run, ordinals) : whole(run))),
      );
      expect(slices.flat()).toEqual(runs.flatMap(whole));
      for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(most);
    }),
  );
});

test("only the first part of a run begins it", () => {
  expect(exportSlices([7, 8], new Map([[7, { first: 0, last: 4 }]]), 2)).toEqual([
    { runs: [7], ordinals: { first: 0, last: 1 }, continues: false },
    { runs: [7], ordinals: { first: 2, last: 3 }, continues: true },
    { runs: [7], ordinals: { first: 4, last: 4 }, continues: true },
    { runs: [8], continues: false },
  ]);
});
