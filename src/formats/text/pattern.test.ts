import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { requiredLiteral, compilePattern } from "./pattern.ts";

describe("compilePattern", () => {
  test("finds offsets and groups", () => {
    const pattern = compilePattern("time: (\\d+)(ms)?");
    expect(pattern.search("the time: 42 s")).toEqual({
      start: 4,
      end: 12,
      groups: ["42", undefined],
      groupEnds: [12, -1],
    });
    expect(pattern.search("no time")).toBeUndefined();
    expect(pattern.literal).toBe("time: ");
    expect(pattern.test("time: 1ms")).toBe(true);
  });

  test.each(["(?=a)", "(a)\\1", "(", "a**", "[z-a]", "a{1001}", "x".repeat(1001), "(((a{100}){100}){100})"])(
    "refuses %s",
    (source) => {
      try {
        compilePattern(source, { file: "f", line: 3, column: 5 });
        expect.unreachable();
      } catch (error) {
        expect(isFailure(error, "description-error") && error.message).toMatch(/^f:3:5: invalid regular expression/);
      }
      expect(() => compilePattern(source)).toThrow(/^invalid regular expression/);
    },
  );

  test("matches catastrophic patterns in linear time", () => {
    expect(compilePattern("(a+)+$").test(`${"a".repeat(5000)}!`)).toBe(false);
    expect(compilePattern("(x+x+)+y").test("x".repeat(5000))).toBe(false);
  });
});

describe("requiredLiteral", () => {
  test.each([
    ["abc", "abc"],
    ["a.bcd", "bcd"],
    ["ab?cd", "cd"],
    ["ab+cd", "ab"],
    ["abc|d", ""],
    ["(abc)def", "def"],
    ["(?i)abc", ""],
    ["a\\.b", "a.b"],
    ["\\d+ms", "ms"],
    ["[abc]time[[:alpha:]x]", "time"],
    ["\\Qa|b\\E", ""],
    ["x{2}time", "time"],
  ])("%s needs %j", (source, literal) => expect(requiredLiteral(source)).toBe(literal));

  test("every match contains it", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "ab",
      "\\.",
      ".",
      "a?",
      "b+",
      "a*",
      "[ab]",
      "(a|b)",
      "(ab)?",
      "a{0}",
      "a{2}",
      "|",
      "^",
      "$",
      "\\d",
      "(?i)",
      "(?:a)",
      "[]a]",
      "\u{1f600}?",
      "\\x{61}",
      "\\Qa",
      "\\E",
    );
    const subject = fc.string({ unit: fc.constantFrom("a", "b", "A", ".", "1", "]", "\u{1f600}") });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), subject, (pieces, text) => {
        const source = pieces.join("");
        const native = nativeOf(source);
        if (!native?.test(text)) return;
        expect(text).toContain(requiredLiteral(source));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The engine without the literal pre-filter. */
function nativeOf(source: string): { test(text: string): boolean } | undefined {
  try {
    const pattern = compilePattern(`(?:${source}\n?)`);
    return pattern.literal === "" ? pattern : undefined;
  } catch {
    return undefined;
  }
}
