import fc from "fast-check";
import { expect, test } from "vitest";
import { generalFormat, oneDecimal } from "./printf-number.ts";

// Known answers of Python's format(x, "g").
test.each([
  [0, "0"],
  [-0, "-0"],
  [1, "1"],
  [100000, "100000"],
  [999999.5, "1e+06"],
  [1e6, "1e+06"],
  [123456.5, "123456"],
  [123457.5, "123458"],
  [100000.5, "100000"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [-1.5e-7, "-1.5e-07"],
  [1e100, "1e+100"],
  [0.1 + 0.2, "0.3"],
  [4.470333083749964e-7, "4.47033e-07"],
  [Number.NaN, "nan"],
  [-Infinity, "-inf"],
])("prints %d as %s", (value, text) => {
  expect(generalFormat(value)).toBe(text);
});

test.each([
  [1.25, "1.2"],
  [1.75, "1.8"],
  [9.96, "10.0"],
  [999.95, "1000.0"],
  [1023.95, "1024.0"],
  [1, "1.0"],
  [10, "10.0"],
])("prints %d with one decimal as %s", (value, text) => {
  expect(oneDecimal(value)).toBe(text);
});

test("is the nearest number of six digits", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const nearest = Number(value.toPrecision(6));
      const printed = Number(generalFormat(value));
      expect(printed === nearest || Math.abs(printed - value) === Math.abs(nearest - value)).toBe(true);
    }),
  );
});
