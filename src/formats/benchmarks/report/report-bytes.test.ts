import { expect, test } from "vitest";
import { reportBytes } from "./report-text.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(reportBytes(bytes));

test("what a program wrote stays as it is", () => {
  const plain = bytesOf("at 2026-01-02T03:04:05.1234567Z it began\n12 ms\n");
  expect(reportBytes(plain)).toBe(plain);
});

test("the times of a log of GitHub Actions are left out", () => {
  const log =
    "\uFEFF2026-01-02T03:04:05.1234567Z ##[group]Run\n2026-01-02T03:04:06.0000000Z   12 ms\r\nno time\n2026-01-02T03:04:06.0000001Z";
  expect(textOf(bytesOf(log))).toBe("##[group]Run\n  12 ms\r\nno time\n");
  const shown =
    "build\tRun tests\t\uFEFF2026-01-02T03:04:05.1234567Z a\tb\nbuild\tRun tests\t2026-01-02T03:04:05.1234567Z c\n";
  expect(textOf(bytesOf(shown))).toBe("a\tb\nc\n");
});

test("UTF-16 with a mark becomes UTF-8", () => {
  const little = Uint8Array.of(0xff, 0xfe, ...[..."µ 1\n2"].flatMap((char) => [char.charCodeAt(0), 0]));
  expect(textOf(little)).toBe("µ 1\n2");
  expect(textOf(little.subarray(0, -1))).toBe("µ 1\n\uFFFD");
});
