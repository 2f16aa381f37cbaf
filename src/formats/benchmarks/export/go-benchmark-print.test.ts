import fc from "fast-check";
import { expect, test } from "vitest";
import { comparableRun, exportedRun } from "../../../../test/contracts/exported-measurements.ts";
import { readReport, readSample, type ReadRun } from "../../../../test/contracts/report-importer.ts";
import type { MeasuredRun, Measurement } from "../../../core/measurements/measurement.ts";
import { goBench } from "../../../plugins/importers/native/go-bench.ts";
import { GoBenchmarkPrinter } from "./go-benchmark-print.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function written(run: ReadRun): string {
  const exported = exportedRun(run);
  const text = new GoBenchmarkPrinter(exported.quantities);
  const head = text.head();
  text.run(exported.run);
  return head + exported.measurements.map((each) => text.row(each)).join("");
}

const run: MeasuredRun = { number: 1, performed: 0, facts: new Map([["Go version", "go1.22\n"]]), commit: "0123456" };
const measurement = (benchmark: string, parameters: Readonly<Record<string, string>> = {}): Measurement => ({
  benchmark,
  parameters: new Map(Object.entries(parameters)),
  values: [1.5e-7],
});

test("prints the format of benchstat", async () => {
  const text = new GoBenchmarkPrinter([
    { name: "time", unit: "s", better: "lower" },
    { name: "bytes", unit: "Byte", better: "lower" },
    { name: "iterations", unit: "" },
    { name: "hit_rate", unit: "", better: "higher" },
    { name: "p99", unit: "s" },
    { name: "copied", unit: "Byte/s" },
  ]);
  const head = text.head();
  text.run(run);
  const first = text.row({
    benchmark: "encode",
    parameters: new Map([
      ["format", "json"],
      ["procs", "8"],
    ]),
    values: [2e-7, 64, 1000, Number.NaN, 0.25, 1e9],
  });
  text.run({ ...run, commit: "89abcde", facts: new Map() });
  const second = text.row({
    benchmark: "encode",
    parameters: new Map([["pkg", "a b"]]),
    values: [2e-7, Infinity, 0.5, 1, Number.NaN, Number.NaN],
  });
  expect(`${head}${first}${second}`.split("\n")).toEqual([
    "Unit ns/op better=lower",
    "Unit B/op better=lower",
    "Unit hit_rate better=higher",
    "go-version: go1.22",
    "commit: 0123456",
    "BenchmarkEncode/format=json-8 1000 200 ns/op 64 B/op 250000000 p99-ns/op 1000000000 copied-B/s",
    "go-version:",
    "commit: 89abcde",
    "pkg: a b",
    "BenchmarkEncode 1 200 ns/op 1 hit_rate",
    "",
  ]);
});

test("ambiguous names are changed and stay distinct", () => {
  const text = new GoBenchmarkPrinter([{ name: "time", unit: "s" }]);
  const nameOf = (each: Measurement): string => text.row(each).split(" ")[0]!;
  expect(nameOf(measurement("sleep 1"))).toBe("BenchmarkSleep_1");
  expect(nameOf(measurement("Sleep\t1"))).toBe("BenchmarkSleep_1#01");
  expect(nameOf(measurement("sleep 1"))).toBe("BenchmarkSleep_1");
  expect(nameOf(measurement("crc-32"))).toBe("BenchmarkCrc_32");
  expect(nameOf(measurement("crc-32", { procs: "2" }))).toBe("BenchmarkCrc-32-2");
  expect(nameOf(measurement("A", { Path: "a/b c" }))).toBe("BenchmarkA/Path=a_b_c");
  expect(nameOf(measurement("A", { Size: "8", Shift: "-1" }))).toBe("BenchmarkA/Shift=-1/Size=8");
  expect(nameOf(measurement("A", { Shift: "-1" }))).toBe("BenchmarkA/Shift=_1");
  expect(nameOf(measurement("A/b", { Shift: "-1" }))).toBe("BenchmarkA/Shift=-1/b");
  expect(text.row(measurement("A", { path: "a/b c" }))).toBe("path: a/b c\nBenchmarkA 1 150 ns/op\n");
  expect(text.row(measurement(""))).toBe("path:\nBenchmark_ 1 150 ns/op\n");
  expect(text.row({ ...measurement("A"), values: [1e306] })).toBe("BenchmarkA 1 1e+306 sec/op\n");
  expect(text.row({ ...measurement("A"), values: [Number.NaN] })).toBe("");
});

