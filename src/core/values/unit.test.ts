import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digitsText, scaledText, scaleFor } from "./unit-display.ts";
import { baseUnits, prefixes } from "./base-units.ts";
import {
  conversion,
  convert,
  convertFactor,
  convertInteger,
  divide,
  formatUnit,
  multiply,
  parseUnit,
  power,
  sameDimension,
  type Unit,
} from "./unit.ts";
import { failureText } from "../../../test/contracts/failure-text.ts";

describe("parseUnit", () => {
  test("reads prefix and unit in whole words", () => {
    const written = { milliseconds: "ms", Nanosecond: "ns", kilobytes: "KByte", MebiBytes: "MiByte", gigabits: "Gbit" };
    for (const [word, unit] of Object.entries(written)) expect(formatUnit(parseUnit(word))).toBe(unit);
  });

  test.each([
    ["Byte", "Byte"],
    ["byte", "Byte"],
    ["B", "Byte"],
    ["KiByte", "KiByte"],
    ["kB", "KByte"],
    ["KByte/s", "KByte/s"],
    ["FLOP/s", "FlOP/s"],
    ["GFlOP/s", "GFlOP/s"],
    ["op/s", "OP/s"],
    ["1/s", "1/s"],
    ["m", "m"],
    ["mm", "mm"],
    ["ms", "ms"],
    ["usec", "us"],
    ["\u00b5s", "us"],
    ["K", "K"],
    ["mK", "mK"],
    ["ppm", "ppm"],
    ["mol", "mol"],
    ["cd", "cd"],
    ["%", "%"],
    ["none", ""],
    ["", ""],
    ["s*process", "s*process"],
    ["Byte/(s*process)", "Byte/s/process"],
    ["1/s*Byte", "Byte/s"],
    ["m/s^2", "m/s^2"],
    ["s/s", ""],
  ])("%s is %s", (text, printed) => expect(formatUnit(parseUnit(text))).toBe(printed));

  test("reports the word, the complete unit and similar names", () => {
    expect(failureText(() => parseUnit("Mbtye/s"))).toContain(
      "unknown unit 'Mbtye': no such unit, in 'Mbtye/s', did you mean MByte",
    );
  });

  test.each([
    "b",
    "K%",
    "Mnone",
    "Byte/",
    "(s",
    "s)",
    "s^99",
    "/s",
    "s s",
    "^2",
    "1e5",
    "((((((((((((((((((((((((s",
    "s^5*s^5",
  ])("refuses %s", (text) => {
    expect(failureText(() => parseUnit(text))).toContain("unknown unit");
  });
});

describe("conversion", () => {
  test("is exact for powers of ten or two", () => {
    expect(convert(5, conversion(parseUnit("us"), parseUnit("s")))).toBe(5e-6);
    expect(convert(3, conversion(parseUnit("KiByte"), parseUnit("Byte")))).toBe(3072);
    expect(convertFactor(parseUnit("MiByte/s"), parseUnit("KiByte/ms"))).toBe(1.024);
    expect(convertFactor(parseUnit("Byte"), parseUnit("bit"))).toBe(8);
    expect(convertFactor(parseUnit("h"), parseUnit("s"))).toBe(3600);
    expect(convertFactor(parseUnit("%"), parseUnit(""))).toBe(0.01);
    expect(convertFactor(parseUnit("KHz"), parseUnit("1/ms"))).toBe(1);
  });

  test("reports both units of different dimensions", () => {
    expect(failureText(() => conversion(parseUnit("Byte/s"), parseUnit("s")))).toBe(
      "cannot convert Byte/s to s: they measure different things",
    );
    expect(failureText(() => conversion(parseUnit("OP"), parseUnit("")))).toContain("OP to no unit");
  });
});

