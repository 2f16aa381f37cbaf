import fc from "fast-check";
import { expect, it } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { readSampleFile, readSeriesTable } from "./sample-file.ts";
import { separatedLines } from "../text/csv-rows.ts";

const read = (text: string): ReturnType<typeof readSampleFile> =>
  readSampleFile(new TextEncoder().encode(text), "file");
const rowsOf = (text: string): unknown[] =>
  read(text).measured.map(({ subject, unitText, groups }) => [
    subject.benchmark,
    unitText,
    subject.better,
    ...groups[0]!,
  ]);

it("reads CSV with columns in any order", () => {
  expect(rowsOf("unit;value;benchmark\ns;1;a\ns;2;a\nMiByte/s;7;b\n")).toEqual([
    ["a", "s", "lower", 1, 2],
    ["b", "MiByte/s", "higher", 7],
  ]);
});

it("reads JSON lines", () => {
  expect(rowsOf('{"benchmark":"a","value":1.5}\n\n{"benchmark":"a","value":2,"unit":""}\n')).toEqual([
    ["a", "", "lower", 1.5, 2],
  ]);
});

it("reads hyperfine's times", () => {
  expect(rowsOf('{\n  "results": [{"command": "sleep 1", "mean": 1, "times": [1.01, 1.02]}]\n}')).toEqual([
    ["sleep 1", "s", "lower", 1.01, 1.02],
  ]);
});

it.each([
  ['{"command": "x"}', "its result 1 has no command or no times"],
  ['{"command": "x", "times": [1, null]}', "time 2 of 'x' is no number"],
  ['{"command": "x", "times": [1, "2"]}', "time 2 of 'x' is no number"],
])("refuses a hyperfine result without a number: %s", (result, problem) => {
  expect(() => read(`{\n"results": [${result}]}`)).toThrow(problem);
});

it("reads go test -json like its output", () => {
  const output = ["pkg: p\n", "BenchmarkA-2 \t", " 1\t5 ns/op\n"];
  const events = output.map((Output) => JSON.stringify({ Action: "output", Package: "p", Output }));
  expect(rowsOf(`{"Action":"start","Package":"p"}\n${events.join("\n")}\n`)).toEqual([
    ["A-2", "sec/op", "lower", 5e-9],
  ]);
});

it("keeps the exit statuses of runs", () => {
  const result = { command: "x", times: [1, 2, 3], exit_codes: [1, 0, 1] };
  expect(read(JSON.stringify({ results: [result] })).measured).toMatchObject([{ statuses: [0, 1] }]);
});

it("says that a file is empty", () => {
  expect(() => read("\n")).toThrow(
    expect.objectContaining({ data: expect.objectContaining({ reason: "it is empty" }) }),
  );
});

it("adds the package to names if there are several, and reads Go's processor", () => {
  const text = "cpu: Some CPU\npkg: p\nBenchmarkA 1 5 ns/op\npkg: q\nBenchmarkA 1 6 ns/op\n";
  expect(rowsOf(text)).toEqual([
    ["p.A", "sec/op", "lower", 5e-9],
    ["q.A", "sec/op", "lower", 6e-9],
  ]);
  expect(read(text).machines).toEqual(["cpu=Some CPU"]);
});

it("applies Go's Unit lines", () => {
  const { measured } = read("Unit hits better=higher assume=exact\nBenchmarkA 1 5 hits\n");
  expect(measured).toMatchObject([{ exact: true, subject: { better: "higher" } }]);
});

it.each([
  ["a,b\n1,2\n", "no-measurements"],
  ["", "no-measurements"],
  ["benchmark,value\n", "no-measurements"],
  ["benchmark,value\na,fast\n", "bad-measurement"],
  ["benchmark,value,unit\na,1,5,s\n", "bad-measurement"],
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

const cellsOf = (text: string): (readonly string[])[] => [...separatedLines(text, "f.csv")].map(({ cells }) => cells);

it("reads series with their labels, without missing values", () => {
  const text = 'commit,"time, s",bytes\r\nabc,1.5,\r\n\r\ndef,nan,7\r\n"gh""i",-2e-3,8';
  expect(readSeriesTable(text, "f.csv")).toEqual([
    { name: "time, s", values: Float64Array.of(1.5, -0.002), labels: ["abc", 'gh"i'] },
    { name: "bytes", values: Float64Array.of(7, 8), labels: ["def", 'gh"i'] },
  ]);
});

it("accepts semicolons, tabs, a byte order mark and short lines", () => {
  expect(readSeriesTable("\uFEFFi;a\n0;1\n1\n2;3", "f.csv")).toEqual([
    { name: "a", values: Float64Array.of(1, 3), labels: ["0", "2"] },
  ]);
  expect(readSeriesTable("i\ta,b\tc\n0\t4\t5", "f.csv")[0]?.name).toBe("a,b");
});

it.each([
  ["", 1, /names no series/],
  ["index\n1", 1, /names no series/],
  ["i,a\n0,1\n1,x", 3, /'x' of series a is not a finite number/],
  ["i,a\n0,inf", 2, /not a finite number/],
  ["i,a\n0,1,2", 2, /3 cells/],
  ['i,a\n0,1\n"1,2\n3', 3, /quote/],
])("refuses %j", (text, line, reason) => {
  expect(() => readSeriesTable(text, "f.csv")).toThrow(
    expect.objectContaining({
      code: "bad-series",
      data: expect.objectContaining({ line, reason: expect.stringMatching(reason) }),
    }),
  );
});

it("reads arbitrary quoted cells", () => {
  const cell = fc
    .string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", ";", "é", " x") })
    .map((text) => `x${text}`);
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));
  fc.assert(
    fc.property(table, (lines) => {
      // The head has more commas than other separators, so the comma is detected.
      const head = lines[0]?.map((_, at) => `n${at}`) ?? [];
      const text = [head, ...lines.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`))]
        .map((cells) => cells.join(","))
        .join("\n");
      expect(cellsOf(text)).toEqual([head, ...lines]);
    }),
  );
});
