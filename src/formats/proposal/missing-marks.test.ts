import { expect, test } from "vitest";
import { printInput } from "../descriptions/input/input-print.ts";
import { proposeDescription } from "./propose.ts";
import { sampleLines } from "./sample.ts";

const rulesOf = (...lines: readonly string[]): { cells: Record<string, string[]>; input: string } => {
  const sample = { name: "out.txt", lines: sampleLines(lines.join("\n")) };
  const { rules, description } = proposeDescription([sample], { name: "sample", file: "sample.inp" });
  const cells = rules.map(({ variable, cells: own }) => [variable.name, own.map(({ text }) => text)]);
  return { cells: Object.fromEntries(cells) as Record<string, string[]>, input: printInput(description) };
};

test.each([
  ["words", ["size time rate", "8 nan 1.5", "16 inf 2.5", "32 - 3.5", "64 N/A 4.5", "128 2.5 5.5"]],
  ["fields", ["size,time,rate", "8,nan,1.5", "16,inf,2.5", "32,-,3.5", "64,N/A,4.5", "128,2.5,5.5"]],
])("rows of %s with missing numbers are rows", (_, lines) => {
  const { cells, input } = rulesOf(...lines);
  expect(cells).toEqual({
    size: ["8", "16", "32", "64", "128"],
    time: ["nan", "inf", "2.5"],
    rate: ["1.5", "2.5", "3.5", "4.5", "5.5"],
  });
  expect(input).toMatch(/^TABLE time .* missing="?-"? missing="?N\/A"?$/m);
});

test("a row of nan only, and missing numbers in the first row", () => {
  expect(rulesOf("rate  time", " N/A   1.5", " nan   nan", " 2.5   2.5").cells).toEqual({
    rate: ["nan", "2.5"],
    time: ["1.5", "nan", "2.5"],
  });
});

test("entries of a fixed width may stand for missing numbers", () => {
  const { cells } = rulesOf(
    "JobID    Elapsed  MaxRSS",
    "-----    -------  ------",
    "1            1.5     200",
    "1.b          2.5",
    "2            N/A     100",
  );
  expect(cells).toEqual({ JobID: ["1", "1.b", "2"], Elapsed: ["1.5", "2.5"], MaxRSS: ["200", "100"] });
});

test("signs between texts stay texts", () => {
  expect(rulesOf("phase source target calls", "a none b 1", "b - c 2").cells).toMatchObject({
    source: ["none", "-"],
    target: ["b", "c"],
  });
});
