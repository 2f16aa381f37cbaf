import fc from "fast-check";
import { expect, test } from "vitest";
import { timeOrder } from "./time-order.ts";

test("sorts times stably from any order", () => {
  const moments = fc.oneof(
    fc.array(fc.nat(50), { maxLength: 300 }),
    fc.nat(400).map((count) => Array.from({ length: count }, (_, at) => count - (at >> 1))),
  );
  fc.assert(
    fc.property(moments, (times) => {
      const expected = times.map((_, at) => at).toSorted((a, b) => times[a]! - times[b]! || a - b);
      expect([...timeOrder(Float64Array.from(times))]).toEqual(expected);
    }),
  );
});
