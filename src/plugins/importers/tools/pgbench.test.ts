import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { pgbench } from "./pgbench.ts";

const folder = "test/samples/pgbench";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  pgbench,
  [
    "statements.txt",
    "select.txt",
    "rate.txt",
    "old.txt",
    "scripts.txt",
    "limited.txt",
    "reconnecting.txt",
    "progress.txt",
  ].map((name) => `${folder}/${name}`),
);

test("reads rate and latency of transactions, and the latencies of their statements", async () => {
  const [run] = await readSample(pgbench, `${folder}/statements.txt`);
  expect(run!.once).toEqual({ pgbench: "15.18" });
  expect(run!.rows[0]).toEqual({
    benchmark: "<builtin: TPC-B (sort of)>",
    scale: 1,
    query_mode: "simple",
    clients: 2,
    threads: 2,
    rate: 148.081457,
    latency_mean: 13.506e-3,
    connection_time: 28.259e-3,
    transactions: 200,
    failed: 0,
  });
  expect(
    run!.rows.slice(1).map(({ statement, latency_mean: latency }) => [String(statement).slice(0, 12), latency]),
  ).toEqual([
    [String.raw`\set aid ran`, 0.003e-3],
    [String.raw`\set bid ran`, 0.001e-3],
    [String.raw`\set tid ran`, 0.001e-3],
    [String.raw`\set delta r`, 0.001e-3],
    ["BEGIN;", 0.863e-3],
    ["UPDATE pgben", 0.865e-3],
    ["SELECT abala", 0.741e-3],
    ["UPDATE pgben", 1.193e-3],
    ["UPDATE pgben", 2.465e-3],
    ["INSERT INTO ", 0.736e-3],
    ["END;", 4.044e-3],
  ]);
});

test("counts late and skipped transactions", async () => {
  const [run] = await readSample(pgbench, `${folder}/rate.txt`);
  expect(run!.rows).toMatchObject([
    { rate: 153.963588, latency_stddev: 16.055e-3, skipped: 100, late: 150, transactions: 308 },
    { interval_rate: 170 },
  ]);
});

test("reads the rate without connecting of older versions, and no truncated run", async () => {
  const [run] = await readSample(pgbench, `${folder}/old.txt`);
  expect(run!.rows[0]).toMatchObject({
    benchmark: "/srv/bench/mixed.sql",
    clients: 10,
    rate: 622.977698,
    latency_mean: 15.844e-3,
  });
  expect(run!.rows[2]).toMatchObject({ statement: "BEGIN;", latency_mean: 5.001e-3 });
  const cut = bytesOf("transaction type: x\nnumber of transactions actually processed: 5\n");
  await expect(readReport(pgbench, cut)).rejects.toMatchObject({ code: "no-results" });
});

test("distinguishes scripts, each with its statements", async () => {
  const [run] = await readSample(pgbench, `${folder}/scripts.txt`);
  const heads = run!.rows.filter((row) => row["statement"] === undefined);
  expect(heads).toMatchObject([
    { benchmark: "multiple scripts", rate: 7548.471013, latency_mean: 0.265e-3 },
    {
      script: "<builtin: simple update>",
      rate: 2313.136181,
      latency_mean: 0.657e-3,
      latency_stddev: 0.571e-3,
      transactions: 4622,
      clients: 2,
    },
    { script: "<builtin: select only>", rate: 5235.334832, latency_mean: 0.088e-3, transactions: 10_461 },
  ]);
  const aid = run!.rows.filter((row) => String(row["statement"]).includes("aid random"));
  expect(aid.map(({ script }) => script)).toEqual(["<builtin: simple update>", "<builtin: select only>"]);
});

test("reads the additions of -R, -L, --max-tries, -C and -P", async () => {
  const [limited] = await readSample(pgbench, `${folder}/limited.txt`);
  expect(limited!.rows).toMatchObject([
    { rate: 207.620945, lag_mean: 0.217e-3, lag_max: 7.463e-3, retried: 0, retries: 0, skipped: 2, late: 42 },
  ]);
  const [connecting] = await readSample(pgbench, `${folder}/reconnecting.txt`);
  expect(connecting!.rows).toMatchObject([{ rate: 256.937307, connection_time: 2.864e-3 }]);
  const [progress] = await readSample(pgbench, `${folder}/progress.txt`);
  expect(progress!.rows).toMatchObject([
    { sample: 1, rate: 2216.086997, interval_rate: 2146, interval_latency: 0.926e-3 },
    { sample: 2, interval_rate: 2071.8 },
    { sample: 3, interval_rate: 2423.1, interval_latency: 0.825e-3 },
  ]);
});
