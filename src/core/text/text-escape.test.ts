import fc from "fast-check";
import { expect, it } from "vitest";
import { escapedText, unescaped } from "./text-escape.ts";

it.each([
  ["plain text", "plain text"],
  ["", "\\&"],
  [" a ", "\\& a \\&"],
  ["a\tb\nc\r", "a\\tb\\nc\\r"],
  ['"quoted"', '\\&"quoted"'],
  ["C:\\new", "C:\\\\new"],
  ["\u202e\u0007", "\\u202e\\u0007"],
])("spells %j as %s", (text, spelt) => {
  expect(escapedText(text)).toBe(spelt);
  expect(unescaped(spelt)).toBe(text);
});

it("keeps other backslashes", () => {
  expect(unescaped("\\d \\u12 \\")).toBe("\\d \\u12 \\");
});

it("round-trips any text on one line without leading or trailing blanks", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\\nrtu&0" \t\n]*$/));
  fc.assert(
    fc.property(text, (given) => {
      const spelt = escapedText(given);
      expect(unescaped(spelt)).toBe(given);
      expect(spelt).toBe(spelt.trim());
      expect(spelt).toMatch(/^[^\n\r\t"][^\n\r\t]*$/u);
    }),
  );
});
