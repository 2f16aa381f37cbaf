import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { benchmarkIps } from "./ruby-benchmark.ts";

const folder = "test/samples/benchmark-ips";

reportImporterContract(
  benchmarkIps,
  ["text.txt", "results.json"].map((name) => `${folder}/${name}`),
);

test("reads rates, not those of warmups and comparisons", async () => {
  const [run] = await readSample(benchmarkIps, `${folder}/text.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "addition", rate: 15_080_000, margin: 28.7 },
    { benchmark: "a long label that is longer than twenty", rate: 2_543_000, margin: 22.4 },
    { benchmark: "slow", rate: 96.497, margin: 6.2 },
  ]);
});

test("reads additions of later versions, billions, and JSON", async () => {
  const text = "   a b    1.500B (± 1.5%) i/s    (0.67 ns/i) -    182.9M in   5.006267s\n";
  const [run] = await readReport(benchmarkIps, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "a b", rate: 1.5e9, margin: 1.5 }]);
  const [json] = await readSample(benchmarkIps, `${folder}/results.json`);
  expect(json!.rows).toMatchObject([{ benchmark: "slow", rate_stddev: 12, iterations: 91 }]);
});
