import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { redisBenchmark } from "./redis-benchmark.ts";

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
