import { expect, test } from "vitest";
import { PathGlob } from "./path-glob.ts";

test.each([
  ["*.out", "a.out", true],
  ["*.out", "runs/1/a.out", true],
  ["*.out", "a.out.gz", false],
  ["a/*.out", "a/b.out", true],
  ["a/*.out", "a/b/c.out", false],
  ["a/*.out", "x/a/b.out", false],
  ["a/**/*.out", "a/b.out", true],
  ["a/**/*.out", "a/b/c/d.out", true],
  ["**/a/*", "x/y/a/b", true],
  ["run?", "run12", false],
  ["run?", "x/run1", true],
  ["/a", "a", true],
  ["/a", "b/a", false],
  ["old/", "x/old", true],
  ["*", "", true],
  ["[a]", "a", false],
  ["a*a*a*a*b", "a".repeat(200), false],
])("%s and %s: %j", (pattern, path, matches) => {
  expect(new PathGlob(pattern).matches(path)).toBe(matches);
});
