import { describe, expect, test } from "vitest";
import type { Figure } from "../figures/figure.ts";
import { packFrame, unpackFrame } from "./frame.ts";
import { packValue, unpackValue } from "./packed-value.ts";

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

  test("a figure arrives as it was, with its arrays", () => {
    expect(unpackValue(packValue(figure))).toEqual(figure);
  });

  test("values without arrays arrive as they were", () => {
    for (const value of [null, 1, "x", [], [null, { a: [true] }]]) expect(unpackValue(packValue(value))).toEqual(value);
  });

  test("arrays lie at multiples of eight, whatever the length of what is before them", () => {
    for (const text of ["", "x", "xx", "xxxx", "é".repeat(13)]) {
      const frame = {
        facts: { text },
        arrays: { small: Uint8Array.of(1, 2, 3), whole: Int32Array.of(-7), real: Float64Array.of(0.1) },
      };
      expect(unpackFrame(packFrame(frame))).toEqual(frame);
    }
  });
});
