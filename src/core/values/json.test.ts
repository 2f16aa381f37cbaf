import { expect, test } from "vitest";
import { JsonNumber, floatText, isList, isObject, jsonObject, textAt } from "./json.ts";

test.each([
  [3, "3.0"],
  [-0, "-0.0"],
  [0, "0.0"],
  [0.1, "0.1"],
  [1e15, "1000000000000000.0"],
  [9007199254740993, "9007199254740992.0"],
  [1e16, "1e+16"],
  [1.5e300, "1.5e+300"],
  [1e22, "1e+22"],
  [123456789012345680, "1.2345678901234568e+17"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1.5e-7, "1.5e-07"],
  [5e-324, "5e-324"],
  [-2.5e-10, "-2.5e-10"],
  [NaN, "NaN"],
  [Infinity, "Infinity"],
  [-Infinity, "-Infinity"],
])("%d is spelt as Python spells it: %s", (value, text) => {
  expect(floatText(value)).toBe(text);
});

test("isInteger follows the spelling", () => {
  expect(new JsonNumber("18446744073709551616").isInteger).toBe(true);
  expect(new JsonNumber("3.0").isInteger).toBe(false);
  expect(new JsonNumber("Infinity").isInteger).toBe(false);
  expect(JsonNumber.integer(-3).text).toBe("-3");
  expect(JsonNumber.integer(-0).text).toBe("0");
  expect(JsonNumber.integer(2n ** 64n).text).toBe("18446744073709551616");
  expect(JsonNumber.float(3).text).toBe("3.0");
  expect(JsonNumber.float(3).value).toBe(3);
});

test("textAt accepts any shape", () => {
  const json = jsonObject({ name: "time", params: jsonObject({}), list: ["a"] });
  expect(textAt(json, "name")).toBe("time");
  expect(textAt(json, "params")).toBeUndefined();
  expect(textAt(json, "constructor")).toBeUndefined();
  expect(textAt("name", "name")).toBeUndefined();
  expect(isObject(json)).toBe(true);
  expect(isList(json.get("list"))).toBe(true);
});
