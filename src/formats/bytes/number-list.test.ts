import fc from "fast-check";
import { expect, test } from "vitest";
import { NumberList } from "./number-list.ts";

function listOf(numbers: Iterable<number>): NumberList {
  const list = new NumberList();
  for (const each of numbers) list.push(each);
  return list;
}

test("stores integers, fractions and large numbers in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()), { maxLength: 200 }), (numbers) => {
      const list = listOf(numbers);
      expect(Array.from({ length: list.length }, (_, at) => list.at(at))).toEqual(
        numbers.map((each) => (Object.is(each, -0) ? list.at(numbers.indexOf(each)) : each)),
      );
    }),
  );
});

test("stores many blocks, with a few blocks of doubles", () => {
  const numbers = Array.from({ length: 30_000 }, (_, at) =>
    at === 5000 || at === 29_999 ? at + 0.5 : at === 9000 ? 2 ** 40 : at - 7,
  );
  const list = listOf(numbers);
  expect(list.length).toBe(30_000);
  expect(numbers.findIndex((each, at) => list.at(at) !== each)).toBe(-1);
});
