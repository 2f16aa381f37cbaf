import { expect, it } from "vitest";
import { JsonNumber, jsonObject } from "../values/json.ts";
import { canaryFromJson, canaryToJson } from "./canary.ts";

it("times come back from the region", () => {
  expect(canaryFromJson(canaryToJson([0.004, 0.0051]))).toEqual([0.004, 0.0051]);
});

it("other loops, and what is no time, are ignored", () => {
  const seconds = [JsonNumber.float(0.004), JsonNumber.float(-1), null, "x", JsonNumber.float(0)];
  expect(canaryFromJson(jsonObject({ version: JsonNumber.integer(1), seconds }))).toEqual([0.004]);
  expect(canaryFromJson(jsonObject({ version: JsonNumber.integer(2), seconds }))).toEqual([]);
  expect(canaryFromJson(jsonObject({ version: JsonNumber.integer(1), seconds: "much" }))).toEqual([]);
  expect(canaryFromJson(undefined)).toEqual([]);
  expect(canaryFromJson("canary")).toEqual([]);
});
