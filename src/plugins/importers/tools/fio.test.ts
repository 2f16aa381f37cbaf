import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { fio } from "./fio.ts";

const folder = "test/samples/fio";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  fio,
  ["mixed.json", "two-jobs.json", "mixed.txt", "status-interval.txt"].map((name) => `${folder}/${name}`),
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
  expect(run!.notices).toEqual(["job failed failed with error 5: its numbers are left out"]);
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

test("reads the text as the JSON: jobs, directions, units", async () => {
  const [run] = await readSample(fio, `${folder}/mixed.txt`);
  expect([run!.once, run!.notices]).toEqual([{ fio: "fio-3.33" }, []]);
  const job = { benchmark: "rw", rw: "randrw", bs: "4k", iodepth: "1", ioengine: "psync" };
  expect(run!.rows).toMatchObject([
    {
      ...job,
      direction: "read",
      rate: 8487 * 1024,
      iops: 2121,
      latency_mean: 418.52e-6,
      latency_max: 30713e-6,
      completion_p50: 184e-6,
      "completion_p99.99": 30802e-6,
      bytes: 8504 * 1024,
      operations: 2126,
      runtime: 1.002,
    },
    { ...job, direction: "write", iops: 2236, latency_min: 2635e-9, completion_p1: 2800e-9, operations: 2241 },
  ]);
});

test("reads grouped jobs of a text, and the last state of --status-interval", async () => {
  const [groups] = await readSample(fio, `${folder}/groups.txt`);
  expect(groups!.rows).toMatchObject([
    { benchmark: "one", bs: "16k", direction: "read", iops: 23_300, operations: 256 },
    { benchmark: "two", bs: "64k", direction: "write", numjobs: "2", rate: 727 * 2 ** 20, operations: 128 },
  ]);
  const [status] = await readSample(fio, `${folder}/status-interval.txt`);
  expect(status!.rows).toHaveLength(1);
  expect(status!.rows[0]!["runtime"]).toBeGreaterThan(1.9);
});

test("leaves out failed and incomplete jobs of a text, and reads that of version 2", async () => {
  const old = `fio-2.1.3
a: (g=0): rw=read, bs=4K-4K/8K-8K/4K-4K, ioengine=psync, iodepth=1
a: (groupid=0, jobs=1): err= 0: pid=7: Sat Nov 21 09:49:13 2026
  read : io=10240KB, bw=33032KB/s, iops=8258, runt=   310msec
    clat (usec): min=1, max=2.5k, avg= 3.25, stdev= 4.00
     lat (msec): min=1, max=2, avg= 1.50, stdev= 0.25
     issued    : total=r=2560/w=0/d=0, short=r=0/w=0/d=0
b: (groupid=1, jobs=1): err=28 (file:io_u.c:1, func=io_u error, error=No space left on device): pid=8: Sat Nov 21
  read : io=10240KB, bw=33032KB/s, iops=8258, runt=   310msec
c: (groupid=2, jobs=1): err= 0: pid=9: Sat Nov 21 09:49:13 2026
  read: IOPS=14.0k, BW=54.6MiB/s (57.2MB/s)(54.6MiB/1001msec)
`;
  const [run] = await readReport(fio, bytesOf(old));
  const latency = { latency_min: 1e-3, latency_max: 2e-3, latency_mean: 1.5e-3, latency_stddev: 0.25e-3 };
  expect(run!.rows).toEqual([
    {
      benchmark: "a",
      direction: "read",
      rw: "read",
      bs: "4k",
      iodepth: "1",
      ioengine: "psync",
      rate: 33032 * 1024,
      iops: 8258,
      ...latency,
      bytes: 10240 * 1024,
      operations: 2560,
      runtime: 0.31,
    },
  ]);
  expect(run!.notices).toEqual([
    expect.stringMatching(/job b failed with error 28/),
    expect.stringMatching(/job c has no end/),
  ]);
});
