import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { benchmarkLuau } from "./benchmark-luau.ts";

const folder = "test/samples/benchmark-luau";

reportImporterContract(
  benchmarkLuau,
  ["bench.txt"].map((name) => `${folder}/${name}`),
);

test("reads the table without its total", async () => {
  const [run] = await readSample(benchmarkLuau, `${folder}/bench.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "sieve", driver: "luau", mean: 0.0125, min: 0.01225, variation: 1.25 },
    { benchmark: "strings", driver: "luau", mean: 250.125e-6, min: 249.875e-6, variation: 0.5 },
  ]);
});
