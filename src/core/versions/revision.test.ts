import { expect, test } from "vitest";
import { parseRevision } from "./revision.ts";

test("parses a name and steps", () => {
  expect(parseRevision("main")).toEqual({ base: "main", steps: [] });
  expect(parseRevision("v1.0~^2~30^0").steps).toEqual([
    { kind: "~", count: 1 },
    { kind: "^", count: 2 },
    { kind: "~", count: 30 },
    { kind: "^", count: 0 },
  ]);
});

test.each([
  "",
  "-x",
  "^HEAD",
  ":/x",
  "a\nb",
  "HEAD^{tree}",
  "HEAD~x",
  "HEAD~9999999999",
  "x".repeat(1001),
  "HEAD\u009b",
])("%j is no version", (word) => {
  expect(() => parseRevision(word)).toThrow(expect.objectContaining({ code: "unknown-revision" }));
});
