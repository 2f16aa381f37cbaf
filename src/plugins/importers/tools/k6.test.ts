import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { k6 } from "./k6.ts";

const folder = "test/samples/k6";

reportImporterContract(
  k6,
  ["export.json", "summary.json", "console.txt", "old-console.txt", "points.json"].map((name) => `${folder}/${name}`),
);

test("detects kinds and units of an exported summary", async () => {
  const [run] = await readSample(k6, `${folder}/export.json`);
  expect(run!.rows).toEqual([
    { benchmark: "checks", share: 0.75, passes: 3, fails: 1 },
    { benchmark: "data_received", bytes: 4096, bandwidth: 2048.5 },
    { benchmark: "http_req_duration", mean: 0.0125, min: 0.01025, median: 0.012, max: 0.02, p90: 0.018, p999: 0.0195 },
    {
      benchmark: "http_req_duration",
      expected_response: "true",
      status: 200,
      mean: 0.0115,
      min: 0.01025,
      median: 0.011,
      max: 0.015,
      p90: 0.014,
    },
    { benchmark: "http_req_failed", share: 0.25, passes: 1, fails: 3 },
    { benchmark: "http_reqs", count: 4, rate: 2.5 },
    { benchmark: "my_trend", value_mean: 7, value_min: 1, value_median: 6, value_max: 13 },
    { benchmark: "vus", value: 2, value_min: 1, value_max: 2 },
  ]);
});

test("reads kinds and units from the data of handleSummary", async () => {
  const [run] = await readSample(k6, `${folder}/summary.json`);
  expect(run!.rows).toEqual([
    { benchmark: "iterations", count: 8, rate: 5.25 },
    { benchmark: "waiting", mean: 0.0025, min: 0.001, median: 0.002, max: 0.005, p90: 0.004, p95: 0.0045 },
    { benchmark: "answer_size", bytes_mean: 512, bytes_min: 256, bytes_median: 512, bytes_max: 1024 },
    { benchmark: "vus", value: 1, value_min: 1, value_max: 1 },
  ]);
  expect(run!.once).toEqual({ duration: 1.5005 });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"metrics": [1]}');
  await expect(readReport(k6, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: metrics: it is not an object",
  });
});

test("reads the summary at the end of a test", async () => {
  const [run] = await readSample(k6, `${folder}/console.txt`);
  const of = (name: string): unknown => run!.rows.filter(({ benchmark }) => benchmark === name);
  expect(of("http_req_duration")).toMatchObject([
    { mean: 0.14036, max: 62.5, p95: 0.14821 },
    { expected_response: "true", mean: 0.14036, max: 0.15463 },
  ]);
  expect(of("custom_waiting_time")).toMatchObject([{ value_mean: 152.355556, value_p90: 147.2 }]);
  expect(of("http_reqs")).toEqual([{ benchmark: "http_reqs", count: 45, rate: 6.56109 }]);
  expect(of("checks_succeeded")).toEqual([{ benchmark: "checks_succeeded", share: 1, passes: 90, fails: 0 }]);
  expect(of("data_sent")).toEqual([{ benchmark: "data_sent", bytes: 4900, bandwidth: 718 }]);
  const [old] = await readSample(k6, `${folder}/old-console.txt`);
  expect(old!.rows[0]).toEqual({ benchmark: "checks", share: 0.5, passes: 45, fails: 45 });
  expect(old!.rows.at(-1)).toEqual({ benchmark: "vus", value: 1, value_min: 1, value_max: 19 });
});

test("keeps the points of trends as samples, sums counters and averages checks", async () => {
  const [run] = await readSample(k6, `${folder}/points.json`);
  const request = {
    name: "http://127.0.0.1/",
    method: "GET",
    status: 200,
    scenario: "default",
    expected_response: "true",
  };
  expect(run!.rows).toEqual([
    { benchmark: "http_reqs", ...request, count: 2 },
    { benchmark: "http_req_duration", ...request, sample: 1, time: 0.0125 },
    { benchmark: "http_req_duration", ...request, sample: 2, time: 0.00725 },
    { benchmark: "checks", scenario: "default", check: "is fast", share: 0.5 },
    { benchmark: "data_received", scenario: "default", bytes: 2048 },
    { benchmark: "vus", value_min: 1, value_max: 3 },
  ]);
});
