import fc from "fast-check";
import { expect, test } from "vitest";
import { PairTable } from "./pair-index.ts";

test("numbers distinct pairs in order of insertion", () => {
  const number = fc.oneof(fc.integer({ min: -1, max: 40 }), fc.nat(2 ** 31 - 1));
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { maxLength: 900 }), (all) => {
      const [pairs, map] = [new PairTable(), new Map<string, number>()];
      for (const [first, second] of all) {
        const key = `${first} ${second}`;
        if (!map.has(key)) map.set(key, map.size);
        const found = pairs.number(first, second);
        expect([found, pairs.firstOf(found), pairs.secondOf(found), pairs.size]).toEqual([
          map.get(key),
          first,
          second,
          map.size,
        ]);
      }
    }),
  );
});
