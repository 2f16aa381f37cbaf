import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Values } from "../../src/core/values/value.ts";
import type { Detector } from "../../src/plugins/detectors/detector.ts";
import { plantedSeries } from "../series/planted.ts";

/** What every detector does, with its defaults or with `options`. */
export function detectorContract(detector: Detector, options: Values = new Map(), kind = ""): void {
  const indexes = (values: Float64Array): number[] => detector.detect(values, options).map(({ index }) => index);
  const planted = plantedSeries("gauss", 4, {
    count: 80,
    spread: 0.005,
    changes: [{ from: 40, to: 40, share: 0.2 }],
  }).values;

  describe(`detector ${detector.name} ${kind}`, () => {
    it("is frozen and finds a plain step where it is, with the means about it", () => {
      expect(Object.isFrozen(detector)).toBe(true);
      const [change, ...others] = detector.detect(planted, options);
      expect([change?.index, others.map(({ index }) => index)]).toEqual([40, []]);
      expect(change?.before).toBeCloseTo(100, 0);
      expect(change?.after).toBeCloseTo(120, 0);
    });

    it("finds the mirrored step in the mirror, and does not touch the values", () => {
      const values = planted.map((value) => 200 - value);
      const before = values.slice();
      const [change] = detector.detect(values, options);
      expect([change?.index, values]).toEqual([40, before]);
      expect(change?.after).toBeLessThan(change?.before ?? 0);
    });

    it("says nothing of what is constant, a single value or empty", () => {
      for (const values of [[], [3], Array<number>(100).fill(5)])
        expect(indexes(Float64Array.from(values))).toEqual([]);
    });

    it("answers any finite series with ascending places inside it", () => {
      const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
      fc.assert(
        fc.property(fc.array(value, { maxLength: 90 }), (values) => {
          const found = indexes(Float64Array.from(values));
          expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
          expect(found.every((at) => at > 0 && at < values.length)).toBe(true);
        }),
        { numRuns: 50 },
      );
    });
  });
}
