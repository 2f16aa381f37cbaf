import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonOutline } from "./json-outline.ts";

const outline = (text: string): string[] => [...jsonOutline(new TextEncoder().encode(text))];

test("lists the members of a document by their paths", () => {
  expect(outline('{"a": 1, "b": {"c": [{"d": "e: {"}, {"d": 2, "f": 3}]}, "g": [[{"h": null}]]}')).toEqual([
    "a",
    "b",
    "b.c",
    "b.c[].d",
    "b.c[].f",
    "g",
    "g[].[].h",
  ]);
  expect(outline('\ufeff [ {"ph": "X"')).toEqual(["[].ph"]);
});

test("truncated documents are accepted, other text has no members", () => {
  expect([outline('{"a": {"b'), outline('{"a": {"b\\"": 1'), outline("a: 1"), outline("")]).toEqual([
    ["a"],
    ["a", 'a.b\\"'],
    [],
    [],
  ]);
});

test("a text of quotes takes linear time", () => {
  expect(outline(`{${'\\"'.repeat(1 << 15)}`)).toEqual([]);
  expect(outline(`{"${'\\"'.repeat(1 << 15)}`)).toEqual([]);
});

test("any text has an outline", () => {
  fc.assert(fc.property(fc.stringMatching(/^[[\]{}":,a\\ ]{0,60}$/), (text) => void outline(text)));
});
