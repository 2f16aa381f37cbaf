import { expect, test } from "vitest";
import { embeddedJson } from "./embedded-json.ts";

const found = (text: string): unknown[] =>
  embeddedJson(text, "some.file").map((location) => location.members().map(([name]) => name));

test.each([
  ["one line", 'x\n {"a": 1} \ny', [["a"]]],
  ["many lines, indented", '  {\n    "a": {\n    }\n  }\n', [["a"]]],
  ["ends of DOS", '{\r\n "a": 1\r\n}\r\n{"b": 2}\r\n', [["a"], ["b"]]],
  ["no end, then the next", '{\n "a": [\n{"b": 1}\n', [["b"]]],
  ["no JSON", "{a}\n{\n  b\n}\n", []],
])("%s", (_, text, expected) => expect(found(text)).toEqual(expected));

test("endless beginnings take no endless time", () => {
  expect(found("{\n".repeat(200_000))).toEqual([]);
  expect(found(`{\n${"  {}\n".repeat(200_000)}`)).toEqual([]);
});
