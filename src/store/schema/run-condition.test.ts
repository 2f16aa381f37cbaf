import fc from "fast-check";
import { expect, it } from "vitest";
import { isOneOf } from "./run-condition.ts";

it.each([
  [[], "false"],
  [[7], "r.number = 7"],
  [[3, 1, 2, 2], "r.number between 1 and 3"],
  [[1, 2, 9], "(r.number between 1 and 2 or r.number = 9)"],
  [[1, 3, 5, 7, 9, 11, 13, 15, 17, 18], "r.number in (1, 3, 5, 7, 9, 11, 13, 15, 17, 18)"],
])("selects the runs %j", (runs, sql) => {
  expect(isOneOf("r.number", runs)).toBe(sql);
});

it("selects the given runs and no others", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 })), (runs) => {
      const condition = isOneOf("n", runs);
      for (let n = -1; n <= 41; n++) expect(holds(condition, n), `${condition} for ${n}`).toBe(runs.includes(n));
    }),
  );
});

/** Evaluates a condition on n that has no terms but those of run conditions. */
function holds(condition: string, n: number): boolean {
  if (condition.includes(" in (")) return condition.slice(6, -1).split(", ").map(Number).includes(n);
  return condition
    .replace(/^\(|\)$/g, "")
    .split(" or ")
    .some((term) => {
      const [first, last = first] = [...term.matchAll(/\d+/g)].map(Number);
      return first !== undefined && last !== undefined && first <= n && n <= last;
    });
}
