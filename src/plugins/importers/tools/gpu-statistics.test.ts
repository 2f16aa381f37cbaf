import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { nsys, rocprof } from "./gpu-statistics.ts";

const files = (folder: string, names: readonly string[]): string[] =>
  names.map((name) => `test/samples/${folder}/${name}`);
reportImporterContract(nsys, files("nsys", ["stats.txt", "kernels.csv"]));
reportImporterContract(rocprof, files("rocprof", ["results.stats.csv", "results.csv", "kernel_stats.csv"]));

const add = {
  benchmark: "add(float *, float *, int)",
  time: expect.closeTo(19.2e-6, 15),
  time_mean: expect.closeTo(1.92e-6, 15),
  time_stddev: expect.closeTo(30.5e-9, 15),
  calls: 10,
  share: 75,
};

test("reads each table of nsys, with the report that it belongs to", async () => {
  const [run] = await readSample(nsys, "test/samples/nsys/stats.txt");
  expect(run!.notices).toEqual([]);
  expect(run!.rows).toMatchObject([
    { report: "cuda_api_sum", benchmark: "cudaMalloc", time: expect.closeTo(8.5124e-3, 12), calls: 3 },
    { report: "cuda_api_sum", benchmark: "cudaLaunchKernel" },
    { report: "cuda_gpu_kern_sum", ...add },
    { report: "cuda_gpu_kern_sum", benchmark: "void reduce<float, (int)256>(const T1 *, T1 *, int)" },
    {
      report: "cuda_gpu_mem_size_sum",
      benchmark: "[CUDA memcpy Host-to-Device]",
      size: expect.closeTo(12.583e6, 6),
      calls: 3,
    },
  ]);
  const [csv] = await readSample(nsys, "test/samples/nsys/kernels.csv");
  expect(csv!.rows).toHaveLength(2);
  expect(csv!.rows[0]).toMatchObject(add);
});

test("reads tables of nsys 2020, whose times have no unit, and names of ranges with blanks", async () => {
  const text =
    "Time(%)  Total Time  Instances  Average  Minimum  Maximum  Style    Range\n" +
    "-------  ----------  ---------  -------  -------  -------  -------  -----------\n" +
    "  100.0        3000          2   1500.0     1400     1600  PushPop  load the data\n";
  const [run] = await readReport(nsys, new TextEncoder().encode(text));
  expect(run!.rows).toMatchObject([
    {
      benchmark: "load the data",
      Style: "PushPop",
      time: expect.closeTo(3e-6, 15),
      time_min: expect.closeTo(1.4e-6, 15),
    },
  ]);
});

test("reads statistics and launches of rocprof: launches are samples, counters are metrics", async () => {
  const [statistics] = await readSample(rocprof, "test/samples/rocprof/results.stats.csv");
  expect(statistics!.rows[0]).toEqual({
    benchmark: "saxpy(int, float const*, int, float*, int) [clone .kd]",
    time: expect.closeTo(48e-6, 15),
    time_mean: expect.closeTo(4.8e-6, 15),
    calls: 10,
    share: 75,
  });
  const [launches] = await readSample(rocprof, "test/samples/rocprof/results.csv");
  expect(launches!.rows.map(({ sample, time, SQ_WAVES, grd }) => [sample, time, SQ_WAVES, grd])).toEqual([
    [1, 4.8e-6, 1024, "65536"],
    [2, 4.9e-6, 1024, "65536"],
    [1, 8e-6, 64, "4096"],
  ]);
  const [third] = await readSample(rocprof, "test/samples/rocprof/kernel_stats.csv");
  expect(third!.rows[1]).toMatchObject({
    time_min: expect.closeTo(340112e-9, 12),
    time_stddev: expect.closeTo(1802.104772e-9, 12),
  });
});

/** Lines that are rows. */
const rows = [
  [nsys, "nsys/stats.txt", /^ +[\d.]+ +[\d,]+ +[\d.]+ /],
  [nsys, "nsys/kernels.csv", /^\d/],
  [rocprof, "rocprof/results.stats.csv", /clone/],
  [rocprof, "rocprof/results.csv", /^\d/],
] as const;

test.each(rows)("%o has a row for each line that is left: %s", async (importer, path, is) => {
  const lines = readFileSync(`test/samples/${path}`, "utf8").split("\n");
  const all = [...lines.keys()].filter((at) => is.test(lines[at]!));
  await fc.assert(
    fc.asyncProperty(fc.subarray(all, { minLength: 1 }), fc.boolean(), async (kept, isAmid) => {
      const left = lines.filter((line, at) => !is.test(line) || kept.includes(at));
      const text = [...(isAmid ? ["$ ./run --all, 3 times", ""] : []), ...left].join("\n");
      const [run] = await readReport(importer, new TextEncoder().encode(text));
      expect(run!.rows).toHaveLength(kept.length);
    }),
    { numRuns: Number(process.env["PERFKEEP_MUTATIONS"] ?? 30) },
  );
});
