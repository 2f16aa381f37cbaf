import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import type { SubjectThreshold } from "../../core/verdicts/thresholds.ts";
import { decodeThresholds, encodeThresholds } from "./thresholds.ts";
import { readYaml } from "../text/yaml.ts";

const share = fc.double({ min: 0, max: 100, noNaN: true }).map((value) => Number(value.toPrecision(3)));
const entry: fc.Arbitrary<SubjectThreshold> = fc.record({
  key: fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
  method: fc.constantFrom("ensemble", "e-divisive", "my_own.1"),
  level: fc.option(fc.constantFrom(0.5, 0.002, 0.00001, 1e-12), { nil: null }),
  minEffect: share.filter((value) => value === 0 || value > 1e-9),
  compareMinEffect: fc.option(fc.constantFrom(0, 0.0321, 3), { nil: null }),
});
const entries = fc.uniqueArray(entry, { maxLength: 6, selector: ({ key }) => key });

test("entries round-trip, sorted by key", () => {
  fc.assert(
    fc.property(entries, (all) => {
      const read = decodeThresholds(encodeThresholds(all), "f");
      expect(read).toEqual(all.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
    }),
  );
});

test("it is YAML", () => {
  const text = encodeThresholds([
    { key: 'a "b"\u202e', method: "ensemble", level: 0.00001, minEffect: 0.012, compareMinEffect: null },
  ]);
  expect(text).toMatch(
    /^# Thresholds[^]*\n\n"a \\"b\\"\\u202e":\n {2}method: ensemble\n {2}level: 0.00001\n {2}min-effect: 0.012\n$/,
  );
  const known = new Map([
    [
      'a "b"\u202e',
      new Map<string, unknown>(Object.entries({ method: "ensemble", level: 0.00001, "min-effect": 0.012 })),
    ],
  ]);
  expect(readYaml(text, "f")).toEqual(known);
});

test.each([
  ["a:\n", "f:1: a subject key must precede the first field"],
  ['"a"\n  method: b', "f:1: an entry begins"],
  ['"":\n', "f:1: an entry begins"],
  ['"a\\q":\n', "f:1: an entry begins"],
  ['"a":\n  method: ensemble\n', "f:1: the entry lacks min-effect"],
  ['# c\n\n"a":\n  min-effect: 0.1\n', "f:3: the entry lacks method"],
  ['"a":\n  mehtod: x\n', "f:2: unknown field 'mehtod'"],
  ['"a":\n  level: 0.1\n  level: 0.1\n', "f:3: the entry has level twice"],
  ['"a":\n  level: 0.9\n', "f:2: level is a number from 1e-12 to 0.5, not '0.9'"],
  ['"a":\n  level: 0\n', "f:2: level is a number"],
  ['"a":\n  min-effect: nan\n', "f:2: min-effect is a number"],
  ['"a":\n  min-effect: -1\n', "f:2: min-effect is a number"],
  ['"a":\n  min-effect: [1]\n', "f:2: min-effect is a number"],
  ['"a":\n  method: {a}\n', "f:2: method is the name"],
  ['"a":\n\tmethod: a\n', "f:2: a field is two blanks"],
  [
    '"a":\n  method: a\n  min-effect: 1\n"b":\n  method: a\n  min-effect: 1\n"a":\n  method: a\n  min-effect: 2\n',
    "f:7: duplicate key, see line 1",
  ],
  ['"a":\n<<<<<<< HEAD\n  method: a\n', "f:2: unresolved git conflict"],
])("%j is refused at its line", (text, message) => {
  expect(() => decodeThresholds(text, "f")).toThrow(message);
});

test("any text is read or refused with a line number", () => {
  const bits = fc.constantFrom(
    '"',
    '"a":',
    "\n",
    "  ",
    "level:",
    "method:",
    " 0.1",
    " x",
    "#",
    "\\",
    "=======",
    "\r\n",
    "\uFEFF",
    "1e999",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 14 }), (parts) => {
      try {
        decodeThresholds(parts.join(""), "f");
      } catch (error) {
        expect(isFailure(error, "bad-threshold") && error.message).toMatch(/^f:\d+: ./);
      }
    }),
    { numRuns: 500 },
  );
});

test("git merges changes of different entries", () => {
  const [a, b] = ["a", "b"].map((key) => ({
    key,
    method: "ensemble",
    level: 0.001,
    minEffect: 0.01,
    compareMinEffect: null,
  }));
  const lines = encodeThresholds([a!, b!]).split("\n");
  expect(lines.filter((line) => line === "")).toHaveLength(3);
  expect(lines.indexOf('"b":') - lines.indexOf('"a":')).toBe(5);
});
