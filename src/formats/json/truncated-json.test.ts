import fc from "fast-check";
import { expect, test } from "vitest";
import { readTruncatedJson } from "./truncated-json.ts";

test("reads what is complete of a document that is cut anywhere", () => {
  const document = [{ a: 'x"}', b: [1, { c: null }] }, { d: "\\" }];
  const text = JSON.stringify(document);
  for (let end = 1; end < text.length; end++) expect(Array.isArray(readTruncatedJson(text.slice(0, end)))).toBe(true);
  expect(readTruncatedJson(text)).toEqual(document);
  expect(readTruncatedJson('[{"a": NaN, "b": "NaN"}, {"a": -Infinity, ')).toEqual([{ a: null, b: "NaN" }, { a: null }]);
  expect(readTruncatedJson('[{"a": 1.5}, {"a": 2.')).toEqual([{ a: 1.5 }, {}]);
});

test.each(["[INFO] 12 ms", '{"a": 1}\n{"a": 2}', "text", "", "[}", "{ a = 1 }", "[".repeat(1000)])(
  "'%s' is no document",
  (text) => {
    expect(readTruncatedJson(text)).toBeUndefined();
  },
);

test("never throws, and is fast for escapes in a text without an end", () => {
  fc.assert(fc.property(fc.string(), (text) => void readTruncatedJson(`[${text}`)));
  expect(readTruncatedJson(`["${String.raw`\"`.repeat(100_000)}`)).toEqual([]);
});
