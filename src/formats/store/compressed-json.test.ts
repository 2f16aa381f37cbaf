import { isDeepStrictEqual } from "node:util";
import { deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { JsonNumber, jsonObject, type Json } from "../../core/values/json.ts";
import { packJson, unpackJson } from "./compressed-json.ts";

const text = (packed: Uint8Array): string => inflateSync(packed).toString("utf8");

test("is printed like Python with an indentation of two", () => {
  const one = JsonNumber.integer(1);
  const json = jsonObject({
    id: jsonObject({ list: [one, new JsonNumber("2.5")], none: [], empty: new Map(), text: "ä" }),
  });
  expect(text(packJson(json))).toBe(
    '{\n  "id": {\n    "list": [\n      1,\n      2.5\n    ],\n    "none": [],\n    "empty": {},\n' +
      '    "text": "\\u00e4"\n  }\n}',
  );
  expect(text(packJson([["cd", "2023-11-19 22:13:20"]]))).toBe('[\n  [\n    "cd",\n    "2023-11-19 22:13:20"\n  ]\n]');
});

test("packed JSON reads back", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("ä", "\u0000\u007f", "\u{1f600}", "\ud800", '"\\'),
  );
  const leaf = fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer().map(JsonNumber.integer));
  const json = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      leaf,
      fc.array(tie("json"), { maxLength: 3 }),
      fc.array(fc.tuple(text, tie("json")), { maxLength: 3 }).map((members) => new Map(members)),
    ),
  })).json;
  fc.assert(fc.property(json, (value) => isDeepStrictEqual(unpackJson(packJson(value), "f"), value)));
});

test.each([
  ["nothing", new Uint8Array(0)],
  ["no zlib stream", new TextEncoder().encode("{}")],
  ["a truncated stream", packJson(jsonObject({ some: "thing" })).subarray(0, 9)],
  ["trailing data", Uint8Array.of(...packJson([]), 0)],
  ["invalid JSON", deflateSync("{'a': 1}")],
])("refuses %s", (_, bytes) => {
  let caught: unknown;
  try {
    unpackJson(bytes, "x/.index");
  } catch (error) {
    caught = error;
  }
  expect(isFailure(caught, "packed-json-damaged")).toBe(true);
  expect(String(caught)).toContain("x/.index");
});
