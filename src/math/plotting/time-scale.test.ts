import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantText, timeScale } from "./time-scale.ts";

const at = (text: string): number => Date.parse(text) / 1000;

function labels(low: string, high: string, count: number, days = false): string[] {
  const scale = timeScale(at(low), at(high), count, days);
  return scale.ticks.map((tick) => scale.label?.(tick) ?? "");
}

describe("timeScale", () => {
  it.each([
    [
      "2026-11-23T18:00:00Z",
      "2026-11-23T18:00:20Z",
      4,
      ["2026-11-23 18:00:00", "18:00:05", "18:00:10", "18:00:15", "18:00:20"],
    ],
    ["2026-11-23T18:02:00Z", "2026-11-23T19:01:00Z", 4, ["2026-11-23 18:15", "18:30", "18:45", "19:00"]],
    ["2026-11-23T18:00:00Z", "2026-11-24T07:00:00Z", 3, ["2026-11-23 18:00", "2026-11-24", "06:00"]],
    ["2026-01-28T02:30:00Z", "2026-02-05T02:42:00Z", 4, ["2026-01-29", "2026-01-31", "2026-02-02", "2026-02-04"]],
    ["2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z", 3, ["2024-02-28", "2024-02-29", "2024-03-01"]],
    [
      "2026-11-01T00:00:00Z",
      "2026-11-30T00:00:00Z",
      5,
      ["2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23", "2026-11-30"],
    ],
    ["2025-11-20T00:00:00Z", "2026-02-10T00:00:00Z", 3, ["2025-12", "2026-01", "2026-02"]],
    ["2024-01-01T00:00:00Z", "2026-06-10T00:00:00Z", 3, ["2024", "2025", "2026"]],
    ["1969-01-01T00:00:00Z", "2031-01-01T00:00:00Z", 4, ["1980", "2000", "2020"]],
  ])("%s to %s in about %i pieces", (low, high, count, expected) => {
    expect(labels(low, high, count)).toEqual(expected);
  });

  it("has no tick within a day if positions are days", () => {
    expect(labels("2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z", 6, true)).toEqual(["2026-11-23", "2026-11-24"]);
    expect(labels("2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z", 6, true)).toEqual([
      "2026-11-22",
      "2026-11-23",
      "2026-11-24",
    ]);
  });

  it("shows fractions of a second", () => {
    expect(labels("2026-11-23T18:00:00.000Z", "2026-11-23T18:00:00.400Z", 2)).toEqual([
      "2026-11-23 18:00:00",
      "18:00:00.200",
      "18:00:00.400",
    ]);
  });

  it("covers every pair with a bounded number of ascending ticks inside of it", () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    const instant = fc.double({ noNaN: true, min: -6e10, max: 2.5e11 });
    fc.assert(
      fc.property(fc.oneof(any, instant), fc.oneof(any, instant), fc.boolean(), (a, b, days) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const { ticks, ...scale } = timeScale(low, high, 5, days);
        expect(scale.low <= low && scale.high >= high).toBe(true);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThan(20);
        expect([...ticks].sort((p, q) => p - q)).toEqual(ticks);
        expect(ticks.every((tick) => tick >= scale.low && tick <= scale.high)).toBe(true);
      }),
    );
  });
});

describe("instantText", () => {
  it("has fractions only where there are some", () => {
    expect(instantText(at("2026-11-23T18:30:05Z"))).toBe("2026-11-23 18:30:05");
    expect(instantText(0.25)).toBe("1970-01-01 00:00:00.250");
    expect(instantText(1.5e9 + 0.000_001)).toBe("2017-07-14 02:40:00.000001");
    expect(instantText(-0.5)).toBe("1969-12-31 23:59:59.500");
    expect(instantText(1e300)).toBe("1e+300");
  });
});
