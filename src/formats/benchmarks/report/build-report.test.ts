import { expect, test } from "vitest";
import { JsonLocation } from "../../json/json-location.ts";
import { commitIn, factsIn, numbersIn, parameterValue, performedAt } from "./build-report.ts";

test.each([
  ["10", 10],
  ["-2.5", -2.5],
  ["1.50", "1.50"],
  ["08", "08"],
  ["-0", "-0"],
  ["1e3", "1e3"],
  ["123456789012345678", "123456789012345678"],
  ["", ""],
])("the parameter '%s'", (text, value) => expect(parameterValue(text)).toBe(value));

test("times are short texts with or without a zone", () => {
  expect(performedAt("2026-03-01T12:00:00+01:00")).toEqual({ performed: Date.UTC(2026, 2, 1, 11) * 1000 });
  expect(performedAt("2026-03-01 12:00:00.25")).toEqual({ performed: Date.UTC(2026, 2, 1, 12, 0, 0, 250) * 1000 });
  for (const none of [undefined, 1, "yesterday", " ".repeat(1_000_000)]) expect(performedAt(none)).toEqual({});
});

test("a commit is hexadecimal", () => {
  expect(commitIn("ABCDEF0123")).toEqual({ commit: "abcdef0123" });
  for (const none of ["unversioned", "abc", "", 1234567]) expect(commitIn(none)).toEqual({});
});

test("reads present scalar facts and numbers", () => {
  const document = JsonLocation.within(
    '{"a": {"b": "x", "n": 4, "t": "4"}, "e": "", "l": [1], "f": 1e999}',
    "some.file",
  )!;
  const facts = factsIn(document, [
    ["one", "a", "b"],
    ["two", "l"],
    ["three", "e"],
    ["four", "a", "b", "c"],
    ["five", "f"],
    ["six", "constructor"],
  ]);
  expect([...facts]).toEqual([["one", "x"]]);
  expect([
    ...numbersIn(
      document.get("a"),
      [
        ["n", "n"],
        ["t", "t"],
        ["m", "m"],
      ],
      2,
    ),
  ]).toEqual([["n", 2]]);
});
