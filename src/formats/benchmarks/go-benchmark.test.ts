import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { isGoBenchmark, readGoBenchmarks, goTestText } from "./go-benchmark.ts";

const text = [
  "goos: linux",
  "pkg: example.org/codec",
  "some words before",
  "BenchmarkEncode/format=json/2-8   \t 100\t 1500 ns/op\t 20.5 MB/s\t 64 B/op",
  "pkg: example.org/other",
  "Unit hits/op better=higher assume=exact",
  "BenchmarkPlain 1 7 hits/op",
  "Benchmarklower-4 1 8 ns/op 2 B/op",
  "Benchmarks 1 7 hits",
  "BenchmarkBroken 1 x ns/op",
  "BenchmarkOdd 1 5",
  "PASS",
].join("\r\n");

describe("results of Go benchmarks", () => {
  const { results, units } = readGoBenchmarks(text);

  it("have names with parts, processors, tidied values and the current configuration", () => {
    expect(results).toHaveLength(3);
    expect(results[0]).toMatchObject({
      line: 4,
      name: "Encode/format=json/2-8",
      base: "Encode",
      processors: 8,
      iterations: 100,
    });
    expect([...results[0]!.parameters]).toEqual([
      ["format", "json"],
      ["2", "2"],
    ]);
    expect(results[0]!.values).toEqual([
      { value: 1500 / 1e9, unit: "sec/op" },
      { value: 20.5e6, unit: "B/s" },
      { value: 64, unit: "B/op" },
    ]);
    expect(results[0]!.configuration.get("pkg")).toBe("example.org/codec");
    expect(results[1]).toMatchObject({ name: "Plain", processors: null });
    expect(results[1]!.configuration.get("pkg")).toBe("example.org/other");
    expect(results[2]).toMatchObject({ name: "lower-4", processors: 4, iterations: 1 });
  });

  it("have the properties of Unit lines", () => {
    expect(units.get("hits/op")).toEqual({ better: "higher", exact: true });
  });

  it("are not detected in other texts", () => {
    expect(isGoBenchmark(text)).toBe(true);
    expect(isGoBenchmark("benchmark,value\na,1\n")).toBe(false);
    fc.assert(fc.property(fc.string(), (any) => void readGoBenchmarks(any)));
  });
});

const event = (name: string, output: string): string =>
  JSON.stringify({ Action: "output", Package: name, Output: output });

test("a text without events is unchanged", () => {
  expect(goTestText(["a", "", '{"x": 1}'])).toBe('a\n\n{"x": 1}');
});

test("groups interleaved output by package", () => {
  const lines = [
    "building",
    event("p", "BenchmarkA \t"),
    event("q", "BenchmarkB 1 2 ns/op\n"),
    '{"Action":"start"}',
    event("p", " 1\t3 ns/op\n"),
  ];
  expect(goTestText(lines)).toBe('building\n{"Action":"start"}\n\nBenchmarkA \t 1\t3 ns/op\n\nBenchmarkB 1 2 ns/op\n');
});

test("a damaged event stays a line", () => {
  const damaged = '{"Action":"output","Output":7}';
  expect(goTestText([event("p", "x\n"), damaged, '{"Action":"output",'])).toBe(
    `${damaged}\n{"Action":"output",\n\nx\n`,
  );
});
