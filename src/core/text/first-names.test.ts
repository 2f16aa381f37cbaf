import { expect, test } from "vitest";
import { firstNames } from "./first-names.ts";

test("names the first ones and counts the others", () => {
  expect(firstNames(["a", "b"], 2)).toBe("a, b");
  expect(firstNames(["a", "b", "c"], 2)).toBe("a, b and 1 more");
  expect(firstNames([], 2)).toBe("");
});
