import fc from "fast-check";
import { expect, test } from "vitest";
import { lossOf } from "../../core/values/index.ts";
import { floatOf, integerOf } from "./number-bytes.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const float = (text: string): number => floatOf(bytes(` ${text} `), 1, bytes(text).length + 1);
const integer = (text: string): number => integerOf(bytes(` ${text} `), 1, bytes(text).length + 1);

test("floats equal those of Number() to the last bit", () => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  const text = fc.tuple(
    fc.constantFrom("", "-", "+"),
    digits,
    fc.option(digits),
    fc.option(fc.integer({ min: -330, max: 300 })),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        text.map(([sign, a, b, e]) => `${sign}${a}${b === null ? "" : `.${b}`}${e === null ? "" : `e${e}`}`),
      ),
      (each) => {
        const expected = Number(each);
        if (Number.isFinite(expected) && lossOf(each, expected) === undefined) expect(float(each)).toBe(expected);
        else expect(float(each)).toBeNaN();
      },
    ),
    { numRuns: 2000 },
  );
});

test("floats next to the middle of two doubles round like Number()", () => {
  const between = fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }).map((mantissa) => (2n * mantissa + 1n) * 500n);
  fc.assert(
    fc.property(
      between,
      fc.integer({ min: -1, max: 1 }),
      fc.integer({ min: -45, max: 45 }),
      (middle, off, exponent) => {
        const text = `${middle + BigInt(off)}e${exponent}`;
        expect(float(text)).toBe(Number(text));
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  "",
  "-",
  ".",
  "1.5abc",
  "0x10",
  "1,5",
  "nan",
  "inf",
  "1e",
  "1e400",
  "1e-400",
  "--1",
  "1.2.3",
  "1".repeat(500),
])("%j is not a float", (text) => {
  expect(float(text)).toBeNaN();
});
test.each(["9007199254740993", "-1234567890123456789", "12345678901234567890123"])(
  "%s has more digits than a float",
  (text) => expect(float(text)).toBeNaN(),
);
test.each([
  ["9007199254740994", 2 ** 53 + 2],
  ["5.", 5],
  [".5", 0.5],
  ["+1", 1],
  ["-0.0", -0],
])("%s", (text, value) => expect(float(text)).toBe(value));

test("integers up to 15 digits", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }), (value) => {
      expect(integer(String(value))).toBe(value);
    }),
  );
  expect(integer("-0")).toBe(0);
  for (const text of ["", "-", "1.0", "1e3", "1234567890123456", "a"]) expect(integer(text)).toBeNaN();
});
