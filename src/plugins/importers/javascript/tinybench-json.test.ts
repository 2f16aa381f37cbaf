import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { tinybenchJson } from "./tinybench.ts";

const folder = "test/samples/tinybench-json";

reportImporterContract(
  tinybenchJson,
  ["tasks.json"].map((name) => `${folder}/${name}`),
);

test("milliseconds become seconds, with every sample", async () => {
  const [run] = await readSample(tinybenchJson, `${folder}/tasks.json`);
  const rows = run!.rows.filter(({ benchmark }) => benchmark === "sum");
  expect(rows[0]).toMatchObject({ sample: 1, time: 0.0054559999999810316 / 1000, rate: 48592.582121464264 });
  expect(new Set(run!.rows.map(({ benchmark }) => benchmark))).toEqual(new Set(["sum", "join"]));
});

test("reads the results of version 3 and newer", async () => {
  const result = {
    totalTime: 6,
    runtime: "node",
    runtimeVersion: "v20",
    latency: { mean: 2, p50: 1.5, samples: [1, 3] },
    throughput: { mean: 500 },
  };
  const bytes = new TextEncoder().encode(
    JSON.stringify([
      { name: "a", result },
      { name: "failed", result: { error: {} } },
    ]),
  );
  const [run] = await readReport(tinybenchJson, bytes);
  expect(run!.rows).toEqual([
    { benchmark: "a", sample: 1, time: 0.001, mean: 0.002, median: 0.0015, rate: 500 },
    { benchmark: "a", sample: 2, time: 0.003 },
  ]);
  expect(run!.once).toEqual({ runtime: "node", runtime_version: "v20" });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('[{"totalTime": 1}]');
  await expect(readReport(tinybenchJson, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: [0]: it has no "name"',
  });
});
