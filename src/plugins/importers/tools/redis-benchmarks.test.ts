import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { memtier, redisBenchmark } from "./redis-benchmarks.ts";

const folder = "test/samples/redis-benchmark";

reportImporterContract(
  redisBenchmark,
  ["text.txt", "quick.txt", "all.csv", "old.txt"].map((name) => `${folder}/${name}`),
);

test("reads the summary of each command", async () => {
  const [run] = await readSample(redisBenchmark, `${folder}/text.txt`);
  expect(run!.rows[0]).toEqual({
    benchmark: "SET",
    clients: 50,
    payload: 3,
    rate: 15_625,
    latency_mean: 2.295e-3,
    latency_min: 0.048e-3,
    latency_p50: 0.271e-3,
    latency_p95: 12.407e-3,
    latency_p99: 15.295e-3,
    latency_max: 15.423e-3,
    requests: 2000,
  });
  expect(run!.rows.map(({ benchmark }) => benchmark)).toEqual(["SET", "GET"]);
});

test("reads short output and CSV", async () => {
  const [quick] = await readSample(redisBenchmark, `${folder}/quick.txt`);
  expect(quick!.rows).toEqual([
    { benchmark: "SET", rate: 6944.44, latency_p50: 5.375e-3 },
    { benchmark: "GET", rate: 117_647.05, latency_p50: 0.215e-3 },
  ]);
  const [table] = await readSample(redisBenchmark, `${folder}/all.csv`);
  expect(table!.rows).toHaveLength(7);
  expect(table!.rows[2]).toMatchObject({
    benchmark: "LPUSH (needed to benchmark LRANGE)",
    rate: 16_806.72,
    latency_p99: 9.831e-3,
  });
});

test("reads versions before 6.2", async () => {
  const [text] = await readSample(redisBenchmark, `${folder}/old.txt`);
  expect(text!.rows).toEqual([
    { benchmark: "PING_INLINE", clients: 50, payload: 3, rate: 87_565.67, requests: 100_000 },
  ]);
  const [table] = await readSample(redisBenchmark, `${folder}/old.csv`);
  expect(table!.rows).toEqual([
    { benchmark: "PING_INLINE", rate: 87_565.67 },
    { benchmark: "MSET (10 keys)", rate: 51_203.28 },
  ]);
});

const memtierFolder = "test/samples/memtier";
reportImporterContract(
  memtier,
  ["table.txt", "cluster.txt", "results.json"].map((name) => `${memtierFolder}/${name}`),
);

test("reads the table of memtier: a row for each kind of command that was sent", async () => {
  const [run] = await readSample(memtier, `${memtierFolder}/table.txt`);
  const settings = { threads: 4, clients: 50, requests_per_client: 10_000 };
  expect(run!.rows.map(({ benchmark }) => benchmark)).toEqual(["Sets", "Gets", "Totals"]);
  expect(run!.rows[0]).toEqual({
    benchmark: "Sets",
    ...settings,
    rate: 20480.25,
    latency_mean: expect.closeTo(1.52381e-3, 12),
    latency_p50: expect.closeTo(1.407e-3, 12),
    latency_p99: expect.closeTo(6.975e-3, 12),
    "latency_p99.9": expect.closeTo(12.351e-3, 12),
    transfer: 6010.5 * 1024,
  });
  const [cluster] = await readSample(memtier, `${memtierFolder}/cluster.txt`);
  expect(cluster!.rows[1]).toMatchObject({ benchmark: "Gets", hits: 2500.5, misses: 37500.25, moved: 0, ask: 0 });
});

test("reads the JSON of memtier, and the sections of several runs apart", async () => {
  const [run] = await readSample(memtier, `${memtierFolder}/results.json`);
  expect(run!.about.performed).toBe(1_700_000_000_000_000);
  expect(run!.rows).toHaveLength(3);
  expect(run!.rows[1]).toMatchObject({
    benchmark: "Gets",
    ratio: "1:10",
    data_size: 32,
    rate: 10005,
    latency_mean: 0.25e-3,
    "latency_p99.9": 2e-3,
    transfer: 390.5 * 1024,
  });
  const table = (section: string, rate: string): string =>
    `${section}\n====\nType    Ops/sec     Hits/sec   KB/sec\n-----\nTotals   ${rate}   0.00   2.00\n\n`;
  const text = table("BEST RUN RESULTS", "12.00") + table("AGGREGATED AVERAGE RESULTS (3 runs)", "9.00");
  const [several] = await readReport(memtier, new TextEncoder().encode(`${text}Type    Ops/sec    KB/sec\nSets   1`));
  expect(several!.rows.map(({ results, rate }) => [results, rate])).toEqual([
    ["best run", 12],
    ["aggregated average (3 runs)", 9],
  ]);
  expect(several!.notices).toEqual([expect.stringContaining("skipped an incomplete row")]);
});
