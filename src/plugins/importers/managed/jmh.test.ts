import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { jmh } from "./jmh.ts";

const folder = "test/samples/jmh";

reportImporterContract(
  jmh,
  ["modes.json", "console.txt"].map((name) => `${folder}/${name}`),
);

test("keeps the samples of all forks in base units", async () => {
  const [run] = await readSample(jmh, `${folder}/modes.json`);
  const rows = run!.rows.filter(({ mode }) => mode === "thrpt");
  expect(rows.map(({ rate }) => rate)).toEqual([12_000, 13_000, 11_500, 13_500]);
  expect(rows[0]).toMatchObject({ benchmark: "org.example.Sorting.sort", kind: "list", size: 1000, threads: 2 });
  expect(rows[0]).toMatchObject({
    rate_mean: 12_500,
    rate_error: 1250,
    rate_lower: 11_250,
    rate_upper: 13_750,
    "gc.alloc.rate": 249e6,
    "gc.count": 2,
  });
  expect(run!.once).toMatchObject({ jmh: "1.37", jdk: "17.0.15" });
});

test("modes that measure times have time units", async () => {
  const [run] = await readSample(jmh, `${folder}/modes.json`);
  expect(run!.rows.filter(({ mode }) => mode === "ss")).toMatchObject([{ time: 0.0045, mean: 0.0045, median: 0.0045 }]);
  const sampled = run!.rows.filter(({ mode }) => mode === "sample");
  expect(sampled.map(({ time }) => time)).toEqual([2e-6, 2e-6, 2e-6, 4e-6]);
  expect(sampled[0]).toMatchObject({ kind: "array", mean: 2.25e-6, p99: 4e-6, upper: 2.75e-6 });
});

test("does not expand an unbounded histogram", async () => {
  const metric = { score: 1, scoreUnit: "s/op", rawDataHistogram: [[[[1, 1e15]]]] };
  const bytes = new TextEncoder().encode(JSON.stringify([{ benchmark: "a", mode: "sample", primaryMetric: metric }]));
  const [run] = await readReport(jmh, bytes);
  expect(run!.rows).toEqual([{ benchmark: "a", mode: "sample", mean: 1 }]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('[{"benchmark": "a", "primaryMetric": {"score": 1}}]');
  await expect(readReport(jmh, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: [0].primaryMetric: it has no "scoreUnit"',
  });
});

test("reads the table at the end of its output, with percentiles and secondary metrics in separate rows", async () => {
  const [run] = await readSample(jmh, `${folder}/console.txt`);
  const sort = { benchmark: "SortBench.sort", kind: "int", mode: "thrpt" };
  expect(run!.rows).toEqual([
    { ...sort, size: 100, rate_mean: 812_125, rate_error: 10_250, "gc.alloc.rate": 512_500_000, "gc.count": 12 },
    { ...sort, size: 1000, rate_mean: 80_500, rate_error: 1250 },
    { benchmark: "SortBench.find", mode: "avgt", mean: 3.25e-6 },
    { benchmark: "SortBench.walk", mode: "sample", mean: 2e-9, error: 0.125e-9, min: 1e-9, median: 2e-9, max: 9e-9 },
  ]);
});

test("reads the table of old versions, and the decimals of other locales", async () => {
  const text = [
    "Benchmark   Mode  Samples  Score  Score error  Units",
    "o.s.B.m    thrpt       20  1234,5        2,25  ops/s",
    "o.s.B.n  avgt 5 NaN ops/s",
    "",
  ].join("\n");
  const [run] = await readReport(jmh, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "o.s.B.m", mode: "thrpt", rate_mean: 1234.5, rate_error: 2.25 }]);
});
