import fc from "fast-check";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ensemble, ensembleDefaults } from "../../math/detectors/ensemble.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import { AnswerCache, answerKey } from "./answer-cache.ts";
import { SeriesCache } from "./incremental-cache.ts";

describe("entries of a series cache", () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "perfkeep-results-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const opened = (): SeriesCache<number> =>
    new SeriesCache(new AnswerCache(folder), answerKey(["a"]), 1, { ofEntry: 3, all: 8 });

  /** Asks for the results of these numbers, and returns those that were computed. */
  function computed(numbers: readonly number[]): number[] {
    const [cache, made] = [opened(), [] as number[]];
    for (const number of numbers)
      expect(cache.getOrCompute(Float64Array.of(number), () => (made.push(number), 2 * number))).toBe(2 * number);
    cache.save();
    return made;
  }

  test("results are split over several entries", () => {
    const all = [1, 2, 3, 4, 5, 6, 7];
    expect(computed(all)).toEqual(all);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(computed(all)).toEqual([]);
  });

  test("results that were used last are kept first, others fill the first entry", () => {
    const kept = (): number[] =>
      [1, 2, 3, 4, 5, 11].filter((number) => opened().get(Float64Array.of(number)) !== undefined);
    computed([1, 2]);
    expect(computed([3])).toEqual([3]);
    expect(kept()).toEqual([1, 2, 3]);
    expect(computed([3, 4])).toEqual([4]);
    expect(kept()).toEqual([1, 3, 4]);
    computed([11, 12, 13, 14]);
    expect(kept()).toEqual([11]);
  });

  test("at most the limit is kept", () => {
    computed([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(computed([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual([9]);
  });

  test("a missing entry costs its results only", () => {
    const all = [1, 2, 3, 4, 5, 6, 7];
    computed(all);
    rmSync(join(folder, answerKey([answerKey(["a"]), 1])));
    expect(computed(all)).toEqual([4, 5, 6, 7]);
  });
});

describe("series cache", () => {
  let folder: string;
  let cache: AnswerCache;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-kept-"));
    cache = new AnswerCache(join(folder, "answers"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const opened = <T>(key = "a"): SeriesCache<T> => new SeriesCache<T>(cache, answerKey([key]), 1);

  test("only changed series are recomputed", () => {
    const computed: number[][] = [];
    const sum = (values: Float64Array): number => {
      computed.push([...values]);
      return values.reduce((all, value) => all + value, 0);
    };
    const ask = (key: string, ...all: number[][]): number[] => {
      const results = opened<number>(key);
      const answers = all.map((values) => results.getOrCompute(Float64Array.from(values), sum));
      results.save();
      return answers;
    };
    expect(ask("a", [1, 2], [3], [])).toEqual([3, 3, 0]);
    expect(ask("a", [1, 2], [3, 4], [])).toEqual([3, 7, 0]);
    expect(computed.splice(0)).toEqual([[1, 2], [3], [], [3, 4]]);
    // Results that were not used the last time are still cached; those of another key are not.
    expect(ask("a", [3])).toEqual([3]);
    expect(computed).toEqual([]);
    expect(ask("b", [3])).toEqual([3]);
    expect(computed).toEqual([[3]]);
  });

  test("results equal recomputed ones, however series grow", () => {
    const series = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: 90, max: 110 }), {
      minLength: 6,
      maxLength: 30,
    });
    const property = fc.property(
      fc.array(series, { minLength: 1, maxLength: 4 }),
      fc.nat(3),
      fc.double({ noNaN: true, min: 0, max: 300 }),
      (all, at, more) => {
        const detect = (values: Float64Array): readonly LevelChange[] => ensemble(values, ensembleDefaults);
        const grown = all.map((values, index) => (index === at ? [...values, more] : values));
        for (const each of [all, grown]) {
          const results = opened<readonly LevelChange[]>();
          for (const values of each.map((list) => Float64Array.from(list)))
            expect(results.getOrCompute(values, detect)).toEqual(detect(values));
          results.save();
        }
      },
    );
    fc.assert(property, { seed: 9, numRuns: 60 });
  });

  test("an entry of another shape is ignored", () => {
    cache.put(answerKey(["a"]), "something else");
    expect(opened<number>().getOrCompute(Float64Array.of(1), () => 7)).toBe(7);
  });
});
