import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { pytestBenchmark } from "./pytest-benchmark.ts";

const folder = "test/samples/pytest-benchmark";

reportImporterContract(
  pytestBenchmark,
  ["samples.json", "plain.json", "console.txt", "compared.txt"].map((name) => `${folder}/${name}`),
);

test("keeps every sample and pytest-benchmark's statistics", async () => {
  const [run] = await readSample(pytestBenchmark, `${folder}/samples.json`);
  const rows = run!.rows.filter(({ benchmark }) => benchmark === "test_sort.py::test_sorted");
  expect(rows).toHaveLength(46);
  expect(rows[0]).toMatchObject({ time: 4.974004696123302e-6, mean: 4.593152128939477e-6, rounds: 46, iterations: 1 });
  expect(rows.reduce((sum, { time }) => sum + Number(time), 0) / 46).toBeCloseTo(4.593152128939477e-6, 15);
  expect(run!.once).toMatchObject({ pytest_benchmark: "5.2.3", python: "3.11.7", branch: "master", dirty: false });
  expect(run!.about).toMatchObject({ commit: "04d7f68b7c65544c4b7b38f425c7fd012a16ad94" });
});

test("parameters are those of pytest", async () => {
  const [run] = await readSample(pytestBenchmark, `${folder}/plain.json`);
  expect(run!.rows.map(({ benchmark, kind, size, group }) => [benchmark, kind, size, group])).toEqual([
    ["test_sort.py::test_copy", "list", 10, undefined],
    ["test_sort.py::test_copy", "list", 1000, undefined],
    ["test_sort.py::test_copy", "tuple", 10, undefined],
    ["test_sort.py::test_copy", "tuple", 1000, undefined],
    ["test_sort.py::test_join", undefined, undefined, "joins"],
  ]);
});

test.each([
  [
    { name: "t[a-1]", fullname: "a[b].py::t[a-1]" },
    { benchmark: "a[b].py::t", param: "a-1" },
  ],
  [
    { name: "t[f0]", fullname: "a.py::t[f0]", params: { f: { x: 1 }, n: 2 } },
    { benchmark: "a.py::t", n: 2, param: "f0" },
  ],
  [{ name: "t", fullname: "a[b].py::t" }, { benchmark: "a[b].py::t" }],
])("the text in brackets replaces missing parameters: %j", async (entry, expected) => {
  const text = JSON.stringify({ benchmarks: [{ ...entry, stats: { mean: 1, data: [1, "cut"] } }] });
  const [run] = await readReport(pytestBenchmark, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ ...expected, mean: 1 }]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"machine_info": {}, "benchmarks": [{"name": "a"}]}');
  await expect(readReport(pytestBenchmark, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: benchmarks[0]: it has no "stats"',
  });
});

test("reads the tables of the console in their units, with groups and the text in brackets", async () => {
  const [run] = await readSample(pytestBenchmark, `${folder}/console.txt`);
  expect(run!.once).toEqual({ pytest_benchmark: "5.2.3" });
  expect(run!.rows.map(({ benchmark, param, group, min, rate }) => [benchmark, param, group, min, rate])).toEqual([
    ["test_sleep", undefined, undefined, 0.010106, 95.6997],
    ["test_size", "10", "sort", 1.404e-7, 2_166_882.1],
    ["test_sort", undefined, "sort", 4.256e-6, 106_872.1],
    ["test_size", "100000", "sort", 6.454190002e-4, 1394.2],
  ]);
  expect(run!.rows[1]).toEqual({
    benchmark: "test_size",
    param: "10",
    group: "sort",
    min: 1.404e-7,
    max: 2.4097802e-4,
    mean: 4.614926e-7,
    stddev: 5.688801e-6,
    median: 1.4261e-7,
    iqr: 2.2e-9,
    rate: 2_166_882.1,
    rounds: 6172,
    iterations: 100,
  });
});

test("leaves out earlier runs next to the measured one, and says so", async () => {
  const [run] = await readSample(pytestBenchmark, `${folder}/compared.txt`);
  expect(run!.rows.map(({ benchmark, param }) => [benchmark, param])).toEqual([
    ["test_sleep", undefined],
    ["test_size", "10"],
    ["test_sort", undefined],
    ["test_size", "100000"],
  ]);
  expect(run!.notices.join()).toContain("left out: 4 rows of earlier runs");
});

test("reads selected columns, and names with blanks", async () => {
  const text = [
    "------ benchmark: 2 tests ------",
    "Name (time in us)          Mean              OPS (Kops/s)",
    "--------------------------------",
    "test_a[x (1.0) y]       1.5000 (1.0)         638.1621 (1.0)",
    "test_b              1,234.5000 (>1000.0)       0.8100 (0.00)",
    "test_c                     nan (inf)              inf (inf)",
    "--------------------------------",
  ].join("\r\n");
  const [run] = await readReport(pytestBenchmark, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([
    { benchmark: "test_a", param: "x (1.0) y", mean: 1.5e-6, rate: 638_162.1 },
    { benchmark: "test_b", mean: 1.2345e-3, rate: 810 },
  ]);
});
