import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { criterionJson } from "./criterion.ts";

const folder = "test/samples/criterion-json";

reportImporterContract(
  criterionJson,
  ["messages.json", "criterion/sort/stable/100/new/estimates.json", "criterion/sort/stable/100/new/sample.json"].map(
    (name) => `${folder}/${name}`,
  ),
);

test("samples are times of one iteration, between messages of cargo", async () => {
  const [run] = await readSample(criterionJson, `${folder}/messages.json`);
  const [first, second] = run!.rows;
  expect(first).toEqual({
    benchmark: "sort/1000",
    sample: 1,
    time: 1e-6,
    iterations: 10,
    typical: 1.01e-6,
    lower: 1e-6,
    upper: 1.05e-6,
    mean: 1.0165e-6,
    median: 1e-6,
    median_abs_dev: 1.25e-8,
    slope: 1.01e-6,
  });
  expect(second).toEqual({ benchmark: "sort/1000", sample: 2, time: 1.05e-6, iterations: 20 });
  expect(run!.rows[3]).toMatchObject({ benchmark: "sum", cycles: 100, cycles_typical: 105 });
});

test("files of the folder are named after it", async () => {
  const bytes = new TextEncoder().encode('{"sampling_mode": "Flat", "iters": [10, 0], "times": [5000, 1]}');
  const [run] = await readReport(criterionJson, bytes, bytes.length, "target/criterion/sort/1000/new/sample.json");
  expect(run!.rows).toEqual([
    { benchmark: "sort/1000", sample: 1, time: 5e-7, iterations: 10 },
    { benchmark: "sort/1000", sample: 2, iterations: 0 },
  ]);
  const [other] = await readSample(criterionJson, `${folder}/criterion/sort/stable/100/new/estimates.json`);
  expect(other!.rows).toMatchObject([
    {
      benchmark: "some.file",
      typical: 152.07560254367453 / 1e9,
      mean: 126.39816329932151 / 1e9,
      stddev: 34.50082300148822 / 1e9,
    },
  ]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"mean": {"point_estimate": "x"}}');
  await expect(readReport(criterionJson, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: mean.point_estimate: it is not a number",
  });
});
