import fc from "fast-check";
import { expect, test } from "vitest";
import { compareNaturally, sharedWords } from "./names-in-lists.ts";

test("words that all names share are named once, and dropped from the names", () => {
  const names = ["go test ./sort size=10 procs=8", "go test ./sort size=2 procs=8", "go test ./heap size=2 procs=8"];
  const { shared, ownPart } = sharedWords(names);
  expect(shared).toBe("go test procs=8");
  expect(names.map(ownPart)).toEqual(["./sort size=10", "./sort size=2", "./heap size=2"]);
  expect(sharedWords(["a x=1 b", "c x=1 d"])).toMatchObject({ shared: "x=1" });
  expect(sharedWords(["only one"])).toMatchObject({ shared: "" });
  expect(sharedWords(["a b", "a b c"])).toMatchObject({ shared: "a" });
});

test("names keep a word and stay distinct, and no word of theirs is lost", () => {
  const word = fc.constantFrom("a", "b", "x=1", "x=2", "y=1", "");
  const name = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 6 }), (names) => {
      const { shared, ownPart } = sharedWords(names);
      expect(new Set(names.map(ownPart)).size).toBe(names.length);
      for (const each of names) {
        const words = [...shared.split(" "), ...ownPart(each).split(" ")].filter((text) => text !== "").sort();
        expect(words).toEqual(
          each
            .split(" ")
            .filter((text) => text !== "")
            .sort(),
        );
      }
    }),
  );
});

test("numbers in names are in order of size", () => {
  const sorted = ["a", "a2", "a02", "a10", "a10b", "b1"];
  expect(sorted.toReversed().sort(compareNaturally)).toEqual(["a", "a02", "a2", "a10", "a10b", "b1"]);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      expect(Math.sign(compareNaturally(`n${a}/x`, `n${b}/x`))).toBe(Math.sign(a - b));
    }),
  );
  const text = fc.string({ unit: fc.constantFrom("a", "0", "1", "9", " ") });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(compareNaturally(a, b))).toBe(-Math.sign(compareNaturally(b, a)) + 0);
      expect(compareNaturally(a, b) === 0).toBe(a === b);
      if (compareNaturally(a, b) < 0 && compareNaturally(b, c) < 0) expect(compareNaturally(a, c)).toBeLessThan(0);
    }),
  );
});
