import { expect, test } from "vitest";
import { flatten, flattenMembers, flatText } from "./flatten.ts";
import { JsonNumber, jsonObject, type Json } from "./json.ts";

const one = new JsonNumber("1");

test.each<[Json, string]>([
  ["main", "main"],
  [jsonObject({ line: one, function: "main", source: "a.c" }), "a.c:main:1"],
  [jsonObject({ zz: "z", instruction: "i", aa: "a", bin: "b" }), "b:i:a:z"],
  [jsonObject({ method: "m", function: "f", file: "x", package: "p" }), "x:p:m:f"],
  [["a", jsonObject({ line: one, function: "f" }), ["b", "c"]], "a,1:f,b,c"],
  [jsonObject({ a: jsonObject({ b: one }) }), "1:1"],
  [jsonObject({ a: [jsonObject({ name: "b0", value: one })] }), "1:1"],
  [
    [null, true, false, new JsonNumber("NaN"), new JsonNumber("-Infinity"), new JsonNumber("1.0")],
    "None,True,False,nan,-inf,1.0",
  ],
  [jsonObject({}), ""],
  [[], ""],
])("%j is named %s", (value, text) => {
  expect(flatText(value)).toBe(text);
});

test("a leaf is unchanged", () => {
  expect(flatten(one)).toBe(one);
  expect(flatten(null)).toBeNull();
});

test("parts are named by their path, the complete value by its key", () => {
  const object = jsonObject({ uid: jsonObject({ line: one, function: "f" }), trace: ["a", "b"], type: "t" });
  expect(flattenMembers(object)).toEqual([
    ["uid:line", one],
    ["uid:function", "f"],
    ["uid", "f:1"],
    ["trace", "a,b"],
    ["type", "t"],
  ]);
});

test("deep nesting keeps the text short", () => {
  let value: Json = "x";
  for (let depth = 0; depth < 60; depth++) value = jsonObject({ a: value });
  expect(flatText(value).length).toBeLessThan(1000);
});
