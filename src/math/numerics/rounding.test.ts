import { expect, it } from "vitest";
import { roundToEven } from "./rounding.ts";

// Answers of Python 3.11.
it.each([
  [0.125, 2, 0.12],
  [0.375, 2, 0.38],
  [-0.125, 2, -0.12],
  [2.675, 2, 2.67],
  [1.005, 2, 1],
  [2.5, 0, 2],
  [3.5, 0, 4],
  [24745.7649, 2, 24745.76],
  [1.166132210941641e16, 2, 1.166132210941641e16],
  [0, 2, 0],
  [Number.POSITIVE_INFINITY, 2, Number.POSITIVE_INFINITY],
  [Number.NaN, 2, Number.NaN],
  [1e-9, 2, 0],
  // Ties with more digits than a double.
  [2 ** 40 + 2 ** -11, 10, 1099511627776.000488281],
  [1125899906842623.625, 2, 1125899906842623.62],
])("round(%d, %i) is %d", (value, digits, rounded) => expect(roundToEven(value, digits)).toBe(rounded));
