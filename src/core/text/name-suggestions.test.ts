import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "./name-suggestions.ts";

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
