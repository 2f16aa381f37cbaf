import { expect, test } from "vitest";
import { settingLines, settingsIn } from "./setting.ts";

test("parses lines NAME=VALUE; a repeated name makes a list", () => {
  const lines = ["parameters=size", "parameters=a=b", "results="];
  const settings = settingsIn(lines);
  expect(settings).toEqual(
    new Map([
      ["parameters", ["size", "a=b"]],
      ["results", [""]],
    ]),
  );
  expect(settingLines(settings!)).toEqual(lines);
  expect([settingsIn(["=x"]), settingsIn(["x"]), settingsIn([])]).toEqual([undefined, undefined, new Map()]);
});
