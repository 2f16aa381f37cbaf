import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { googleBenchmark } from "./google-benchmark.ts";

const folder = "test/samples/google-benchmark";

reportImporterContract(
  googleBenchmark,
  ["plain.json", "repeated.json"].map((name) => `${folder}/${name}`),
);

test("names are a benchmark and its parameters, times are seconds", async () => {
  const [run] = await readSample(googleBenchmark, `${folder}/plain.json`);
  expect(
    run!.rows.map(({ benchmark, arg1, size, align, threads, iterations_, real_time }) => [
      benchmark,
      arg1,
      size,
      align,
      threads,
      iterations_,
      real_time,
    ]),
  ).toEqual([
    ["BM_sort", 64, undefined, undefined, undefined, undefined, undefined],
    ["BM_sort", 256, undefined, undefined, undefined, undefined, undefined],
    ["BM_sort", 1024, undefined, undefined, undefined, undefined, undefined],
    ["BM_copy", undefined, 4096, 8, undefined, undefined, undefined],
    ["BM_copy", undefined, 65536, 8, undefined, undefined, undefined],
    ["BM_wait", undefined, undefined, undefined, 1, 20, true],
    ["BM_wait", undefined, undefined, undefined, 2, 20, true],
    ["BM_empty<int>", undefined, undefined, undefined, undefined, undefined, undefined],
  ]);
  expect(run!.rows[0]).toMatchObject({
    time: 2.2642450457400699e-7,
    cpu_time: 1.4709331342535552e-7,
    bytes_per_second: 1.7403918236562848e9,
  });
  expect(run!.rows[5]).toMatchObject({ time: 0.28245570028957445e-3, iterations: 20 });
  expect(run!.rows[3]).toMatchObject({ copied: 1.4738521854356487e5 });
  expect(run!.once).toMatchObject({ num_cpus: 2, library_build_type: "debug" });
  expect(run!.about.performed).toBe(Date.UTC(2026, 10, 21, 21, 50, 33) * 1000);
});

test("repetitions are samples, aggregates are statistics", async () => {
  const [run] = await readSample(googleBenchmark, `${folder}/repeated.json`);
  const rows = run!.rows.filter(({ benchmark, arg1 }) => benchmark === "BM_sort" && arg1 === 64);
  expect(rows.map(({ sample, time }) => [sample, time])).toEqual([
    [1, 2.1893676053251642e2 / 1e9],
    [2, 2.196733437355866e2 / 1e9],
    [3, 1.9401252774914582e2 / 1e9],
  ]);
  expect(rows[0]).toMatchObject({ mean: 2.1087421067241624e-7, median: 2.1893676053251644e-7, cpu_median: 1.4213182758587814e-7 });
  expect(rows[1]).not.toHaveProperty("mean");
});

test("takes aggregates of any name where there is nothing else", async () => {
  const text =
    '{"benchmarks": [{"name": "a_zz", "run_type": "aggregate", "aggregate_name": "zz", "aggregate_unit": "percentage", "real_time": 3, "time_unit": "ms"}]}';
  const [run] = await readReport(googleBenchmark, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "a_zz", time: 0.003 }]);
});

test.each([
  ["a<std::pair<int, 4/2>>/8", "a<std::pair<int, 4/2>>", { arg1: 8 }],
  ["Prefix/BM/08", "Prefix/BM/08", {}],
  ["BM/8/size:x/4", "BM", { arg1: 8, size: "x", arg3: 4 }],
  ["std::sort", "std::sort", {}],
  ["a/n:1/n:2", "a/n:1", { n: 2 }],
])("%s", async (name, benchmark, parameters) => {
  const text = JSON.stringify({ benchmarks: [{ name, real_time: 1, time_unit: "s" }] });
  const [run] = await readReport(googleBenchmark, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark, ...parameters, time: 1 }]);
});

test("tells what is wrong, and where", async () => {
  const bytes = new TextEncoder().encode('{"benchmarks": [{"name": "a", "real_time": 1, "time_unit": "h"}]}');
  await expect(readReport(googleBenchmark, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: benchmarks[0].time_unit: 'h' is none of ns, us, ms, s",
  });
});
