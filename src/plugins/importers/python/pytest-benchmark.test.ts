import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { pytestBenchmark } from "./pytest-benchmark.ts";

const folder = "test/samples/pytest-benchmark";

reportImporterContract(
  pytestBenchmark,
  ["samples.json", "plain.json"].map((name) => `${folder}/${name}`),
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
