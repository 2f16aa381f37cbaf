import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { floatText, isList, isObject, JsonNumber, type Json } from "../../core/values/json.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { printIndented, printJson, readJson, readValue, SharedObjects } from "./json.ts";
import { JsonScanner } from "./json-scanner.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (json: Uint8Array) => new TextDecoder().decode(json);
const normal = (document: string) => text(printJson(readJson(bytes(document), "f")));

/** Any JSON value. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: "binary" }),
    fc.bigInt().map((value) => new JsonNumber(String(value))),
    fc.double().map((value) => new JsonNumber(floatText(value))),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.array(fc.tuple(fc.string({ unit: "binary" }), tie("json")), { maxLength: 4 }).map((members) => new Map(members)),
  ),
})).json;

test("printed values read back in both forms", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      expect(readJson(printJson(json), "f")).toEqual(json);
      expect(readJson(printIndented(json), "f")).toEqual(json);
    }),
  );
});

test("printed bytes round-trip", () => {
  fc.assert(fc.property(anyJson, (json) => normal(text(printJson(json))) === text(printJson(json))));
});

test("a document of another JSON writer reads as written", () => {
  const strings = fc.string({ unit: "binary" });
  fc.assert(fc.property(strings, (value) => readJson(bytes(JSON.stringify(value)), "f") === value));
});

test.each([
  ["1", "1"],
  ["-0", "0"],
  ["-0.0", "-0.0"],
  ["1.50", "1.5"],
  ["0.00001", "1e-05"],
  ["0.00012", "0.00012"],
  ["1E3", "1000.0"],
  ["1e400", "Infinity"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["0.1000000000000000055", "0.1"],
  ["2.2250738585072014e-308", "2.2250738585072014e-308"],
  ["9007199254740993.0", "9007199254740992.0"],
  ["12345678901234567890.5", "1.2345678901234567e+19"],
  ["[NaN, Infinity,-Infinity]", "[NaN, Infinity, -Infinity]"],
  [' { "b" : 1 , "10" : [ ] , "a" : { } }\n', '{"b": 1, "10": [], "a": {}}'],
  ['{"a": 1, "b": 2, "a": 3}', '{"a": 3, "b": 2}'],
  ['{"a": 1, "\\u0061": 3}', '{"a": 3}'],
  ['{"__proto__": 1, "constructor": 2}', '{"__proto__": 1, "constructor": 2}'],
  [
    '"é \u2028 😀 \\u00e9 \\ud83d\\ude00 \\ud800 \\/ \\b\u007f"',
    '"\\u00e9 \\u2028 \\ud83d\\ude00 \\u00e9 \\ud83d\\ude00 \\ud800 / \\b\\u007f"',
  ],
])("%s is spelt %s", (document, canonical) => {
  expect(normal(document)).toBe(canonical);
});

test("the indented form has plain lists on one line", () => {
  const json = readJson(bytes('{"a": [1, 2.0, "x"], "b": [{"c": {}}, []], "d": {}}'), "f");
  expect(text(printIndented(json))).toBe(
    '{\n  "a": [1, 2.0, "x"],\n  "b": [\n    {\n      "c": {}\n    },\n    []\n  ],\n  "d": {}\n}\n',
  );
});

describe("bad documents are refused with their position", () => {
  test.each([
    ["", 1, 1, "too early"],
    ['{"a": 1,\n "é": ?}', 2, 7, "expected a value"],
    ["[1, 2", 1, 6, "expected ','"],
    ["[1, ]", 1, 5, "expected a value"],
    ['{"a": 1, }', 1, 10, "expected a key"],
    ["{a: 1}", 1, 2, "expected a key"],
    ['{"a" 1}', 1, 6, "expected ':'"],
    ['"abc', 1, 1, "no end"],
    ['"a\nb"', 1, 3, "control character"],
    ['"\\x"', 1, 2, "escape"],
    ['"\\u12g4"', 1, 2, "hexadecimal"],
    ["01", 1, 2, "more after"],
    ["1.", 1, 1, "malformed number"],
    [".5", 1, 1, "expected a value"],
    ["-", 1, 1, "malformed number"],
    ["1e", 1, 1, "malformed number"],
    ["nul", 1, 1, "expected a value"],
    ["[] []", 1, 4, "more after"],
    ["\ufeff{}", 1, 1, "byte order mark"],
    ["[".repeat(257) + "]".repeat(257), 1, 257, "deeper than 256"],
  ])("%j", (document, line, column, reason) => {
    expect(() => readJson(bytes(document), "f")).toThrow(
      expect.objectContaining({
        code: "not-json",
        message: expect.stringContaining(reason),
        data: expect.objectContaining({ line, column }),
      }),
    );
  });

  test.each([
    [[0xff]],
    [[0xc3]],
    [[0xc0, 0x80]],
    [[0xed, 0xa0, 0x80]],
    [[0xf5, 0x80, 0x80, 0x80]],
    [[0xe2, 0x28, 0xa1]],
  ])("not UTF-8: %j", (wrong) => {
    expect(() => readJson(Uint8Array.from([0x22, ...wrong, 0x22]), "f")).toThrow("not UTF-8");
  });

  test("a nesting of the allowed depth is read", () => {
    expect(normal("[".repeat(256) + "]".repeat(256))).toHaveLength(512);
  });

  test("no bytes raise anything but a Failure", () => {
    const valid = bytes('{"a": [1.5e3, -0, "\\u00e9é", null, true, NaN], "b": {"c": "d"}}');
    const edit = fc.record({ at: fc.nat(valid.length - 1), byte: fc.nat(255), cut: fc.boolean() });
    fc.assert(
      fc.property(edit, fc.uint8Array({ maxLength: 6 }), ({ at, byte, cut }, tail) => {
        const changed = Uint8Array.from([
          ...valid.map((old, i) => (i === at ? byte : old)).slice(0, cut ? at : valid.length),
          ...tail,
        ]);
        try {
          readJson(changed, "f");
        } catch (error) {
          if (!isFailure(error, "not-json")) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("an object of many keys, the last of them twice", () => {
    const members = Array.from({ length: 100 }, (_, i) => `"k${i}": ${i}`);
    expect(normal(`{${[...members, '"k99": 0'].join()}}`)).toBe(
      `{${[...members.slice(0, 99), '"k99": 0'].join(", ")}}`,
    );
  });
});

test("equal objects of lists are read once if they are shared, and nothing else changes", () => {
  const text =
    '{"a": [{"f": "x", "n": 1}, {"f": "x", "n": 1}, {"f": "y"}], "b": [[{"f": "x", "n": 1}], {"f": "x", "n": 1.0}]}';
  const read = (shared?: SharedObjects): Json => {
    const scanner = new JsonScanner(new TextEncoder().encode(text), "f");
    scanner.checkDocument();
    return readValue(scanner, shared);
  };
  const json = read(new SharedObjects());
  expect(json).toEqual(read());
  const [a, b] = isObject(json) ? [json.get("a"), json.get("b")] : [];
  if (!isList(a) || !isList(b) || !isList(b[0])) throw new Error("no lists");
  expect([a[0] === a[1], a[0] === b[0][0], a[0] === a[2], a[0] === b[1]]).toEqual([true, true, false, false]);
});

test("documents with shared objects are the same", () => {
  fc.assert(
    fc.property(anyJson, (json) => {
      const scanner = new JsonScanner(printJson([json, json]), "f");
      scanner.checkDocument();
      return text(printJson(readValue(scanner, new SharedObjects()))) === text(printJson([json, json]));
    }),
  );
});
