import { expect, test } from "vitest";
import { splitCondition } from "./condition-text.ts";

test.each([
  ["size>=1KiByte", "size>=1KiByte"],
  ["label=a and b", "label=a and b"],
  ["label=(a or b)", "label=(a or b)"],
  ['label="x and y=1"', 'label="x and y=1"'],
  ["op in (read, write)", "op in (read, write)"],
  ["a=1 and b=2 and c is null", { junction: "and", of: ["a=1", "b=2", "c is null"] }],
  [
    "(op = write or op = read) and size >= 1KiByte",
    { junction: "and", of: [{ junction: "or", of: ["op = write", "op = read"] }, "size >= 1KiByte"] },
  ],
  ["a=1 or (b=x y and c in (1,2))", { junction: "or", of: ["a=1", { junction: "and", of: ["b=x y", "c in (1,2)"] }] }],
  ["((a=1))", "a=1"],
])("%s", (text, parts) => {
  expect(splitCondition(text)).toEqual(parts);
});

test.each(["a=1 and b=2 or c=3", "(a=1", "(a=1) b", `${"(".repeat(60)}a=1${")".repeat(60)}`])("rejects %s", (text) => {
  expect(() => splitCondition(text)).toThrow("invalid condition");
});
