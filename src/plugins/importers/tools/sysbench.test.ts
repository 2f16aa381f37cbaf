import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { sysbench } from "./sysbench.ts";

const folder = "test/samples/sysbench";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  sysbench,
  ["cpu-2-threads-1.txt", "memory-1K-1-threads-1.txt", "fileio-rndrd-4K-1.txt", "intervals.txt"].map(
    (name) => `${folder}/${name}`,
  ),
);

const sql = `sysbench 1.1.0-df89d34 (using bundled LuaJIT 2.1.0-beta3)

Number of threads: 4
SQL statistics:
    transactions:                        1200   (119.97 per sec.)
    queries:                             24000  (2399.41 per sec.)
General statistics:
    total time:                          10.0021s
    total number of events:              1200
Latency (ms):
         min:                                   17.02
         avg:                                   33.32
         max:                                   95.71
         99th percentile:                       61.08
`;

test("reads rates, latencies and settings", async () => {
  const [run] = await readSample(sysbench, `${folder}/fileio-rndrd-4K-1.txt`);
  expect(run!.once).toEqual({ sysbench: "1.0.20" });
  expect(run!.rows).toMatchObject([
    { benchmark: "fileio", threads: 1, block_size: "4KiB", mode: "random read", writes: 0 },
  ]);
  const [memory] = await readSample(sysbench, `${folder}/memory-1K-1-threads-1.txt`);
  expect(memory!.rows).toMatchObject([
    { benchmark: "memory", block_size: "1KiB", operation: "write", scope: "global", threads: 1 },
  ]);
});

test("reads SQL benchmarks, and equal tests in one file as samples", async () => {
  const [run] = await readReport(sysbench, bytesOf(sql + sql.replace("119.97", "120.5")));
  const rest = { queries: 2399.41, total_time: 10.0021, events: 1200 };
  const latencies = { latency_min: 17.02e-3, latency_mean: 33.32e-3, latency_max: 95.71e-3, latency_p99: 61.08e-3 };
  expect(run!.rows).toEqual([
    { benchmark: "sql", threads: 4, sample: 1, rate: 119.97, ...rest, ...latencies },
    { benchmark: "sql", threads: 4, sample: 2, rate: 120.5, ...rest, ...latencies },
  ]);
});

test("reads intervals as samples", async () => {
  const [run] = await readSample(sysbench, `${folder}/intervals.txt`);
  expect(run!.rows).toMatchObject([
    { benchmark: "cpu", sample: 1, rate: 3017.14, interval_rate: 3016.09, interval_latency_p95: 0.36e-3 },
    { benchmark: "cpu", sample: 2, interval_rate: 2997.91, interval_latency_p95: 0.36e-3 },
  ]);
  expect(run!.rows[1]).not.toHaveProperty("rate");
});

const old = `sysbench 0.4.12:  multi-threaded system evaluation benchmark

Number of threads: 2
Doing CPU performance benchmark
Maximum prime number checked in CPU test: 20000

Test execution summary:
    total time:                          20.6532s
    total number of events:              10000
    per-request statistics:
         min:                                  1.99ms
         avg:                                  2.07ms
         max:                                  5.05ms
         approx.  95 percentile:               2.18ms
`;

const oldFiles = `sysbench 0.4.12:  multi-threaded system evaluation benchmark
Block size 16Kb
Doing random r/w test
Operations performed:  6000 Read, 4000 Write, 12800 Other = 22800 Total
Read 93.75Mb  Written 62.5Mb  Total transferred 156.25Mb  (16Mb/sec)
  999.19 Requests/sec executed
`;

test("reads the labels of versions before 1.0", async () => {
  const [run] = await readReport(sysbench, bytesOf(old + oldFiles));
  const latencies = { latency_min: 1.99e-3, latency_mean: 2.07e-3, latency_max: 5.05e-3, latency_p95: 2.18e-3 };
  expect(run!.rows).toEqual([
    { benchmark: "cpu", threads: 2, prime_limit: 20_000, total_time: 20.6532, events: 10_000, ...latencies },
    { benchmark: "fileio", block_size: "16Kb", mode: "random r/w", rate: 999.19, transfer: 16 * 1024 ** 2 },
  ]);
});

test("reads rates of fileio of version 1.1", async () => {
  const text = [
    "sysbench 1.1.0-de18a03 (x)",
    "Throughput:",
    "   read:  IOPS=2123.43 2.00 MiB/s (2.10 MB/s)",
    "   write: IOPS=1415.62 1.00 MiB/s (1.05 MB/s)",
    "   fsync: IOPS=4541.20",
    "Latency (ms):",
    "",
  ].join("\n");
  const [run] = await readReport(sysbench, bytesOf(text));
  const rates = { reads: 2123.43, writes: 1415.62, fsyncs: 4541.2, read_transfer: 2 ** 21, write_transfer: 2 ** 20 };
  expect(run!.rows).toEqual([{ benchmark: "fileio", ...rates }]);
});
