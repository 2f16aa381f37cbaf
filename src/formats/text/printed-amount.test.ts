import { expect, test } from "vitest";
import { prefixedNumber, printedNumber, printedSeconds } from "./printed-amount.ts";

test("numbers are what programs print for people", () => {
  expect(["1,234,567.5", "0.5", ".5", "3.", "-2e3", "+7"].map(printedNumber)).toEqual([1234567.5, 0.5, 0.5, 3, -2000, 7]);
  for (const text of ["", "-", "NaN", "1e999", "0x10", "1 2", ",5", "Infinity"]) expect(printedNumber(text)).toBeNaN();
});

test("times are in seconds, to the nearest number", () => {
  const all = (["ps", "ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h"] as const).map((unit) => printedSeconds("3", unit));
  expect(all).toEqual([3e-12, 3e-9, 3e-6, 3e-6, 3e-6, 3e-3, 3, 180, 10_800]);
  expect([printedSeconds("108.6", "ns"), printedSeconds("1,108.6e2", "us")]).toEqual([1.086e-7, 0.11086]);
  expect(printedSeconds("3", "parsec")).toBeNaN();
  expect(printedSeconds("x", "s")).toBeNaN();
});

test("prefixes are of thousands or of 1024", () => {
  expect([prefixedNumber("2.5", "k"), prefixedNumber("2", "Mi"), prefixedNumber("7", ""), prefixedNumber("1", "G")]).toEqual([
    2500,
    2 * 1024 ** 2,
    7,
    1e9,
  ]);
  for (const prefix of ["x", "i", "kk", "Kib"]) expect(prefixedNumber("1", prefix)).toBeNaN();
});
