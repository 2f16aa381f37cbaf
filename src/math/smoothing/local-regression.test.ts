import fc from "fast-check";
import { expect, it, test } from "vitest";
import { kernels } from "./kernels.ts";
import {
  estimates,
  leaveOneOutError,
  localConstant,
  localLinear,
  localPolynomial,
  distinctPoints,
} from "./local-regression.ts";
import { minimumNear } from "../numerics/minimize.ts";

const normal = kernels["normal"]!;
const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -50, max: 50 })), {
  minLength: 3,
  maxLength: 20,
});

/** The weighted mean of all points but `except`, by the definition. */
function slowMean(list: readonly (readonly [number, number])[], x: number, h: number, except = -1): number {
  const weighed = list
    .filter((_, i) => i !== except)
    .map(([at, y]) => [Math.exp(-0.5 * ((at - x) / h) ** 2), y] as const);
  return weighed.reduce((sum, [w, y]) => sum + w * y, 0) / weighed.reduce((sum, [w]) => sum + w, 0);
}

function pointsOf(list: readonly (readonly [number, number])[]): ReturnType<typeof distinctPoints> {
  return distinctPoints(
    Float64Array.from(list, ([x]) => x),
    Float64Array.from(list, ([, y]) => y),
  );
}

test("weighted means are those of the definition, with and without the point itself", () => {
  fc.assert(
    fc.property(points, fc.double({ min: 0.5, max: 5, noNaN: true }), (list, h) => {
      const points = pointsOf(list);
      const found = estimates(points, h, normal, localConstant);
      points.x.forEach((x, at) => expect(found[at]).toBeCloseTo(slowMean(list, x, h), 8));
      const error = list.reduce((sum, [x, y], i) => sum + (y - slowMean(list, x, h, i)) ** 2, 0) / list.length;
      expect(leaveOneOutError(points, h, normal, localConstant) / (error || 1)).toBeCloseTo(error ? 1 : 0, 6);
    }),
  );
});

it("follows a line exactly with lines, and a cubic with cubics", () => {
  const line = pointsOf(Array.from({ length: 30 }, (_, i) => [i / 3, 4 - i] as const));
  expect([...estimates(line, 0.8, normal, localLinear)]).toEqual(
    [...line.y].map((y) => expect.closeTo(y, 8) as unknown),
  );
  const cubic = pointsOf(Array.from({ length: 30 }, (_, i) => [i / 3, (i / 3) ** 3 - i] as const));
  expect([...localPolynomial(cubic, 2, normal, 3)!]).toEqual([...cubic.y].map((y) => expect.closeTo(y, 6) as unknown));
  expect(
    localPolynomial(
      pointsOf([
        [1, 2],
        [2, 3],
      ]),
      1,
      normal,
      3,
    ),
  ).toBeNull();
});

it("returns the mean if all points have the same x", () => {
  expect([
    ...estimates(
      pointsOf([
        [5, 1],
        [5, 3],
        [5, 8],
      ]),
      2,
      normal,
      localLinear,
    ),
  ]).toEqual([4]);
});

test.each(Object.entries(kernels))(
  "the kernel %s is even, greatest in the middle and 0 beyond its reach",
  (_, { reach, weight }) => {
    for (const u of [0.1, 0.5, 0.9])
      expect([weight(-u * reach), weight(u * reach) < weight(0)]).toEqual([weight(u * reach), true]);
    expect(Math.abs(weight(reach * 1.0001))).toBe(0);
  },
);

it("finds the minimum of a function", () => {
  expect(minimumNear((x) => (x - 7) ** 2 + 3, 1)).toBeCloseTo(7, 3);
  expect(minimumNear((x) => (x < 2 ? Number.NaN : Math.abs(x - 2.5)), 3)).toBeCloseTo(2.5, 3);
});
