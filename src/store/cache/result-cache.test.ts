import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AnswerCache, answerKey } from "./answer-cache.ts";
import { ResultCache } from "./result-cache.ts";

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "perfkeep-results-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const opened = (): ResultCache<number> =>
  new ResultCache(new AnswerCache(folder), answerKey(["a"]), 1, { ofEntry: 3, all: 8 });

/** Asks for the results of these numbers, and returns those that were computed. */
function computed(numbers: readonly number[]): number[] {
  const [cache, made] = [opened(), [] as number[]];
  for (const number of numbers)
    expect(cache.getOrCompute(`${number}`, () => (made.push(number), 2 * number))).toBe(2 * number);
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
  const kept = (): number[] => [1, 2, 3, 4, 5, 11].filter((number) => opened().get(`${number}`) !== undefined);
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
