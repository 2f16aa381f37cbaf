import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { autocannon, benny, denoBench, mitata } from "./json-reports.ts";

const samples = "test/samples";

reportImporterContract(mitata, [`${samples}/mitata/plain.json`]);
reportImporterContract(denoBench, [`${samples}/deno-bench/three.json`]);
reportImporterContract(benny, [`${samples}/benny/suite.json`]);
reportImporterContract(autocannon, [`${samples}/autocannon/server.json`]);

test("mitata: nanoseconds become seconds; arguments are parameters", async () => {
  const [run] = await readSample(mitata, `${samples}/mitata/plain.json`);
  expect(run!.rows.map(({ benchmark, n }) => [benchmark, n])).toEqual([
    ["sum 4000", undefined],
    ["join strings", undefined],
    ["sort(100)", 100],
    ["sort(1000)", 1000],
  ]);
  expect(run!.rows[0]).toEqual({
    benchmark: "sum 4000",
    mean: 23590.197964248462 / 1e9,
    median: 8196 / 1e9,
    min: 8155 / 1e9,
    max: 12617642 / 1e9,
    p25: 8186 / 1e9,
    p75: 8206 / 1e9,
    p99: 43813 / 1e9,
    p999: 5528292 / 1e9,
    bytes: 156.50812832685943,
  });
  expect(run!.once).toEqual({ runtime: "node", runtime_version: "20.20.2", cpu: "AMD EPYC" });
});

test("mitata: samples, named groups, and runs that failed", async () => {
  const stats = { kind: "fn", samples: [10, 30], avg: 20 };
  const document = {
    layout: [
      { name: null, types: [] },
      { name: "text", types: [] },
    ],
    benchmarks: [
      {
        group: 1,
        runs: [
          { name: "a", args: { kind: "wide" }, stats },
          { name: "b", args: {}, error: {} },
        ],
      },
    ],
  };
  const [run] = await readReport(mitata, new TextEncoder().encode(JSON.stringify(document)));
  expect(run!.rows).toEqual([
    { benchmark: "a", group: "text", kind: "wide", sample: 1, time: 1e-8, mean: 2e-8 },
    { benchmark: "a", group: "text", kind: "wide", sample: 2, time: 3e-8 },
  ]);
});

test("deno: the name of the file and the group are parameters", async () => {
  const [run] = await readSample(denoBench, `${samples}/deno-bench/three.json`);
  expect(run!.rows.map(({ benchmark, file, group }) => [benchmark, file, group])).toEqual([
    ["sum 4000", "sums.bench.ts", undefined],
    ["join strings", "sums.bench.ts", "text"],
    ["join twice", "sums.bench.ts", "text"],
  ]);
  expect(run!.rows[0]).toMatchObject({ mean: 191900 / 1e9, min: 8817 / 1e9, p999: 17638793 / 1e9 });
});

test("benny: samples in seconds, and the rate", async () => {
  const [run] = await readSample(benny, `${samples}/benny/suite.json`);
  const rows = run!.rows.filter(({ benchmark }) => benchmark === "sum 4000");
  expect(rows[0]).toMatchObject({ suite: "Suite", sample: 1, time: 0.00002273524628401555, rate: 25815, margin: 5.98 });
  expect([rows.length, rows[0]!["samples"]]).toEqual([33, 33]);
  expect(run!.variables.find(({ name }) => name === "rate")).toMatchObject({ better: "higher" });
});

test("autocannon: milliseconds become seconds; rates are better when higher", async () => {
  const [run] = await readSample(autocannon, `${samples}/autocannon/server.json`);
  expect(run!.rows).toEqual([
    {
      benchmark: "http://127.0.0.1:18111/",
      connections: 5,
      pipelining: 1,
      workers: 0,
      rate: 328.5,
      rate_stddev: 17.5,
      rate_min: 311,
      rate_max: 346,
      transfer: 172160,
      latency_mean: 0.01466,
      latency_stddev: 0.00628,
      latency_min: 0.004,
      latency_max: 0.051,
      latency_p50: 0.014,
      latency_p75: 0.017,
      latency_p90: 0.023,
      "latency_p97.5": 0.031,
      latency_p99: 0.032,
      "latency_p99.9": 0.051,
      "latency_p99.99": 0.051,
      requests: 657,
      refused: 0,
      errors: 0,
      timeouts: 0,
      duration: 2.06,
    },
  ]);
  expect(run!.about.performed).toBe(Date.parse("2026-11-30T22:45:48.408Z") * 1000);
});
