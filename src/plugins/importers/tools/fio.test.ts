import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { fio } from "./fio.ts";

const folder = "test/samples/fio";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  fio,
  ["mixed.json", "two-jobs.json"].map((name) => `${folder}/${name}`),
);

test("reads bandwidth, operations and latencies of each job and direction", async () => {
  const [run] = await readSample(fio, `${folder}/mixed.json`);
  expect([run!.once, run!.about.performed]).toEqual([{ fio: "fio-3.33" }, 1_795_299_046_789_000]);
  expect(run!.rows.map(({ benchmark, direction, rw, bs }) => [benchmark, direction, rw, bs])).toEqual([
    ["rw", "read", "randrw", "4k"],
    ["rw", "write", "randrw", "4k"],
  ]);
  expect(run!.rows[0]).toMatchObject({
    rate: 8_903_992,
    iops: 2173.826174,
    latency_max: 19_950_594e-9,
    "completion_p99.9": 7_766_016e-9,
    bytes: 8_912_896,
    operations: 2176,
    runtime: 1.001,
  });
});

test("reads the units of old versions, and omits failed jobs", async () => {
  const job = (name: string, error: number): unknown => ({
    jobname: name,
    error,
    read: { io_bytes: 1, bw: 2, iops: 3, runtime: 4, lat: { mean: 5 }, clat: { percentile: { "99.000000": 6 } } },
  });
  const bytes = bytesOf(JSON.stringify({ "fio version": "fio-2.1", jobs: [job("old", 0), job("failed", 5)] }));
  const [run] = await readReport(fio, bytes);
  expect(run!.rows).toEqual([
    {
      benchmark: "old",
      direction: "read",
      rate: 2048,
      iops: 3,
      latency_mean: 5e-6,
      completion_p99: 6e-6,
      bytes: 1,
      runtime: 0.004,
    },
  ]);
  await expect(
    readReport(fio, bytesOf('{"fio version": "fio-3", "jobs": [{"read": {"io_bytes": "x"}}]}')),
  ).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: jobs[0].read.io_bytes: it is not a number",
  });
});

test("finds documents between other lines, and the last state of a run", async () => {
  const document = (timestamp: number, elapsed: number, bytes: number): string =>
    `${JSON.stringify(
      {
        "fio version": "fio-3.33",
        timestamp_ms: timestamp,
        jobs: [{ jobname: "j", elapsed, read: { io_bytes: bytes } }],
      },
      null,
      2,
    )}\n`;
  const runs = await readReport(
    fio,
    bytesOf(
      [
        "j: (g=0): rw=read\n",
        document(10_000, 2, 1),
        document(11_000, 3, 2),
        document(11_500, 4, 3),
        document(21_600, 11, 4),
        "Run status\n",
      ].join(""),
    ),
  );
  expect(runs.map(({ rows }) => rows[0]!["bytes"])).toEqual([3, 4]);
});
