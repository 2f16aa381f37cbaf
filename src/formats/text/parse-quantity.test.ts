import fc from "fast-check";
import { expect, test } from "vitest";
import { prefixedNumber, printedNumber, printedSeconds, scaledNumber, shiftedText } from "./parse-quantity.ts";

test("numbers printed for people", () => {
  expect(["1,234,567.5", "0.5", ".5", "3.", "-2e3", "+7"].map(printedNumber)).toEqual([
    1234567.5, 0.5, 0.5, 3, -2000, 7,
  ]);
  for (const text of ["", "-", "NaN", "1e999", "0x10", "1 2", ",5", "Infinity"]) expect(printedNumber(text)).toBeNaN();
});

test("durations are in seconds, correctly rounded", () => {
  const all = (["ps", "ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h"] as const).map((unit) =>
    printedSeconds("3", unit),
  );
  expect(all).toEqual([3e-12, 3e-9, 3e-6, 3e-6, 3e-6, 3e-3, 3, 180, 10_800]);
  expect([printedSeconds("108.6", "ns"), printedSeconds("1,108.6e2", "us")]).toEqual([1.086e-7, 0.11086]);
  expect(printedSeconds("3", "parsec")).toBeNaN();
  expect(printedSeconds("x", "s")).toBeNaN();
});

test("prefixes are decimal or binary", () => {
  expect([
    prefixedNumber("2.5", "k"),
    prefixedNumber("2", "Mi"),
    prefixedNumber("7", ""),
    prefixedNumber("1", "G"),
  ]).toEqual([2500, 2 * 1024 ** 2, 7, 1e9]);
  for (const prefix of ["x", "i", "kk", "Kib"]) expect(prefixedNumber("1", prefix)).toBeNaN();
});

test("shifting keeps the digits of a number", () => {
  const shifted = [1.679e-7, 2e-7, 1e306, -0.5, 0, 123456, 1e-300, 1.5e21].map((value) => shiftedText(value, 9));
  expect(shifted).toEqual(["167.9", "200", "1e315", "-500000000", "0", "123456000000000", "1e-291", "1.5e30"]);
  expect([198710000, 1, 0.1].map((value) => shiftedText(value, -6))).toEqual(["198.71", "0.000001", "0.0000001"]);
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -12, max: 12 }),
      (value, exponent) => {
        expect(scaledNumber(shiftedText(value, exponent), -exponent)).toBe(value + 0);
      },
    ),
    { numRuns: 2000 },
  );
});
