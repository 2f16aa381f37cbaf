import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { cargoBench } from "./cargo-bench.ts";

const folder = "test/samples/cargo-bench";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  cargoBench,
  ["libtest.txt", "cargo.txt", "units.txt", "events.txt"].map((name) => `${folder}/${name}`),
);

test("reads measurements, not failed or ignored tests", async () => {
  const [run] = await readSample(cargoBench, `${folder}/libtest.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "tests::fib_10", time: 1.3838e-7, deviation: 8.3258e-7 },
    { benchmark: "tests::fib_20", time: 41_269.6e-9, deviation: 10_923.79e-9 },
    { benchmark: "tests::sum_bytes", time: 1.17983e-6, deviation: 1.20123e-6, rate: 3474e6 },
  ]);
});

test("distinguishes the targets of a package", async () => {
  const [run] = await readSample(cargoBench, `${folder}/cargo.txt`);
  expect(run!.rows.map(({ benchmark, target }) => `${String(target)} ${String(benchmark)}`)).toEqual([
    "numbers tests::fib_10",
    "numbers tests::fib_20",
    "numbers tests::sum_bytes",
    "sums sum_bytes",
  ]);
});

test("reads cycles, and keeps other units", async () => {
  const [run] = await readSample(cargoBench, `${folder}/units.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "moved words", cycles: 2835, cycles_deviation: 14 },
    { benchmark: "upload", rate_MS: 1911 },
    { benchmark: "Deep (recursion)", time: 1_672_496e-9, deviation: 10_166e-9 },
    { benchmark: "odd_unit", widgets: 7.5 },
  ]);
  expect(run!.variables.find(({ name }) => name === "rate_MS")).toMatchObject({
    better: "higher",
    synopsis: "in MS/s",
  });
  await expect(readReport(cargoBench, bytesOf("test a ... FAILED\n"))).rejects.toMatchObject({ code: "no-results" });
});

test("reads lines of JSON, whose numbers are not rounded", async () => {
  const [run] = await readSample(cargoBench, `${folder}/events.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "tests::bytes",
      target: "sums",
      time: 184.750904890258e-9,
      deviation: 58.4109433962262e-9,
      rate: 43_478e6,
    },
    { benchmark: "tests::small", target: "sums", time: 2.2039596e-9, deviation: 2.2974657599999944e-9 },
  ]);
});
