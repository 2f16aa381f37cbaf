import { expect, test } from "vitest";
import { reportLines, reportBytes } from "./report-text.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const linesOf = (text: string): string[] => [...reportLines(bytesOf(text))];

test("reads lines as a terminal shows them", () => {
  expect(linesOf("")).toEqual([]);
  expect(linesOf("a\r\n\n\u001b[1;34mb\u001b[0m \u001b[Kc")).toEqual(["a", "", "b c"]);
  expect(linesOf("warming up\rmeasuring\rdone: 3 ns\n")).toEqual(["done: 3 ns"]);
  expect(linesOf("\uFEFFa\u0000b\n")).toEqual([String.raw`a\0b`]);
});

test("reads UTF-16 with a byte order mark in both byte orders", () => {
  const little = Uint8Array.of(0xff, 0xfe, ...[..."µ 1\n2"].flatMap((char) => [char.charCodeAt(0), 0]));
  const big = Uint8Array.of(0xfe, 0xff, ...[..."µ 1\n2"].flatMap((char) => [0, char.charCodeAt(0)]));
  expect([...reportLines(little)]).toEqual(["µ 1", "2"]);
  expect([...reportLines(big)]).toEqual(["µ 1", "2"]);
});

test("lines across slices are complete, and overlong ones empty", () => {
  const long = "x".repeat(200_000);
  expect(linesOf(`${"µ".repeat(10_000)}\n${long}\nend`)).toEqual(["µ".repeat(10_000), "", "end"]);
  const many = Array.from({ length: 50_000 }, (_, at) => `line ${at} µs`);
  expect(linesOf(many.join("\n"))).toEqual(many);
});

const bytesText = (bytes: Uint8Array): string => new TextDecoder().decode(reportBytes(bytes));

test("the output of a program is unchanged", () => {
  const plain = bytesOf("at 2026-01-02T03:04:05.1234567Z it began\n12 ms\n");
  expect(reportBytes(plain)).toBe(plain);
});

test("removes the timestamps of GitHub Actions logs", () => {
  const log =
    "\uFEFF2026-01-02T03:04:05.1234567Z ##[group]Run\n2026-01-02T03:04:06.0000000Z   12 ms\r\nno time\n" +
    "2026-01-02T03:04:06.0000001Z";
  expect(bytesText(bytesOf(log))).toBe("##[group]Run\n  12 ms\r\nno time\n");
  const ghLog =
    "build\tRun tests\t\uFEFF2026-01-02T03:04:05.1234567Z a\tb\nbuild\tRun tests\t2026-01-02T03:04:05.1234567Z c\n";
  expect(bytesText(bytesOf(ghLog))).toBe("a\tb\nc\n");
});

test("converts UTF-16 with a byte order mark to UTF-8", () => {
  const little = Uint8Array.of(0xff, 0xfe, ...[..."µ 1\n2"].flatMap((char) => [char.charCodeAt(0), 0]));
  expect(bytesText(little)).toBe("µ 1\n2");
  expect(bytesText(little.subarray(0, -1))).toBe("µ 1\n\uFFFD");
});
