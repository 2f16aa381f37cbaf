import { expect, test } from "vitest";
import { goTestText } from "./go-benchmark.ts";

const event = (name: string, output: string): string =>
  JSON.stringify({ Action: "output", Package: name, Output: output });

test("a text without events is itself", () => {
  expect(goTestText(["a", "", '{"x": 1}'])).toBe('a\n\n{"x": 1}');
});

test("the output of each package is whole, however packages take turns", () => {
  const lines = [
    "building",
    event("p", "BenchmarkA \t"),
    event("q", "BenchmarkB 1 2 ns/op\n"),
    '{"Action":"start"}',
    event("p", " 1\t3 ns/op\n"),
  ];
  expect(goTestText(lines)).toBe('building\n{"Action":"start"}\n\nBenchmarkA \t 1\t3 ns/op\n\nBenchmarkB 1 2 ns/op\n');
});

test("what only looks like an event stays a line", () => {
  const damaged = '{"Action":"output","Output":7}';
  expect(goTestText([event("p", "x\n"), damaged, '{"Action":"output",'])).toBe(
    `${damaged}\n{"Action":"output",\n\nx\n`,
  );
});
