import { describe, expect, it } from "vitest";
import { thinnedLine, thinnedPoints, type ScaledPoint } from "./thin-points.ts";

function scaledPoint(x: number, y: number): ScaledPoint {
  return { x, y, low: y, high: y };
}

const many = Array.from({ length: 10_000 }, (_, i) => scaledPoint(i / 9999, (1 + Math.sin(i * 1.7)) / 2));

describe("thinnedLine", () => {
  it("keeps first, lowest, highest and last of each column, in order", () => {
    const kept = thinnedLine(many, 100);
    expect(kept.length).toBeLessThanOrEqual(4 * 101);
    for (let column = 0; column <= 100; column++) {
      const of = (points: readonly ScaledPoint[]) => points.filter((point) => Math.round(point.x * 100) === column);
      const [all, own] = [of(many), of(kept)];
      expect([own[0], own.at(-1)]).toEqual([all[0], all.at(-1)]);
      const range = (points: readonly ScaledPoint[]) => [
        Math.min(...points.map(({ y }) => y)),
        Math.max(...points.map(({ y }) => y)),
      ];
      expect(range(own)).toEqual(range(all));
    }
    expect([...kept].sort((a, b) => a.x - b.x)).toEqual(kept);
  });

  it("does not change short lines", () => expect(thinnedLine(many.slice(0, 399), 100)).toHaveLength(399));
});

describe("thinnedPoints", () => {
  it("keeps one point per pixel", () => {
    const pixel = ({ x, y }: ScaledPoint) => `${Math.round(x * 50)} ${Math.round(y * 40)}`;
    const kept = thinnedPoints(many, 50, 40);
    expect(kept.map(pixel).sort()).toEqual([...new Set(many.map(pixel))].sort());
  });
});
