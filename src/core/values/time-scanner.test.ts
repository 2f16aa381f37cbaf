import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidValue } from "./invalid-value.ts";
import { scanTime, type ScannedTime } from "./time-scanner.ts";
import { timeFormat } from "./time-format.ts";
import { fieldsOf, instants, timeSpellings as spellings, type Fields } from "../../../test/cases/time-spellings.ts";

function microsecondsOf({ days, clock, zone }: ScannedTime): number {
  return (days ?? Number.NaN) * 86_400_000_000 + (clock ?? Number.NaN) - (zone ?? 0) * 60_000_000;
}

describe("scanTime", () => {
  test("reads the spellings of programs, whatever follows them", () => {
    const texts = fc.record({
      at: instants,
      spelling: fc.constantFrom(...spellings),
      after: fc.constantFrom("", " done", ", next", " 17 4.5", "] INFO start", ";"),
    });
    fc.assert(
      fc.property(texts, ({ at, spelling, after }) => {
        const text = spelling.print(fieldsOf(at));
        const found = scanTime(text + after);
        if (found instanceof InvalidValue) return expect.unreachable(`${text}${after}: ${found.problem}`);
        const expected =
          (spelling.exact ? at : Math.floor(at / 1000) * 1000) * 1000 - (spelling.zone ?? 0) * 60_000_000;
        expect([microsecondsOf(found), found.end]).toEqual([expected, text.length]);
      }),
      { numRuns: 2000 },
    );
  });

  test("reads a damaged spelling right or not at all", () => {
    const damages = fc.record({
      at: instants,
      spelling: fc.constantFrom(...spellings.filter(({ exact }) => !exact)),
      where: fc.nat(40),
      by: fc.constantFrom("", "1", "9", ":", "x", ",", "/", "PM", " ", "T", " XST"),
    });
    // What is left over does not begin with a part of a time.
    fc.assert(
      fc.property(damages, ({ at, spelling, where, by }) => {
        const whole = spelling.print(fieldsOf(at));
        const text = whole.slice(0, where) + by + whole.slice(where + 1);
        const found = scanTime(text);
        if (found instanceof InvalidValue) return;
        expect(text.slice(found.end)).not.toMatch(/^\w|^[.,:]\d/);
        if (found.clock === undefined) expect(text.slice(found.end)).not.toMatch(/^\W*\d+:\d/);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["2024-04-03 12:00:01,123", 1_712_145_601_123_000],
    ["2024-04-03 12:00:01.123456789", 1_712_145_601_123_457],
    ["March 28, 2021", Date.UTC(2021, 2, 28) * 1000],
    ["Sun Mar 28 02:30:00 UTC 2021", Date.UTC(2021, 2, 28, 2, 30) * 1000],
    ["2024-04-03 12:00:01 +0800 CST", Date.UTC(2024, 3, 3, 4, 0, 1) * 1000],
    ["@1101234630.5", 1_101_234_630_500_000],
  ])("%s", (text, expected) => {
    const found = scanTime(text);
    expect(found instanceof InvalidValue ? found.problem : microsecondsOf({ clock: 0, ...found })).toBe(expected);
  });

  test.each([
    ["03/28/2021", "order of day and month"],
    ["28-03-2021 12:00", "order of day and month"],
    ["29.2.2023", "no such day"],
    ["2024-04-03 25:00:01", "out of range"],
    ["25:00:01", "out of range"],
    ["13:00 PM", "out of range"],
    ["0:30 am", "out of range"],
    ["2024-04-03 12:0", "'12:0' after it"],
    ["12:00:01:05", "no time"],
    ["2024-04-03 12:00:01 CST", "ambiguous"],
    ["2024-04-03 12:00:01 XYST", "unknown"],
    ["2024-04-03 12:00:01 Europe/Berlin", "after it"],
    ["2024-04-03 12:00:01 (CEST)", "after it"],
    ["2024-04-03 12:00 UTC CEST", "two zones"],
    ["2024-04-03 12:00 +0100 CEST", "differ"],
    ["2024-04-03 12:00:01 -10 4", "a zone or a number"],
    ["2024-04-03 12:00 +19:00", "out of range"],
    ["2024-04-03 PST", "after it"],
    ["Mar 28 02:30:00", "no year"],
    ["Mon Mar 28 2021", "a Sunday"],
    ["start of run", "no time"],
    ["1617000000", "no time"],
  ])("%s is refused", (text, problem) => {
    const found = scanTime(text);
    expect(found instanceof InvalidValue ? found.problem : found).toContain(problem);
  });

  test("takes linear time", () => {
    for (const part of ["1", "1:", "1-", "Mar ", "2021-", " ", "12:00:01 "])
      expect(() => scanTime(part.repeat(100_000))).not.toThrow();
  });
});

describe("timeFormat", () => {
  const formats: readonly (readonly [string, (t: Fields) => string])[] = [
    ["%d/%m/%Y %H:%M:%S", (t) => `${t.d}/${t.m}/${t.Y} ${t.T}`],
    ["%m/%d/%Y %I:%M:%S %p", (t) => `${t.m}/${t.d}/${t.Y} ${t.I} ${t.p}`],
    ["%Y%m%d%H%M%S", (t) => `${t.Y}${t.m}${t.d}${t.T.replaceAll(":", "")}`],
    ["%c", (t) => `${t.a} ${t.b} ${t.e.padStart(2)} ${t.T} ${t.Y}`],
    ["[%d/%b/%Y:%T %z]", (t) => `[${t.d}/${t.b}/${t.Y}:${t.T} +0000]`],
    ["%A %e %B %Y, %T", (t) => `${t.A} ${t.e} ${t.B} ${t.Y}, ${t.T}`],
    ["%s", (t) => String(t.s)],
  ];

  test("reads what its directives print", () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...formats), (at, [format, print]) => {
        const text = print(fieldsOf(at));
        const found = formatted(format, text);
        if (found instanceof InvalidValue) return expect.unreachable(`${text}: ${found.problem}`);
        expect(microsecondsOf(found)).toBe(Math.floor(at / 1000) * 1_000_000);
      }),
    );
  });

  test.each([
    ["%D %r", "03/28/69 01:00:01 PM", "1969-03-28T13:00:01Z"],
    ["%D %R", "03/28/68 01:00", "2068-03-28T01:00:00Z"],
    ["%Y-%j %H", "2024-366 7", "2024-12-31T07:00:00Z"],
    ["%a %b %d %T CST %Y", "Sun Mar 28 02:30:00 CST 2021", "2021-03-28T02:30:00Z"],
    ["%F %T,%f", "2024-04-03 12:00:01,123", "2024-04-03T12:00:01.123Z"],
    ["%F %T %Z", "2024-04-03 12:00:01 EST", "2024-04-03T17:00:01Z"],
  ])("%s of %s", (format, text, expected) => {
    const found = formatted(format, text);
    expect(found instanceof InvalidValue ? found.problem : microsecondsOf(found)).toBe(Date.parse(expected) * 1000);
  });

  test.each([
    ["%d/%m/%Y", "31/02/2021", "no such day"],
    ["%d/%m/%Y", "3.4.2021", "does not have the format"],
    ["%Y-%j", "2023-366", "no such day"],
    ["%a %F", "Mon 2021-03-28", "a Sunday"],
    ["%F %T %Z", "2024-04-03 12:00:01 CST", "ambiguous"],
  ])("%s refuses %s", (format, text, problem) => {
    const found = formatted(format, text);
    expect(found instanceof InvalidValue ? found.problem : found).toContain(problem);
  });

  test.each([
    ["%q", "no directive '%q'"],
    ["%", "no directive"],
    ["%d/%m", "no year"],
    ["%Y", "no day and month"],
    ["%F %I:%M", "'%I' together with '%p'"],
    ["%F %M", "no hour"],
    ["%d %d", "twice"],
    ["text", "neither a date nor a time"],
    ["%s %H", "other directives"],
    [`%F${" ".repeat(300)}`, "too long"],
  ])("%s is no format", (format, problem) => {
    const compiled = timeFormat(format);
    expect(compiled instanceof InvalidValue ? compiled.problem : "").toContain(problem);
  });
});

function formatted(format: string, text: string): ScannedTime | InvalidValue {
  const compiled = timeFormat(format);
  return compiled instanceof InvalidValue ? compiled : compiled.scan(text);
}