test("differing facts of several runs become parameters", async () => {
  const text = new GoBenchmarkPrinter([{ name: "time", unit: "s" }]);
  text.run({ ...run, facts: new Map([["host", "a"]]) });
  const first = text.row(measurement("A"));
  text.run({ ...run, facts: new Map() });
  const [read] = await readReport(goBench, bytes(first + text.row(measurement("A"))));
  expect(read!.about.commit).toBe("0123456");
  expect(read!.rows).toEqual([
    { benchmark: "A", host: "a", iterations: 1, time: 1.5e-7 },
    { benchmark: "A", iterations: 1, time: 1.5e-7 },
  ]);
});

test.each(["count3.txt", "cpu.txt", "configured.txt"])("%s survives a round trip", async (name) => {
  for (const found of await readSample(goBench, `test/samples/go-bench/${name}`)) {
    const [again] = await readReport(goBench, bytes(written(found)));
    expect(comparableRun(again!)).toEqual(comparableRun(found));
  }
});

const word = fc.stringMatching(/^[A-Z][A-Za-z0-9_.é]{0,5}$/);
const key = fc.constantFrom("format", "size", "k", "procs_", "Key");
const value = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_.=]{0,4}$/), fc.integer().map(String));
const name = fc
  .tuple(
    word,
    fc.array(
      fc.oneof(
        word,
        fc.tuple(key, value).map(([k, v]) => `${k}=${v}`),
      ),
      { maxLength: 3 },
    ),
    fc.option(fc.integer({ min: 1, max: 64 })),
  )
  .map(([base, parts, procs]) => `Benchmark${[base, ...parts].join("/")}${procs === null ? "" : `-${procs}`}`);
const units = [
  "ns/op",
  "MB/s",
  "B/op",
  "allocs/op",
  "p99-ns/op",
  "wait-sec",
  "peak-bytes",
  "peak-B/op",
  "read-MB/s",
  "req/s",
  "hits",
  "misses/op",
  "sec",
];
const number = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.double({ min: 1e-6, max: 1e12, noNaN: true }).map((each) => Number(each.toPrecision(12))),
);
const line = fc
  .tuple(
    name,
    fc.integer({ min: 1, max: 1e9 }),
    fc.uniqueArray(fc.constantFrom(...units), { minLength: 1, maxLength: 5 }),
    fc.array(number, { minLength: 5, maxLength: 5 }),
  )
  .map(([full, count, own, numbers]) => [full, count, ...own.map((unit, at) => `${numbers[at]} ${unit}`)].join(" "));
const configurationValue = fc.stringMatching(/^[a-z]{1,4}( [a-z]{1,3})?$/);
const configuration = fc.oneof(
  fc.tuple(fc.constantFrom("goos", "goarch", "pkg", "cpu", "note"), configurationValue).map(([k, v]) => `${k}: ${v}`),
  fc.stringMatching(/^[a-f0-9]{7}$/).map((commit) => `commit: ${commit}`),
);
const unitLine = fc
  .tuple(fc.constantFrom(...units), fc.constantFrom("lower", "higher"))
  .map(([unit, better]) => `Unit ${unit} better=${better}`);

test("Go text -> experiment -> Go text -> experiment is lossless", async () => {
  const lines = fc.array(fc.oneof({ weight: 4, arbitrary: line }, configuration, unitLine), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, line, async (some, last) => {
      for (const found of await readReport(goBench, bytes([...some, last].join("\n")))) {
        const [again, ...more] = await readReport(goBench, bytes(written(found)));
        expect(more).toEqual([]);
        expect(comparableRun(again!)).toEqual(comparableRun(found));
      }
    }),
    { numRuns: 200 },
  );
});
