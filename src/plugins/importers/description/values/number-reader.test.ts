import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baseUnits, InvalidValue, parseUnit, prefixes } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { Cut } from "../../../../formats/descriptions/index.ts";
import { UnfitNumber } from "./unfit-number.ts";
import { ValueReader, type ReadValue } from "../value-reader.ts";

const variable = (unit?: string, type: Variable["type"] = "float"): Variable => ({
  name: "x",
  role: "result",
  occurrence: "multiple",
  type,
  ...(unit === undefined ? {} : { unit: parseUnit(unit) }),
});

const read = (text: string, unit?: string, cut: Cut = {}): ReadValue => new ValueReader(variable(unit), cut).read(text);

const problemOf = (value: ReadValue): string =>
  value instanceof InvalidValue ? value.problem : `no problem: ${String(value)}`;

/** Relative error 1e-12. */
function expectNear(value: ReadValue, expected: number): void {
  expect(typeof value === "number" ? value / expected : value).toBeCloseTo(1, 12);
}

describe("units after numbers", () => {
  const named = baseUnits.filter(({ dimension }) => Object.keys(dimension).length > 0);
  const spaces = fc.constantFrom("", " ", "  ", "\t", " \t ");
  const around = fc.constantFrom(["", ""], ["", ","], ["(", ")"], ["", "."], ["[", "]"]);

  test("every unit converts with every spacing", () => {
    const scalable = named.filter(({ display }) => display !== "none");
    const units = fc.oneof(
      fc.record({ base: fc.constantFrom(...named), prefix: fc.constant(undefined) }),
      fc.record({ base: fc.constantFrom(...scalable), prefix: fc.constantFrom(...prefixes) }),
    );
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 9999 }), spaces, ({ base, prefix }, number, space) => {
        const spellings = [base.name, ...base.spellings];
        for (const spelling of spellings) {
          const word = `${prefix?.name ?? ""}${spelling}`;
          const { times, over } = prefix ?? { times: 1, over: 1 };
          const expected = (number * times) / over;
          // A capital K is a kelvin, and the shortest words are read as units without a prefix.
          if (parseUnit(word).factors[0]?.base !== base.name) continue;
          expectNear(read(`${number}${space}${word}`, base.name), expected);
          expectNear(read(`${number}${space}${word}/s`, `${base.name}/s`), expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("punctuation around number and unit does not matter", () => {
    fc.assert(
      fc.property(spaces, around, (space, [before = "", after = ""]) => {
        expect(read(`5${space || " "}${before}KByte/s${after === "." ? "" : after}`, "MByte/s")).toBe(0.005);
      }),
    );
  });

  test.each([
    ["5KByte/s", "MByte/s", 0.005],
    ["5 KByte/s", "MByte/s", 0.005],
    ["7 GByte/s", "MByte/s", 7000],
    ["5 sec", "ms", 5000],
    ["3 min", "s", 180],
    ["2 minutes later", "s", 120],
    ["5 ms", "s", 0.005],
    ["5 (ms)", "s", 0.005],
    ["1.5 GFLOPS", "MFlOP/s", 1500],
    ["8 Mbps", "MByte/s", 1],
    ["8 MBps", "MByte/s", 8],
    ["5 furlong", "s", 5],
    ["5 a day", "s", 5],
    ["5 A", "s", 5],
    ["5 of them", "s", 5],
    ["5 ms", undefined, 5],
    ["5, ms", "s", 5],
    ["0.05 MiB: 256", "s", 0.05],
    ["0.05 MiB = 256", "s", 0.05],
    ["5 ms: 3", "s", 0.005],
  ])("%s in %s", (text, unit, value) => expect(read(text, unit)).toBe(value));

  test.each([
    ["7 ms", "MByte/s", "'ms' does not convert to MByte/s"],
    ["7 Mb/s", "MByte/s", "'Mb/s' does not convert"],
    ["7 GB/S", "MByte/s", "'GB/S' does not convert"],
    ["7 frames/sec", "MByte/s", "'frames/sec' does not convert"],
    ["7 Pa", "s", "'Pa' is an uncommon unit"],
    ["7 min 8 max", "s", "a minute or a minimum"],
    ["7 %", "s", "'%' does not convert"],
    ["7 k", "s", "'k' does not convert"],
    ["7 MiB: done", "s", "'MiB' does not convert"],
  ])("%s is refused in %s", (text, unit, problem) => expect(problemOf(read(text, unit))).toContain(problem));

  test("a factor states the unit, and a given unit is for numbers without one", () => {
    expectNear(read("5 us", "s", { scale: 1e-6 }), 5e-6);
    expect(read("5 ns", "s", { unit: parseUnit("us") })).toBe(5e-9);
    expect(read("5 rows", "s", { unit: parseUnit("us") })).toBe(5e-6);
    expect(read("5 ms", "s", { unit: "text" })).toBe(5e-3);
    expect(read("5", "s", { unit: "text" })).toBeUndefined();
  });

  test("the value before a mark has its unit", () => {
    const last = (text: string): ReadValue => new ValueReader(variable("s"), {}).readLast(text);
    expect(last("took about 5 ms")).toBe(0.005);
    expect(last("took about 5")).toBe(5);
    expect(last("took 5 long")).toBeUndefined();
  });

  test("integers that are none in their unit are refused", () => {
    const whole = new ValueReader(variable("KByte", "integer"), {});
    expect(whole.read("2 MByte")).toBe(2000);
    expect(whole.read("2 Byte")).toBeInstanceOf(UnfitNumber);
  });
});

describe("prefixes after numbers", () => {
  test.each([
    ["4k", "Byte", "decimal", 4000],
    ["4k", "Byte", "binary", 4096],
    ["4 K", "Byte", "binary", 4096],
    ["4 Ki", "Byte", undefined, 4096],
    ["4M", "MByte", "decimal", 4],
    ["4M", undefined, "binary", 4_194_304],
    ["4 M", undefined, "decimal", 4_000_000],
    ["1.5k", "OP/s", undefined, 1500],
    ["1.5G", "MFlOP/s", undefined, 1500],
    ["2k", "1/s", undefined, 2000],
    ["5K", "K", undefined, 5],
  ] as const)("%s in %s, %s", (text, unit, given, value) =>
    expect(read(text, unit, given === undefined ? {} : { prefixes: given })).toBe(value),
  );

  test.each([
    ["4k", "Byte"],
    ["4 M", "MByte/s"],
    ["4k", undefined],
  ])("%s is 1000-based or 1024-based in %s", (text, unit) =>
    expect(problemOf(read(text, unit))).toContain("give prefixes="),
  );

  test.each(["4x", "4kk", "4ko"])("%s is no number", (text) => expect(read(text)).toBeUndefined());
});

describe("notations of numbers", () => {
  test.each<[string, Cut, number]>([
    ["1.5D+03", {}, 1500],
    ["1.5d3", {}, 1500],
    ["-1D-2", {}, -0.01],
    ["1.234,5", { decimal: ",", thousands: "." }, 1234.5],
    ["1,5", { decimal: "," }, 1.5],
    ["1,234,567.25", { thousands: "," }, 1_234_567.25],
    ["1234567.25", { thousands: "," }, 1_234_567.25],
    ["1'234'567", { thousands: "'" }, 1_234_567],
    ["1 234 567 rest", { thousands: " " }, 1_234_567],
    ["1\u202f234\u00a0567,5 x", { thousands: "\u00a0", decimal: "," }, 1_234_567.5],
    ["12 345", { thousands: "\u00a0" }, 12],
    ["1,234 KByte", { thousands: "," }, 1234],
  ])("%s", (text, cut, value) => expect(read(text, undefined, cut)).toBe(value));

  test.each<[string, Cut]>([
    ["1,5", {}],
    ["1,234", {}],
    ["1.5", { decimal: ",", thousands: "." }],
    ["1.2345", { decimal: ",", thousands: "." }],
    ["1,23,456", { thousands: "," }],
    ["1,2345", { thousands: "," }],
    ["5D", {}],
    ["1.5D+", {}],
  ])("%s is no number by %o", (text, cut) => expect(read(text, undefined, cut)).toBeUndefined());

  test("numbers printed in a notation are read back", () => {
    const notations = fc.constantFrom<["." | ",", string]>(
      [".", ","],
      [",", "."],
      [",", " "],
      [".", "'"],
      [".", "_"],
      [",", "\u00a0"],
    );
    fc.assert(
      fc.property(notations, fc.integer({ min: -1e12, max: 1e12 }), fc.nat(999), ([decimal, sign], whole, part) => {
        const groups = String(Math.abs(whole)).replaceAll(/\B(?=(?:\d{3})+$)/g, sign);
        const text = `${whole < 0 ? "-" : ""}${groups}${decimal}${String(part).padStart(3, "0")}`;
        const cut = { decimal, thousands: sign };
        expect(read(text, undefined, cut)).toBe(Number(`${whole}.${String(part).padStart(3, "0")}`));
      }),
    );
  });
});

describe("times", () => {
  const reader = (type: Variable["type"], cut: Cut = {}): ValueReader =>
    new ValueReader(variable(undefined, type), cut);

  test.each<[Variable["type"], string, Cut, number]>([
    ["timeofday", "01:00:01 PM", {}, 46_801],
    ["timeofday", "12:00:01.000001 next", {}, 43_201.000001],
    ["timeofday", "2024-04-03 12:00:01", {}, 43_201],
    ["timeofday", "12:00 CEST", { format: "%H:%M CEST" }, 43_200],
    ["date", "March 28, 2021 was", {}, 18_714],
    ["date", "2021-03-28 23:30:00 -0500", {}, 18_714],
    ["date", "03/28/2021", { format: "%m/%d/%Y" }, 18_714],
    ["timestamp", "2021-03-28 02:00:00", { zone: "CET" }, Date.UTC(2021, 2, 28, 1) * 1000],
    ["timestamp", "2021-03-28 02:00:00 UTC", { zone: "CET" }, Date.UTC(2021, 2, 28, 2) * 1000],
    ["timestamp", "[2021-03-28 02:00:00] x", {}, Date.UTC(2021, 2, 28, 2) * 1000],
    ["duration", "1 day, 2:03:04", {}, 93_784],
    ["duration", "0m3.5s", {}, 3.5],
    ["duration", "12 ms", {}, 0.012],
    ["duration", "1-02:03:04", {}, 93_784],
    ["duration", "2 h and 5 min late", {}, 7500],
    ["duration", "-0:00:01", {}, -1],
    ["duration", "1:02.5", {}, 62.5],
    ["duration", "5 [ms]", {}, 0.005],
    ["duration", "2 weeks", {}, 1_209_600],
    ["timestamp", "Sun Mar 28 02:00:00 2021 +0200 x", {}, Date.UTC(2021, 2, 28, 0) * 1000],
    ["timestamp", "2021-03-28 120000", {}, Date.UTC(2021, 2, 28) * 1000],
    ["duration", "7 rows", {}, 7],
  ])("%s %s", (type, text, cut, value) => expect(reader(type, cut).read(text)).toBe(value));

  test.each<[Variable["type"], string, Cut, string]>([
    ["timestamp", "12:00:01", {}, "it has no date"],
    ["timestamp", "2021-03-28 t 12:00:01", {}, "not next to its date"],
    ["timeofday", "12:00:01 CEST", {}, "no zone"],
    ["timeofday", "2021-03-28", {}, "no time of day"],
    ["date", "12:00:01", {}, "no date"],
    ["date", "2021-03-28x", { format: "%Y-%m-%d" }, "not in the format"],
    ["timestamp", "2021-03-28 12:00:01,5", { format: "%F %T" }, "',5' after it"],
    ["timestamp", "20210328 120001", {}, "may be its time of day"],
    ["timestamp", "2021-03-28 12-00-01", {}, "may be its time of day"],
    ["timestamp", "2021-03-28 12.00.01", {}, "may be its time of day"],
    ["timestamp", "2021-03-28 12h00", {}, "may be its time of day"],
    ["timestamp", "Sun Mar 28 02:00:00 CEST 2021 +0200", {}, "two zones"],
    ["duration", "1:02", {}, "h:mm or m:ss"],
    ["duration", "3 years", {}, "no fixed length"],
    ["duration", "5,7", {}, "no duration"],
    ["duration", "1:99", {}, "no duration"],
  ])("%s %s is refused", (type, text, cut, problem) =>
    expect(problemOf(reader(type, cut).read(text))).toContain(problem),
  );

  test("complete texts have nothing else", () => {
    expect(reader("date").readField("2021-03-28.")).toBe(18_714);
    expect(problemOf(reader("date").readField("2021-03-28 or so"))).toContain("'or so' after it");
    expect(reader("timestamp").readLast("at 2021-03-28 02:00:00")).toBe(Date.UTC(2021, 2, 28, 2) * 1000);
  });
});
