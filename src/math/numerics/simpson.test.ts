import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simpson } from "./simpson.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

describe("simpson", () => {
  it("is exact for parabolas over an odd number of irregularly spaced x", () => {
    const positions = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(positions, (list) => {
        const x = Float64Array.from(list).sort();
        const area = (at: number): number => at ** 3 / 3 - at ** 2 + 3 * at;
        const exact = area(x[6]!) - area(x[0]!);
        expect(
          simpson(
            x.map((at) => at * at - 2 * at + 3),
            x,
          ),
        ).toBeCloseTo(exact, 6);
      }),
    );
  });

  it.each([
    [of(), of(), 0],
    [of(5), of(1), 0],
    [of(1, 3), of(0, 2), 4],
    // scipy 1.10: simps([1, 4, 9, 16], even="avg") = 21.166666666666664, the exact value is 21.
    [of(1, 4, 9, 16), of(1, 2, 3, 4), 21.166666666666664],
    [of(1, 2, 3), of(1, 1, 1), 0],
  ])("%j over %j is %d", (y, x, area) => {
    expect(simpson(y, x)).toBeCloseTo(area, 12);
  });
});
