import fc from "fast-check";
import { expect, test } from "vitest";
import { KeySet } from "./json-keys.ts";

/** For each key, whether the set of one object takes it for a duplicate. Keys are spelled as in JSON. */
function duplicatesIn(spellings: readonly string[]): boolean[] {
  const bytes = new TextEncoder().encode(spellings.join(","));
  const keys = new KeySet(bytes);
  const mark = keys.open();
  let at = 0;
  return spellings.map((spelling) => {
    const length = new TextEncoder().encode(spelling).length;
    const isDuplicate = keys.add(mark, at, at + length);
    at += length + 1;
    return isDuplicate;
  });
}

function expected(spellings: readonly string[]): boolean[] {
  const known = new Set<string>();
  return spellings.map((spelling) => {
    const text = JSON.parse(spelling) as string;
    const isDuplicate = known.has(text);
    known.add(text);
    return isDuplicate;
  });
}

const name = fc.integer({ min: 0, max: 400 }).map((number) => `f${number.toString(5)}`);
const spelling = fc.oneof(
  { weight: 20, arbitrary: name.map((text) => `"${text}"`) },
  { weight: 1, arbitrary: name.map((text) => `"\\u0066${text.slice(1)}"`) },
  { weight: 1, arbitrary: name.map((text) => `"é${text}"`) },
);

test.each([5, 40, 300])("finds the duplicates among %i keys, however they are spelled", (count) => {
  fc.assert(
    fc.property(fc.array(spelling, { minLength: count, maxLength: 2 * count }), (spellings) => {
      expect(duplicatesIn(spellings)).toEqual(expected(spellings));
    }),
  );
});

test("finds them among many keys, and among keys of one hash", () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `"function_${at % 19_999}"`);
  expect(duplicatesIn(many)).toEqual(expected(many));
  // The hash of `\0\0…` is that of its length only: it is 0.
  const alike = Array.from({ length: 300 }, (_, at) => `"${"\u0000".repeat(at % 299)}"`);
  const found = duplicatesIn(alike);
  expect(found.indexOf(true)).toBe(299);
});
