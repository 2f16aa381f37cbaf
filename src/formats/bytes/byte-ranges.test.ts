import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteRanges, hashOf } from "./byte-ranges.ts";

test("equal ranges share a number, whatever their offset", () => {
  const range = fc.uint8Array({ max: 2, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(range, { maxLength: 300 }), fc.nat(7), (all, shift) => {
      const ranges = new ByteRanges(1 << 20);
      const known = new Map<string, number>();
      for (const bytes of all) {
        const shifted = new Uint8Array(shift + bytes.length);
        shifted.set(bytes, shift);
        const view = new DataView(shifted.buffer);
        const hash = hashOf(view, shift, shifted.length);
        const number = ranges.find(view, shift, shifted.length, hash);
        expect(number).toBe(known.get(bytes.join()) ?? -1);
        if (number < 0) known.set(bytes.join(), ranges.add(view, shift, shifted.length, hash));
      }
      expect([...known.values()].toSorted((a, b) => a - b)).toEqual([...known.keys()].map((_, at) => at));
    }),
  );
});

test("ranges with equal hashes are distinguished by their bytes", () => {
  const [ranges, view] = [
    new ByteRanges(100),
    new DataView(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3]).buffer),
  ];
  expect([
    ranges.add(view, 0, 9, 5),
    ranges.find(view, 0, 8, 5),
    ranges.find(view, 1, 9, 5),
    ranges.find(view, 0, 9, 5),
  ]).toEqual([0, -1, -1, 0]);
});

test("ranges beyond the byte limit are refused", () => {
  const [ranges, view] = [new ByteRanges(10), new DataView(new ArrayBuffer(20))];
  expect([ranges.add(view, 0, 8, 1), ranges.add(view, 0, 3, 2), ranges.add(view, 0, 2, 3)]).toEqual([0, -1, 1]);
});
