import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { customSmaller } from "./custom-benchmarks.ts";

const folder = "test/samples/custom-smaller";

reportImporterContract(
  customSmaller,
  ["results.json"].map((name) => `${folder}/${name}`),
);

test("values of one kind have one metric, in base units", async () => {
  const [run] = await readSample(customSmaller, `${folder}/results.json`);
  expect(run!.rows).toEqual([
    { benchmark: "Load", percent: 50, percent_range: 2.5 },
    { benchmark: "Memory", bytes: 100_000_000 },
    { benchmark: "Start", time: 0.0125 },
  ]);
  expect(run!.variables.find(({ name }) => name === "bytes")).toMatchObject({ better: "lower" });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('[{"name": "a", "unit": "s", "value": true}]');
  await expect(readReport(customSmaller, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: [0].value: it is not a number",
  });
});
