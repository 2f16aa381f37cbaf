import { editDistance, nearest, textSimilarity } from "./name-suggestions.ts";
import { describe, expect, it } from "vitest";

describe("nearest", () => {
  it.each([
    ["stauts", ["status", "stats", "log"], ["status", "stats"]],
    ["experimnt", ["experiment", "export"], ["experiment"]],
    ["xyz", ["status", "log"], []],
    ["LOG", ["log"], ["log"]],
  ])("%s", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toEqual(expected);
  });
});

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "acb", 1],
    ["kitten", "sitting", 3],
    ["", "abc", 3],
  ])("of '%s' and '%s' is %d", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

// Python 3: difflib.SequenceMatcher(None, a, b).ratio()
it.each([
  ["", "", 1],
  ["abc", "", 0],
  ["abc", "abc", 1],
  ["abcd", "bcde", 0.75],
  ["app-1.2.3/bin/sort", "app-1.3.0/bin/sort", 0.8888888888888888],
  ["private Thread currentThread;", "private volatile Thread currentThread;", 0.8656716417910447],
])("of %j and %j is %d", (a, b, ratio) => {
  expect(textSimilarity(a, b)).toBeCloseTo(ratio, 12);
});
