import fc from "fast-check";
import { expect, it } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { readSampleFile } from "./sample-file.ts";

const read = (text: string): ReturnType<typeof readSampleFile> =>
  readSampleFile(new TextEncoder().encode(text), "file");
const shown = (text: string): unknown[] =>
  read(text).measured.map(({ subject, unitText, groups }) => [
    subject.benchmark,
    unitText,
    subject.better,
    ...groups[0]!,
  ]);

it("reads CSV by the names of its columns, in any order", () => {
  expect(shown("unit;value;benchmark\ns;1;a\ns;2;a\nMiByte/s;7;b\n")).toEqual([
    ["a", "s", "lower", 1, 2],
    ["b", "MiByte/s", "higher", 7],
  ]);
});

it("reads an object of JSON on each line", () => {
  expect(shown('{"benchmark":"a","value":1.5}\n\n{"benchmark":"a","value":2,"unit":""}\n')).toEqual([
    ["a", "", "lower", 1.5, 2],
  ]);
});

it("reads hyperfine's times", () => {
  expect(
    shown('{\n  "results": [{"command": "sleep 1", "mean": 1, "times": [1.01, 1.02]}, {"command": "x"}]\n}'),
  ).toEqual([["sleep 1", "s", "lower", 1.01, 1.02]]);
});

it("names packages where there are several, and keeps the processor of Go", () => {
  const text = "cpu: Some CPU\npkg: p\nBenchmarkA 1 5 ns/op\npkg: q\nBenchmarkA 1 6 ns/op\n";
  expect(shown(text)).toEqual([
    ["p.A", "sec/op", "lower", 5e-9],
    ["q.A", "sec/op", "lower", 6e-9],
  ]);
  expect(read(text).machines).toEqual(["Some CPU"]);
});

it("heeds what Go says of units", () => {
  const { measured } = read("Unit hits better=higher assume=exact\nBenchmarkA 1 5 hits\n");
  expect(measured).toMatchObject([{ exact: true, subject: { better: "higher" } }]);
});

it.each([
  ["a,b\n1,2\n", "no-measurements"],
  ["", "no-measurements"],
  ["benchmark,value\n", "no-measurements"],
  ["benchmark,value\na,fast\n", "bad-measurement"],
  ["benchmark,value\n,1\n", "no-measurements"],
  ['{"benchmark":"a","value":1}\n{"value":1}\n', "bad-measurement"],
  ['{"results": 5}', "no-measurements"],
  ["{", "not-json"],
])("refuses %j", (text, code) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code }));
});

it("ends every text in samples or a failure", () => {
  const words = fc.constantFrom(
    "benchmark",
    "value",
    ",",
    "\n",
    '"',
    "{",
    "}",
    ":",
    "1",
    "BenchmarkA 1 2 ns/op",
    "[",
    "]",
    "results",
  );
  fc.assert(
    fc.property(
      fc.array(words).map((all) => all.join("")),
      (text) => {
        try {
          for (const { groups } of read(text).measured) expect(groups[0]!.every(Number.isFinite)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      },
    ),
  );
});
