import fc from "fast-check";
import { expect, test } from "vitest";
import { PairMap } from "./pair-map.ts";

test("answers as a map by pairs does, however many there are", () => {
  const number = fc.oneof(fc.nat(40), fc.nat(2 ** 31 - 2));
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, number), { maxLength: 400 }), (entries) => {
      const [pairs, map] = [new PairMap(), new Map<string, number>()];
      for (const [first, second, value] of entries) {
        expect(pairs.get(first, second)).toBe(map.get(`${first} ${second}`) ?? -1);
        pairs.set(first, second, value);
        map.set(`${first} ${second}`, value);
      }
      for (const [first, second] of entries) expect(pairs.get(first, second)).toBe(map.get(`${first} ${second}`));
    }),
  );
});
