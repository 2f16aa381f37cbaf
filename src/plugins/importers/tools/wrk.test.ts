import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { wrk } from "./load-generators.ts";

const folder = "test/samples/wrk";

reportImporterContract(
  wrk,
  ["latency.txt", "plain.txt", "errors.txt"].map((name) => `${folder}/${name}`),
);

test("reads rates and latencies", async () => {
  const [run] = await readSample(wrk, `${folder}/latency.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "http://127.0.0.1:18231/",
      duration: "1s",
      threads: 1,
      connections: 4,
      rate: 5556.79,
      transfer: 689.17 * 1024,
      latency_mean: 4.45e-3,
      latency_stddev: 8.65e-3,
      latency_max: 79.49e-3,
      latency_p50: 204e-6,
      latency_p75: 5.33e-3,
      latency_p90: 13.27e-3,
      latency_p99: 43.49e-3,
      requests: 5747,
    },
  ]);
});

test("counts errors, and reads wrk2's percentiles and minutes", async () => {
  const [run] = await readSample(wrk, `${folder}/errors.txt`);
  expect(run!.rows[0]).toMatchObject({
    latency_max: 90,
    latency_p50: 1.2,
    "latency_p99.9": 84,
    latency_p100: 90,
    refused: 12,
    errors: 11,
  });
});
