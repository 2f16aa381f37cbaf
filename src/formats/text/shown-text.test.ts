import fc from "fast-check";
import { expect, test } from "vitest";
import { shownText } from "./shown-text.ts";

const encoder = new TextEncoder();
const strip = (text: string): string => new TextDecoder().decode(shownText(encoder.encode(text)).bytes);
const overwrittenIn = (text: string): readonly number[] => shownText(encoder.encode(text)).overwritten;

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
  ["50 %\r100 %\n", "100 %\n"],
  ["speed: 1 MB/s\rspeed: 25 MB/s\r 1#\n", " 1#ed: 25 MB/s\n"],
  ["12345\rab\u001b[K\r\n", "ab\r\n"],
  ["12345\r\u001b[2Kab\n", "ab\n"],
  ["12345\b\b\u001b[1K\rx\n", "x  45\n"],
  ["\u001b[31m12\u001b[0m345\r\u001b[32mé\n", "é2345\n"],
  ["a\r\nb\r\r\nc\r", "a\r\nb\r\r\nc\r"],
  ["        \rx\u001b\n", "x\u001b\n"],
])("%j", (text, stripped) => expect(strip(text)).toBe(stripped));

test("no line is lost, and text without escapes is unchanged", () => {
  const unit = fc.constantFrom(..."\u001b[]m\n7;(B\u0007\\xK\r\b");
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(strip(text).split("\n")).toHaveLength(text.split("\n").length);
      if (!text.includes("\u001b") && !text.includes("\r")) expect(strip(text)).toBe(text);
    }),
  );
});

test("lines that lose text of their own are reported, not those that fill blanks", () => {
  expect(overwrittenIn("a\n1\r2\n  \r3\n4\r\n5\r5 s\n6\r7\n")).toEqual([1, 5]);
});

test("text that is not UTF-8 is overwritten byte by byte", () => {
  const { bytes } = shownText(Uint8Array.of(0xe9, 0x31, 0x0d, 0xe8, 0x0a));
  expect([...bytes]).toEqual([0xe8, 0x31, 0x0a]);
});

test("a line that is erased again and again takes linear time", () => {
  const text = `${"x".repeat(400_000)}${"\u001b[1K".repeat(150_000)}1\r2\n`;
  expect(strip(text)).toBe(`2${" ".repeat(399_999)}1\n`);
});
