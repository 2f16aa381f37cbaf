import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { ab, hey, vegeta } from "./http-clients.ts";

reportImporterContract(ab, ["test/samples/ab/requests.txt", "test/samples/ab/missing.txt"]);
reportImporterContract(hey, ["test/samples/hey/requests.txt"]);
reportImporterContract(vegeta, ["test/samples/vegeta/report.txt"]);

test("reads the summary of ab, and the mean per request of a client", async () => {
  const [run] = await readSample(ab, "test/samples/ab/requests.txt");
  expect(run!.rows).toEqual([
    {
      benchmark: "127.0.0.1:18099/",
      concurrency: 10,
      rate: 2421.72,
      transfer: 205.75 * 1024,
      latency_mean: 4.129e-3,
      latency_min: 1e-3,
      latency_max: 9e-3,
      latency_stddev: 1.6e-3,
      latency_p50: 3e-3,
      latency_p66: 4e-3,
      latency_p75: 4e-3,
      latency_p80: 5e-3,
      latency_p90: 6e-3,
      latency_p95: 7e-3,
      latency_p98: 9e-3,
      latency_p99: 9e-3,
      requests: 300,
      failed: 0,
      duration: 0.124,
    },
  ]);
  const [missing] = await readSample(ab, "test/samples/ab/missing.txt");
  expect(missing!.rows).toMatchObject([{ benchmark: "127.0.0.1:18099/missing", requests: 50, refused: 50 }]);
});

test("reads the summary of hey", async () => {
  const [run] = await readSample(hey, "test/samples/hey/requests.txt");
  expect(run!.rows).toEqual([
    {
      benchmark: "hey",
      rate: 3928.3432,
      latency_mean: 2.1e-3,
      latency_min: 0.2e-3,
      latency_max: 13.3e-3,
      latency_p10: 0.7e-3,
      latency_p25: 1.3e-3,
      latency_p50: 1.5e-3,
      latency_p75: 2.3e-3,
      latency_p90: 4e-3,
      latency_p95: 4.9e-3,
      latency_p99: 11.7e-3,
      requests: 200,
      duration: 0.0509,
    },
  ]);
});

test("reads the summary of vegeta, with durations as Go prints them", async () => {
  const [run] = await readSample(vegeta, "test/samples/vegeta/report.txt");
  expect(run!.rows).toEqual([
    {
      benchmark: "vegeta",
      rate: 50.16,
      latency_mean: 1.247e-3,
      latency_min: 290.9e-6,
      latency_max: 1.02,
      latency_p50: 1.1e-3,
      latency_p90: 1.9e-3,
      latency_p95: 2.2e-3,
      latency_p99: 3.4e-3,
      requests: 300,
      duration: 65.98,
      success: 0.995,
    },
  ]);
});

test("a summary of another program is none of hey", () => {
  const redis = readFileSync("test/samples/redis-benchmark/text.txt");
  expect(redis.toString()).toContain("\nSummary:\n");
  expect(hey.sniff(redis)).toBe(0);
  expect(hey.sniff(readFileSync("test/samples/hey/requests.txt"))).toBeGreaterThan(0.5);
});
