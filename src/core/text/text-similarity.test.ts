import { expect, it } from "vitest";
import { textSimilarity } from "./text-similarity.ts";

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
