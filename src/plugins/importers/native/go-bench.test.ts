import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { goBench } from "./go-bench.ts";

const folder = "test/samples/go-bench";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  goBench,
  ["count3.txt", "cpu.txt", "configured.txt", "events.json", "printing.txt"].map((name) => `${folder}/${name}`),
);

test("reads repetitions as samples, parts of names as parameters, and the package", async () => {
  const [run] = await readSample(goBench, `${folder}/count3.txt`);
  expect(run!.once).toEqual({ goos: "linux", goarch: "amd64", cpu: "Intel(R) Xeon(R) Processor" });
  expect(run!.rows).toHaveLength(18);
  expect(run!.rows[1]).toEqual({
    benchmark: "Join",
    size: 10,
    sep: "comma",
    procs: 2,
    pkg: "example.org/words",
    sample: 2,
    iterations: 2e3,
    time: 1.693e-7,
    rate: 5908e4,
    words: 10,
    bytes: 16,
    allocations: 1,
  });
  expect(run!.rows.at(-1)).toMatchObject({
    benchmark: "Count/plain/ascii",
    pkg: "example.org/words/count",
    sample: 3,
    time: 4.209e-8,
  });
});

test("distinguishes runs with one processor from runs with two", async () => {
  const [run] = await readSample(goBench, `${folder}/cpu.txt`);
  expect(run!.rows.slice(-2).map(({ procs, time }) => [procs, time])).toEqual([
    [undefined, 3.106e-8],
    [2, 3.809e-8],
  ]);
});

test("reads units, directions, the commit, and configuration that varies within the file", async () => {
  const [run] = await readSample(goBench, `${folder}/configured.txt`);
  expect([run!.about.commit, run!.once]).toEqual([
    "7cd9055b1e2f",
    { goos: "linux", "commit-time": "2016-02-11T13:25:45Z" },
  ]);
  expect(run!.rows.map(({ toolchain }) => toolchain)).toEqual(["go1.21", "go1.22", "go1.22"]);
  const results = run!.variables.filter(({ role }) => role === "result").map(({ name, better }) => [name, better]);
  expect(results).toEqual([
    ["time", "lower"],
    ["hits", "higher"],
    ["peak-bytes", "lower"],
    ["p99", "lower"],
    ["req_s", "higher"],
    ["iterations", "higher"],
  ]);
  expect(run!.rows[2]).toMatchObject({ benchmark: "Serve", p99: 2e-6, req_s: 812.5 });
});

test("reports values that are no finite numbers, and keeps the others of their line", async () => {
  const lines = ["BenchmarkA-4 100 NaN ns/op 3.5 ratio", "BenchmarkB 100 12.5 ns/op", "BenchmarkC 100 +Inf x/op"];
  const [run] = await readReport(goBench, bytesOf(`${lines.join("\n")}\n`));
  expect(run!.rows).toEqual([
    { benchmark: "A", procs: 4, iterations: 100, ratio: 3.5 },
    { benchmark: "B", iterations: 100, time: 1.25e-8 },
  ]);
  expect(run!.notices).toEqual([
    "line 1: 'NaN ns/op' of A-4 was skipped: it is no finite number",
    "line 3: '+Inf x/op' of C was skipped: it is no finite number",
  ]);
});

test("keeps names that would become equal separate, and commits", async () => {
  const text = [
    "commit: aaaaaaa",
    "BenchmarkA/x=1/b 1 5 ns/op",
    "BenchmarkA/b/x=1 1 6 ns/op",
    "commit: bbbbbbb",
    "BenchmarkA/b=1/b=2 1 7 ns/op",
  ];
  const runs = await readReport(goBench, bytesOf(text.join("\n")));
  expect(runs.map(({ about }) => about.commit)).toEqual(["aaaaaaa", "bbbbbbb"]);
  expect(runs[0]!.rows.map(({ benchmark, x }) => [benchmark, x])).toEqual([
    ["A/b", 1],
    ["A/b/x=1", undefined],
  ]);
  expect(runs[1]!.rows).toEqual([{ benchmark: "A/b=2", b: 1, time: 7e-9, iterations: 1 }]);
  await expect(readReport(goBench, bytesOf("PASS\n"))).rejects.toMatchObject({ code: "no-results" });
});

test("reads the events of -json, and results split by a benchmark's own lines", async () => {
  const [events] = await readSample(goBench, `${folder}/events.json`);
  expect(events!.once).toEqual({ goos: "linux", goarch: "amd64", cpu: "Intel(R) Xeon(R) Processor" });
  expect(events!.rows.map(({ benchmark, n, time, pkg }) => [benchmark, n, time, pkg])).toEqual([
    ["Sort", 10, 394e-9, "example.org/sorts"],
    ["Sort", 100, 1406e-9, "example.org/sorts"],
    ["Log", undefined, 3758e-9, "example.org/sorts"],
    ["Print", undefined, 4341e-9, "example.org/sorts"],
  ]);
  const [printing] = await readSample(goBench, `${folder}/printing.txt`);
  expect(printing!.rows.filter(({ benchmark }) => benchmark === "Print")).toMatchObject([
    { procs: 2, sample: 1, time: 2615e-9, bytes: 14 },
    { sample: 2, time: 4983e-9 },
  ]);
});
