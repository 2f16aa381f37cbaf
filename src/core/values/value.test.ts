import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../failures/failure.ts";
import { InvalidValue } from "./invalid-value.ts";
import { compareValues, formatValue, parseValue, readValue, type DataType, type Value } from "./value.ts";

const utc = (text: string): number => Date.parse(text) * 1000;

describe("readValue", () => {
  test.each<[DataType, string, Value]>([
    ["integer", "42", 42],
    ["integer", "-0", 0],
    ["integer", "+7", 7],
    ["integer", "007", 7],
    ["integer", "9007199254740993", 9007199254740993n],
    ["integer", "-9223372036854775808", -9223372036854775808n],
    ["float", "4.20", 4.2],
    ["float", ".5", 0.5],
    ["float", "5.", 5],
    ["float", "-1e-3", -0.001],
    ["float", "nan", Number.NaN],
    ["float", "-Inf", Number.NEGATIVE_INFINITY],
    ["string", "", ""],
    ["boolean", "Yes", true],
    ["boolean", "f", false],
    ["date", "1970-01-02", 1],
    ["date", "29.02.2000", 11016],
    ["date", "2002/6/30", 11868],
    ["date", "30 Jun 2002", 11868],
    ["timeofday", "18:30", 66600],
    ["timeofday", "00:00:01.25", 1.25],
    ["duration", "1:02:03.5", 3723.5],
    ["duration", "2 days", 172800],
    ["duration", "1 day 0:00:01", 86401],
    ["duration", "-0:01", -60],
    ["duration", "12.5", 12.5],
    ["timestamp", "2004-11-23T18:30:30Z", utc("2004-11-23T18:30:30Z")],
    ["timestamp", "2004-11-23 18:30:30.123456+01:00", utc("2004-11-23T17:30:30.123Z") + 456],
    ["timestamp", "23.11.2004 18:30", utc("2004-11-23T18:30:00Z")],
    ["timestamp", "Sun Jun 30 12:15:58 2002", utc("2002-06-30T12:15:58Z")],
    ["timestamp", "Tue Nov  2 18:30:30 UTC 2004", utc("2004-11-02T18:30:30Z")],
    ["timestamp", "Tue, 23 Nov 2004 18:30:30 +0100", utc("2004-11-23T17:30:30Z")],
    ["timestamp", "2004-11-23", utc("2004-11-23T00:00:00Z")],
    ["timestamp", "@1101234630.5", 1101234630500000],
    ["version", "1.10.2-rc1", "1.10.2-rc1"],
    ["binary", "AAE=", "AAE="],
  ])("%s %s", (type, text, value) => expect(readValue(text, type)).toEqual(value));

  test.each<[DataType, string]>([
    ["integer", ""],
    ["integer", " 1"],
    ["integer", "0x10"],
    ["integer", "1.0"],
    ["integer", "1e3"],
    ["integer", "9223372036854775808"],
    ["integer", "9".repeat(100000)],
    ["float", ""],
    ["float", "1.5abc"],
    ["float", "1e400"],
    ["float", "0x1p3"],
    ["float", "1_000"],
    ["float", "1,5"],
    ["boolean", "maybe"],
    ["date", "2001-02-29"],
    ["date", "2001-13-01"],
    ["date", "0000-01-01"],
    ["date", "31 Foo 2001"],
    ["timeofday", "24:00"],
    ["timeofday", "noon"],
    ["timestamp", "yesterday"],
    ["timestamp", "2004-11-23 18:30 +19:00"],
    ["timestamp", "2004-11-23 18:30 CEST"],
    ["timestamp", "9999-01-01"],
    ["duration", "1:99"],
    ["duration", "inf"],
    ["version", "latest"],
    ["version", "1..2"],
    ["version", `1${"a".repeat(90)}!`],
    ["version", "1.".repeat(80)],
    ["timestamp", " ".repeat(1_000_000)],
    ["float", `${"1".repeat(1_000_000)}x`],
    ["binary", "AA"],
  ])("%s refuses %s", (type, text) => expect(readValue(text, type)).toBeInstanceOf(InvalidValue));

  test("takes the size into account", () => {
    expect(readValue("32767", "integer", 2)).toBe(32767);
    expect(readValue("32768", "integer", 2)).toBeInstanceOf(InvalidValue);
    expect(readValue("-2147483649", "integer", 4)).toBeInstanceOf(InvalidValue);
  });
});

test("parseValue reports the variable, the value and the location", () => {
  try {
    parseValue("fast", { name: "B_read", type: "float" }, "out.txt:7");
    expect.unreachable();
  } catch (error) {
    expect(isFailure(error, "bad-content") && error.message).toBe(
      "'fast' is no value for 'B_read' (float): it is no number, at out.txt:7",
    );
  }
});

describe("readValue inverts formatValue", () => {
  const day = 86_400;
  const values: [DataType, fc.Arbitrary<Value>][] = [
    ["integer", fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }))],
    ["float", fc.double()],
    ["string", fc.string({ unit: "binary" })],
    ["date", fc.integer({ min: -100_000, max: 100_000 })],
    ["timeofday", fc.integer({ min: 0, max: day * 1_000_000 - 1 }).map((us) => Number((us / 1_000_000).toFixed(6)))],
    [
      "duration",
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.integer().map((n) => n / 1000),
      ),
    ],
    ["timestamp", fc.maxSafeInteger()],
    ["boolean", fc.boolean()],
  ];
  test.each(values)("%s", (type, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        const back = readValue(formatValue(value, type), type);
        if (typeof value === "number") expect((back as number) + 0).toBe(value + 0);
        else expect(back).toBe(value);
      }),
    );
  });
});

describe("compareValues", () => {
  test("orders versions by component", () => {
    const versions = ["1.10", "1.9", "2.0-rc1", "2.0", "1.9.1", "1.9a", "1.10.0"];
    expect(versions.sort((a, b) => compareValues(a, b, "version"))).toEqual([
      "1.9",
      "1.9a",
      "1.9.1",
      "1.10",
      "1.10.0",
      "2.0-rc1",
      "2.0",
    ]);
  });
  test("null first, NaN last, bigint among numbers", () => {
    const numbers: Value[] = [Number.NaN, 2n ** 60n, null, 3, -1];
    expect(numbers.sort((a, b) => compareValues(a, b, "float"))).toEqual([null, -1, 3, 2n ** 60n, Number.NaN]);
  });
  test("text by code point", () => {
    expect(compareValues("\u{1f600}", "\uffff", "string")).toBe(1);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const order = compareValues(a, b, "string");
        expect(order + 0).toBe(-compareValues(b, a, "string") + 0);
        expect(order === 0).toBe(a === b);
        const points = [a, b].map((text) => Array.from(text, (c) => c.codePointAt(0) ?? 0));
        const at = (points[0] ?? []).findIndex((point, i) => point !== points[1]?.[i]);
        if (at >= 0) expect(order).toBe(Math.sign((points[0]?.[at] ?? 0) - (points[1]?.[at] ?? -1)));
      }),
    );
  });
});
