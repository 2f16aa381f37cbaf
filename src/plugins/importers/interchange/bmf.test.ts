import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { bmf } from "./bmf.ts";

const folder = "test/samples/bmf";

reportImporterContract(
  bmf,
  ["results.json"].map((name) => `${folder}/${name}`),
);

test("latencies are in nanoseconds, measures without a known unit are plain numbers", async () => {
  const [run] = await readSample(bmf, `${folder}/results.json`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sort::quick",
      latency: 3250.5 / 1e9,
      latency_lower: 3e-6,
      latency_upper: 3.5e-6,
      throughput: 307_645,
      Total_Bytes: 662,
    },
    { benchmark: "build", "build-time": 12.5, "file-size": 1_048_576 },
  ]);
  expect(run!.variables.map(({ name, better }) => [name, better]).slice(1, 5)).toEqual([
    ["latency", "lower"],
    ["latency_lower", "lower"],
    ["latency_upper", "lower"],
    ["throughput", "higher"],
  ]);
});

test("names of Object.prototype are ordinary names", async () => {
  const [run] = await readReport(bmf, new TextEncoder().encode('{"__proto__": {"constructor": {"value": 1}}}'));
  expect(run!.rows).toEqual([{ benchmark: "__proto__", constructor: 1 }]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"a": {"latency": {"lower_value": 1}}}');
  await expect(readReport(bmf, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: a.latency: it has no "value"',
  });
});
