import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { sysbench } from "./sysbench.ts";

const folder = "test/samples/sysbench";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  sysbench,
  ["cpu-2-threads-1.txt", "memory-1K-1-threads-1.txt", "fileio-rndrd-4K-1.txt"].map((name) => `${folder}/${name}`),
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

test("takes rates, latencies and settings", async () => {
  const [run] = await readSample(sysbench, `${folder}/fileio-rndrd-4K-1.txt`);
  expect(run!.once).toEqual({ sysbench: "1.0.20" });
  expect(run!.rows).toMatchObject([{ benchmark: "fileio", threads: 1, block_size: "4KiB", mode: "random read", writes: 0 }]);
  const [memory] = await readSample(sysbench, `${folder}/memory-1K-1-threads-1.txt`);
  expect(memory!.rows).toMatchObject([{ benchmark: "memory", block_size: "1KiB", operation: "write", scope: "global", threads: 1 }]);
});

test("takes SQL benchmarks, and equal tests in one file as samples", async () => {
  const [run] = await readReport(sysbench, bytesOf(sql + sql.replace("119.97", "120.5")));
  const rest = { queries: 2399.41, total_time: 10.0021, events: 1200 };
  const latencies = { latency_min: 17.02e-3, latency_mean: 33.32e-3, latency_max: 95.71e-3, latency_p99: 61.08e-3 };
  expect(run!.rows).toEqual([
    { benchmark: "sql", threads: 4, sample: 1, rate: 119.97, ...rest, ...latencies },
    { benchmark: "sql", threads: 4, sample: 2, rate: 120.5, ...rest, ...latencies },
  ]);
});
