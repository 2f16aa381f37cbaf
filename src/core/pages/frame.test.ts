import fc from "fast-check";
import { describe, expect, test, it } from "vitest";
import type { Figure } from "../figures/figure.ts";
import type { PointBlock } from "./frame.ts";
import { packFrame, unpackFrame, packValue, unpackValue, packPoints, unpackPoints } from "./frame.ts";

describe("messages to pages", () => {
  const figure: Figure = {
    title: "times of <script>",
    blocks: [
      { kind: "text", text: "a\nb" },
      {
        kind: "chart",
        mark: "line",
        x: { label: "version", scale: "category", categories: ["a", "\u202Eb"] },
        y: [{ label: "time", scale: "log" }],
        series: [
          {
            label: "é",
            axis: 0,
            x: Float64Array.of(0, 1),
            y: Float64Array.of(1.5, Number.NaN),
            low: Float64Array.of(1, 2),
          },
        ],
      },
    ],
  };

  test("round-trips a figure with its arrays", () => {
    expect(unpackValue(packValue(figure))).toEqual(figure);
  });

  test("round-trips values without arrays", () => {
    for (const value of [null, 1, "x", [], [null, { a: [true] }]]) expect(unpackValue(packValue(value))).toEqual(value);
  });

  test("aligns arrays to eight bytes", () => {
    for (const text of ["", "x", "xx", "xxxx", "é".repeat(13)]) {
      const frame = {
        facts: { text },
        arrays: { small: Uint8Array.of(1, 2, 3), whole: Int32Array.of(-7), real: Float64Array.of(0.1) },
      };
      expect(unpackFrame(packFrame(frame))).toEqual(frame);
    }
  });
});

function blockOf(center: readonly number[], low: readonly number[] = []): PointBlock {
  const whole = Int32Array.from(center, (_, at) => at - 1);
  const spread = Int32Array.from(low, (_, at) => at);
  const arrays = {
    version: whole,
    center: Float64Array.from(center),
    low: Float64Array.from(low),
    high: Float64Array.from(low),
    n: spread,
  };
  return { facts: { block: 7 }, arrays: { ...arrays, changes: Int32Array.of(1) } };
}

const bits = ({ arrays }: PointBlock) =>
  [arrays.center, arrays.low, arrays.high].map((array) => [...new BigInt64Array(array.slice().buffer)]);

describe("points of reports", () => {
  const measured = fc
    .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.nat({ max: 12 }))
    .map(([whole, digits]) => Number(`${whole}e-${digits}`));
  const any = fc.oneof(
    { weight: 20, arbitrary: measured },
    { weight: 1, arbitrary: fc.double() },
    fc.constantFrom(0, -0, Infinity),
  );

  it("round-trip exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(measured, any)), fc.array(measured, { maxLength: 3 }), (center, low) => {
        const block = blockOf(center, low);
        const found = unpackPoints(packPoints(block));
        expect(found).toEqual(block);
        expect(bits(found)).toEqual(bits(block));
      }),
    );
  });

  it.each([
    ["of a whole number of thousandths", [1.125, -2, 0, 1073741.823, -1073741.823], 4],
    ["with one that has no end", [1.5, 1 / 3], 8],
    ["with a zero below zero", [1.5, -0], 8],
    ["with one that is none", [1.5, Number.NaN], 8],
    ["with one that is too great", [0.001, 1073741.824], 8],
  ])("%s take %d bytes each", (_, values, bytes) => {
    const found = unpackPoints(packPoints(blockOf(values)));
    expect(bits(found)).toEqual(bits(blockOf(values)));
    const others = packPoints(blockOf([1 / 3])).length - 8;
    expect(Math.abs(packPoints(blockOf(values)).length - others - values.length * (bytes + 4))).toBeLessThan(32);
  });

  it("unpacked blocks are read, too", () => {
    expect(unpackPoints(packFrame(blockOf([1.5, 2])))).toEqual(blockOf([1.5, 2]));
  });
});
