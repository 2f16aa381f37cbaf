import fc from "fast-check";
import { expect, test } from "vitest";
import type { PointBlock, SeriesColumns, StateLevels } from "../../core/pages/index.ts";
import { KnownNoise, StateLevelsBuilder } from "./state-levels.ts";

/** Series of one block, by their numbers of points at commits 0, 1, ... */
function columns(lengths: readonly number[]): SeriesColumns {
  const from = lengths.map((_, at) => lengths.slice(0, at).reduce((sum, length) => sum + length, 0));
  const arrays = {
    key: Int32Array.from(lengths.keys()),
    block: new Int32Array(lengths.length),
    from: Int32Array.from(from),
    count: Int32Array.from(lengths),
  };
  return { facts: { texts: [], words: [] }, arrays } as unknown as SeriesColumns;
}

function points(lengths: readonly number[], centers: readonly number[], changes: readonly number[]): PointBlock {
  const version = Int32Array.from(lengths.flatMap((length) => [...Array(length).keys()]));
  const center = Float64Array.from(version, (_, at) => centers[at % centers.length]!);
  const changed = Int32Array.from([...new Set(changes)].filter((at) => at < version.length).sort((a, b) => a - b));
  const none = new Float64Array(0);
  return {
    facts: { block: 0 },
    arrays: { version, center, low: none, high: none, n: new Int32Array(0), changes: changed },
  };
}

test("levels are the same with the noise of earlier comparisons, for short and for long series", () => {
  const lengths = fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 250, max: 300 })), {
    minLength: 1,
    maxLength: 5,
  });
  const commits = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300 }));
  const centers = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 40 });
  const changes = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 6 });
  fc.assert(
    fc.property(lengths, centers, changes, fc.array(commits, { minLength: 2, maxLength: 6 }), (...given) => {
      const [counts, values, changed, pairs] = given;
      const [series, block] = [columns(counts), points(counts, values, changed)];
      const levelsOf = (from: number, to: number, noise?: KnownNoise): StateLevels => {
        const builder = new StateLevelsBuilder(series, from, to, noise);
        builder.add(block);
        return builder.levels;
      };
      const noise = new KnownNoise(counts.length);
      for (const [from, to] of pairs) expect(levelsOf(from, to, noise)).toEqual(levelsOf(from, to));
    }),
  );
});
