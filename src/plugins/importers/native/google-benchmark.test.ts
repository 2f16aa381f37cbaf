import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { googleBenchmark } from "./google-benchmark.ts";

const folder = "test/samples/google-benchmark";

reportImporterContract(
  googleBenchmark,
  ["plain.json", "repeated.json", "plain.txt", "repeated.txt", "tabular.txt", "plain.csv", "repeated.csv"].map(
    (name) => `${folder}/${name}`,
  ),
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
  expect(rows[0]).toMatchObject({
    mean: 2.1087421067241624e-7,
    median: 2.1893676053251644e-7,
    cpu_median: 1.4213182758587814e-7,
  });
  expect(rows[1]).not.toHaveProperty("mean");
});

test("reads aggregates of any name if there is nothing else", async () => {
  const text = [
    '{"benchmarks": [{"name": "a_zz", "run_type": "aggregate", "aggregate_name": "zz", ',
    '"aggregate_unit": "percentage", "real_time": 3, "time_unit": "ms"}]}',
  ].join("");
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

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"benchmarks": [{"name": "a", "real_time": 1, "time_unit": "h"}]}');
  await expect(readReport(googleBenchmark, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: benchmarks[0].time_unit: 'h' is not ns, us, ms or s",
  });
});

const named = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readSample(googleBenchmark, `${folder}/${file}`)).flatMap(({ rows }) => rows as Record<string, unknown>[]);

test("reads the console with counters", async () => {
  const rows = await named("plain.txt");
  expect(rows.map(({ benchmark, arg1, size, threads }) => [benchmark, arg1 ?? size, threads])).toEqual([
    ["BM_sort", 64, undefined],
    ["BM_sort", 512, undefined],
    ["BM_sort", 4096, undefined],
    ["BM_copy", 1024, 1],
    ["BM_copy", 1024, 2],
    ["BM_copy", 65_536, 1],
    ["BM_copy", 65_536, 2],
    ["BM_wait", undefined, undefined],
    ["BM_pair<int, double>", undefined, undefined],
  ]);
  expect(rows[0]).toMatchObject({ time: 1.2e-6, cpu_time: 2.3e-7, iterations: 112_776, items_per_second: 278.29e6 });
  expect(rows[3]!["bytes_per_second"]).toBeCloseTo(121.563 * 2 ** 30, -3);
  expect(rows[7]).toMatchObject({ time: 0.702e-3, hits: 42.5, real_time: true });
  expect(rows[7]!["rate"]).toBeCloseTo(27_929.3, 6);
  expect((await named("tabular.txt"))[7]).toMatchObject({ benchmark: "BM_wait", hits: 42.5, big: 1_234_570 });
});

test("repetitions of the console and of CSV are samples", async () => {
  const text = (await named("repeated.txt")).filter(({ benchmark, arg1 }) => benchmark === "BM_sort" && arg1 === 64);
  expect(text.map(({ sample, time }) => [sample, time])).toEqual([
    [1, 7.5e-7],
    [2, 1.62e-6],
    [3, 1.302e-6],
  ]);
  expect(text[0]).toMatchObject({ mean: 1.224e-6, median: 1.302e-6, stddev: 4.41e-7, cv: 0.36, cpu_cv: 0.004 });
  const csv = (await named("repeated.csv")).filter(({ arg1 }) => arg1 === 512);
  expect(csv).toHaveLength(3);
  expect(csv[0]).toMatchObject({ time: 20396e-9, mean: 9760.9e-9, stddev: 9340.99e-9 });
  expect(csv[0]).not.toHaveProperty("cv");
  expect((await named("plain.csv")).map(({ benchmark }) => benchmark)).not.toContain("BM_fails");
});

test("a benchmark may have the name of a statistic", async () => {
  const text = [
    "Benchmark   Time   CPU   Iterations",
    "BM_mean   3 ns   2 ns   10",
    "BM_x   5 ns   4 ns   10 1.2.3",
    "BM_y   1.2.3 ns   4 ns   10",
    "",
  ].join("\n");
  const [run] = await readReport(googleBenchmark, new TextEncoder().encode(text));
  expect(run!.rows).toMatchObject([
    { benchmark: "BM_mean", time: 3e-9 },
    { benchmark: "BM_x", cpu_time: 4e-9 },
  ]);
});

test("the console's statistics of a benchmark are statistics", async () => {
  const lines = [
    "Benchmark  Time  CPU  Iterations",
    ...["", "", "_mean", "_median", "_largest"].map((end) => `BM_x/repeats:2${end}   3 ns   2 ns   7`),
  ];
  const [run] = await readReport(googleBenchmark, new TextEncoder().encode(lines.join("\n")));
  expect(run!.rows).toMatchObject([{ benchmark: "BM_x", repeats: 2, sample: 1, largest: 3e-9 }, { sample: 2 }]);
});

test("JSON after other lines, and several documents", async () => {
  const document = await readFile(`${folder}/plain.json`, "utf8");
  const runs = await readReport(googleBenchmark, new TextEncoder().encode(`Built in 3 s\n${document}\n${document}`));
  const [plain] = await readReport(googleBenchmark, new TextEncoder().encode(document));
  expect(runs).toEqual([plain, plain]);
});
