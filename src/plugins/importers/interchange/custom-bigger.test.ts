import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { customBigger } from "./custom-benchmarks.ts";

const folder = "test/samples/custom-bigger";

reportImporterContract(
  customBigger,
  ["results.json"].map((name) => `${folder}/${name}`),
);

test("values of one kind have one metric, in base units", async () => {
  const [run] = await readSample(customBigger, `${folder}/results.json`);
  expect(run!.rows).toEqual([
    { benchmark: "Server - requests", rate: 70, rate_range: 3 },
    { benchmark: "Copy", bandwidth: 1_250_500_000, bandwidth_range: 25_010_000 },
    { benchmark: "Score", points: 12 },
  ]);
  expect(run!.variables.find(({ name }) => name === "points")).toMatchObject({
    better: "higher",
    synopsis: "in points",
  });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('[{"name": "a", "unit": "s"}]');
  await expect(readReport(customBigger, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: [0]: it has no "value"',
  });
});
