import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutTerminalCodes } from "./text-lines.ts";

const strip = (text: string): string => new TextDecoder().decode(withoutTerminalCodes(new TextEncoder().encode(text)));

test.each([
  ["\u001b[32m1.5\u001b[0m us", "1.5 us"],
  ["\u001b[1;38;5;208mbcast\u001b[K\n2\u001b[m\n", "bcast\n2\n"],
  ["\u001b]0;title\u0007x\u001b]8;;http://h\u001b\\y", "xy"],
  ["\u001b(B1\u001b(", "1\u001b("],
  ["\u001b[12\n3", "\u001b[12\n3"],
  ["\u001b]0;title\n1\u0007", "\u001b]0;title\n1\u0007"],
  ["\u001b\u001b[0mé", "\u001bé"],
  ["\u001b", "\u001b"],
  ["plain", "plain"],
])("%j", (text, stripped) => expect(strip(text)).toBe(stripped));

test("no line is lost, and text without escapes is unchanged", () => {
  const unit = fc.constantFrom("\u001b", "[", "]", "m", "\n", "7", ";", "(", "B", "\u0007", "\\", "x");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(strip(text).split("\n")).toHaveLength(text.split("\n").length);
      if (!text.includes("\u001b")) expect(strip(text)).toBe(text);
    }),
  );
});
