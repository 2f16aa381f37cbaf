import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { benchmarkdotnet } from "./benchmarkdotnet.ts";

const folder = "test/samples/benchmarkdotnet";

reportImporterContract(
  benchmarkdotnet,
  ["full.json"].map((name) => `${folder}/${name}`),
);

test("jobs and parameters distinguish cases, times are seconds", async () => {
  const [run] = await readSample(benchmarkdotnet, `${folder}/full.json`);
  expect(run!.rows.map(({ N, Kind, job, time }) => [N, Kind, job, time])).toEqual([
    [100, "fast", "ShortRun(IterationCount=3, LaunchCount=1, WarmupCount=3)", 1.5e-6],
    [100, "fast", "ShortRun(IterationCount=3, LaunchCount=1, WarmupCount=3)", 1.6e-6],
    [100, "fast", "ShortRun(IterationCount=3, LaunchCount=1, WarmupCount=3)", 1.7e-6],
    [100, "fast", "Job-ABC(Runtime=.NET 9.0)", 1.2e-6],
    [100, "fast", "Job-ABC(Runtime=.NET 9.0)", 1.3e-6],
  ]);
  expect(run!.rows[0]).toMatchObject({
    benchmark: "Example.Sorting.Sort",
    mean: 1.6e-6,
    stddev: 1e-7,
    lower: 1.35e-6,
    upper: 1.85e-6,
  });
  expect(run!.rows[0]).toMatchObject({ bytes: 424, gen0: 0.5, gen1: 0.125, gen2: 0 });
  expect(run!.once).toMatchObject({ benchmarkdotnet: "0.14.0", cpu: "Intel Xeon" });
  expect(run!.about.performed).toBe(Date.UTC(2026, 2, 1, 12) * 1000);
});

test("a file whose benchmarks all failed has no results", async () => {
  const text = '{"HostEnvironmentInfo": {}, "Benchmarks": [{"Method": "a", "Statistics": null}]}';
  await expect(readReport(benchmarkdotnet, new TextEncoder().encode(text))).rejects.toMatchObject({
    code: "no-results",
  });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"Benchmarks": [{"Statistics": {"Mean": 1}}]}');
  await expect(readReport(benchmarkdotnet, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: Benchmarks[0]: it has no "FullName"',
  });
});

test("keeps ampersands within values of parameters", async () => {
  const document = {
    HostEnvironmentInfo: { BenchmarkDotNetVersion: "0.13" },
    Benchmarks: [{ Type: "B", Method: "M", Parameters: "N=10&S=a&b&T=x=y", Statistics: { Mean: 1 } }],
  };
  const [run] = await readReport(benchmarkdotnet, new TextEncoder().encode(JSON.stringify(document)));
  expect(run!.rows).toEqual([{ benchmark: "B.M", N: 10, S: "a&b", T: "x=y", mean: 1e-9 }]);
});

test("a class outside of a namespace has no prefix", async () => {
  const entry = { Namespace: null, Type: "B", Method: "M", Parameters: null, DisplayInfo: null, Memory: null };
  const document = {
    Title: null,
    HostEnvironmentInfo: { BenchmarkDotNetVersion: "0.13" },
    Benchmarks: [{ ...entry, FullName: "B.M", Statistics: { Mean: 1 } }],
  };
  const [run] = await readReport(benchmarkdotnet, new TextEncoder().encode(JSON.stringify(document)));
  expect(run!.rows).toEqual([{ benchmark: "B.M", mean: 1e-9 }]);
});