test.each([
  [0.0025, "s", "ms"],
  [4096, "Byte", "KiByte"],
  [4_000_000, "KByte", "GByte"],
  [2e9, "FlOP/s", "GFlOP/s"],
  [90_000, "s", "s"],
  [0.5, "%", "%"],
  [0, "Byte", "Byte"],
  [5e-15, "s", "fs"],
  [1e-30, "ms", "s"],
  [1e308, "KByte", "Byte"],
])("%d %s reads best in %s", (value, unit, best) => expect(formatUnit(scaleFor(value, parseUnit(unit)))).toBe(best));

test("texts of numbers have four significant digits, and all digits of counts", () => {
  const texts = [76_985, -76_985, 76_985.4, 0.0932101, 9.99999, 1e15 + 0.5, 2 ** 60, Number.NaN].map(digitsText);
  expect(texts).toEqual(["76985", "-76985", "76985", "0.09321", "10", "1.000e+15", "1.153e+18", "NaN"]);
  const text = (value: number, unit: string): string => scaledText(value, parseUnit(unit));
  expect(text(10_485_760.2, "Byte")).toBe("10 MiByte");
  expect(text(-0.0123456, "s")).toBe("-12.35 ms");
  expect(text(123_456, "")).toBe("123456");
  expect(text(Number.NaN, "Byte")).toBe("NaN Byte");
  expect(scaledText(0, undefined)).toBe("0");
});

const scalable = baseUnits.filter((unit) => !["none", "%", "ppm"].includes(unit.name));
const factor = fc.record({
  base: fc.constantFrom(...scalable.map((unit) => unit.name)),
  prefix: fc.constantFrom("", ...prefixes.map((prefix) => prefix.name)),
  exponent: fc.integer({ min: 1, max: 2 }),
});
const unit: fc.Arbitrary<Unit> = fc.array(fc.tuple(factor, fc.boolean()), { maxLength: 2 }).map((list) =>
  list.reduce<Unit>((whole, [next, above]) => (above ? multiply : divide)(whole, { factors: [next] }), {
    factors: [],
  }),
);

describe("unit algebra", () => {
  test("parse(format(u)) = u", () =>
    fc.assert(
      fc.property(unit, (u) => {
        expect(formatUnit(parseUnit(formatUnit(u)))).toBe(formatUnit(u));
        expect(parseUnit(formatUnit(u))).toEqual(u);
      }),
    ));
  test("multiplication commutes in dimension and undoes division", () =>
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        expect(sameDimension(multiply(a, b), multiply(b, a))).toBe(true);
        expect(sameDimension(divide(multiply(a, b), b), a)).toBe(true);
        expect(convertFactor(divide(multiply(a, b), b), a)).toBeCloseTo(1, 9);
      }),
    ));
  test("power is repeated multiplication", () =>
    fc.assert(
      fc.property(unit, (u) => {
        expect(multiply(u, u)).toEqual(power(u, 2));
      }),
    ));
  test("converting back returns the same number", () =>
    fc.assert(
      fc.property(unit, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (u, x) => {
        const plain = { factors: u.factors.map((f) => ({ ...f, prefix: "" })) };
        const back = convert(convert(x, conversion(u, plain)), conversion(plain, u));
        expect(Math.abs(back - x) / x).toBeLessThan(1e-12);
      }),
    ));
});

describe("convertInteger", () => {
  const whole = (value: number, from: string, to: string) =>
    convertInteger(value, conversion(parseUnit(from), parseUnit(to)));
  test.each([
    [2.01, "GByte", "Byte", 2_010_000_000],
    [1.001, "MByte", "Byte", 1_001_000],
    [23_662_704, "KiByte", "MiByte", undefined],
    [2048, "KiByte", "MiByte", 2],
    [2 ** 53 - 1, "bit", "Byte", undefined],
    [0.3, "bit", "Byte", undefined],
    [-0, "bit", "Byte", 0],
    [Number.NaN, "bit", "Byte", undefined],
  ])("%d %s in %s", (value, from, to, expected) => expect(whole(value, from, to)).toBe(expected));
});
