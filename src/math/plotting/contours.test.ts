import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaAbove, contourLines, isolatedPoints, type ContourPoint, type HeightGrid } from "./contours.ts";

function gridOf(heights: readonly (readonly number[])[]): HeightGrid {
  const [first = []] = heights;
  return { xs: [...first.keys()], ys: [...heights.keys()], heights };
}

/** Shoelace formula. */
function areaOf(polygons: readonly (readonly ContourPoint[])[]): number {
  return polygons.reduce((sum, polygon) => {
    const doubled = polygon.reduce((total, [x, y], at) => {
      const [nextX, nextY] = polygon[(at + 1) % polygon.length]!;
      return total + x * nextY - nextX * y;
    }, 0);
    return sum + Math.abs(doubled) / 2;
  }, 0);
}

const hole = Number.NaN;

describe("areas above a level", () => {
  it("are exact on a plane", () => {
    // height = x over 0..3 by 0..2: the area above 1.25 is 1.75 wide
    const plane = gridOf([0, 1, 2].map(() => [0, 1, 2, 3]));
    expect(areaOf(areaAbove(plane, 1.25))).toBeCloseTo(1.75 * 2, 12);
    expect(areaOf(areaAbove(plane, 0))).toBe(6);
    expect(areaAbove(plane, 3.01)).toEqual([]);
  });

  it("merge the whole cells of a row, and leave out what the next level covers", () => {
    expect(
      areaAbove(
        gridOf([
          [5, 5, 5, 5],
          [5, 5, 5, 5],
        ]),
        1,
      ),
    ).toHaveLength(1);
    expect(
      areaAbove(
        gridOf([
          [5, 5, 1, 1],
          [5, 5, 1, 1],
        ]),
        1,
        4,
      ),
    ).toEqual([
      [
        [1, 0],
        [3, 0],
        [3, 1],
        [1, 1],
      ],
    ]);
  });

  it("cover a triangle at a hole, and nothing at two", () => {
    expect(
      areaOf(
        areaAbove(
          gridOf([
            [1, 1],
            [1, hole],
          ]),
          0,
        ),
      ),
    ).toBe(0.5);
    expect(
      areaAbove(
        gridOf([
          [1, 1],
          [hole, hole],
        ]),
        0,
      ),
    ).toEqual([]);
  });

  it("shrink with the level, and complement the area below it", () => {
    const height = fc.integer({ min: 0, max: 8 });
    const heights = fc.array(fc.array(height, { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(heights, fc.integer({ min: 0, max: 7 }), (rows, whole) => {
        const level = whole + 0.5;
        const above = areaOf(areaAbove(gridOf(rows), level));
        const below = areaOf(areaAbove(gridOf(rows.map((row) => row.map((each) => -each))), -level));
        expect(above + below).toBeCloseTo(6, 9);
        expect(areaOf(areaAbove(gridOf(rows), level + 1))).toBeLessThanOrEqual(above + 1e-9);
      }),
    );
  });
});

describe("contour lines", () => {
  it("are one line across a plane", () => {
    const [line, ...others] = contourLines(gridOf([0, 1, 2].map(() => [0, 1, 2, 3])), 1.25);
    expect(others).toEqual([]);
    for (const [x] of line!) expect(x).toBeCloseTo(1.25, 12);
    expect([line![0]![1], line!.at(-1)![1]].sort()).toEqual([0, 2]);
  });

  it("close around a peak", () => {
    const [line, ...others] = contourLines(
      gridOf([
        [0, 0, 0],
        [0, 8, 0],
        [0, 0, 0],
      ]),
      4,
    );
    expect(others).toEqual([]);
    expect(line!.at(-1)).toEqual(line![0]);
    expect(areaOf([line!])).toBeCloseTo(
      areaOf(
        areaAbove(
          gridOf([
            [0, 0, 0],
            [0, 8, 0],
            [0, 0, 0],
          ]),
          4,
        ),
      ),
      12,
    );
  });

  it("end at the edge or where they began, and lie on the level", () => {
    const height = fc.integer({ min: 0, max: 9 });
    const heights = fc.array(fc.array(height, { minLength: 5, maxLength: 5 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(heights, fc.integer({ min: 0, max: 8 }), (rows, whole) => {
        for (const line of contourLines(gridOf(rows), whole + 0.5)) {
          const [first, last] = [line[0]!, line.at(-1)!];
          const isAtEdge = ([x, y]: ContourPoint): boolean => x === 0 || x === 4 || y === 0 || y === 3;
          expect(String(first) === String(last) || (isAtEdge(first) && isAtEdge(last))).toBe(true);
        }
      }),
    );
  });
});

it("finds the points that no area reaches", () => {
  expect(
    isolatedPoints(
      gridOf([
        [1, 1, hole, 2],
        [1, 1, hole, hole],
        [hole, hole, 3, hole],
      ]),
    ),
  ).toEqual([
    [3, 0],
    [2, 2],
  ]);
  expect(isolatedPoints(gridOf([[1, 2, 3]]))).toHaveLength(3);
});
