import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { tinybench } from "./tinybench.ts";

const folder = "test/samples/tinybench";

reportImporterContract(
  tinybench,
  ["table.txt", "old.txt"].map((name) => `${folder}/${name}`),
);

test("reads latencies and rates with their spreads", async () => {
  const [run] = await readSample(tinybench, `${folder}/table.txt`);
  expect(run!.rows[0]).toEqual({
    benchmark: "split(,)",
    mean: 63969e-9,
    mean_margin: 89.53,
    median: 6773e-9,
    median_deviation: 23e-8,
    rate: 139187,
    rate_margin: 0.7,
    rate_median: 147645,
    rate_median_deviation: 5120,
    samples: 1695,
  });
});

test("reads the columns of older versions", async () => {
  const [run] = await readSample(tinybench, `${folder}/old.txt`);
  expect(run!.rows[0]).toEqual({
    benchmark: "faster task",
    mean: 24025.791819761525e-9,
    mean_margin: 20.5,
    rate: 41_621,
    samples: 4257,
  });
});
