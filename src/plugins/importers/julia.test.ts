import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { julia } from "./julia.ts";

const folder = "test/samples/julia";

reportImporterContract(
  julia,
  ["results.json"].map((name) => `${folder}/${name}`),
);

test("trials have samples, estimates one value; groups are the path of the name", async () => {
  const [run] = await readSample(julia, `${folder}/results.json`);
  expect(run!.rows).toEqual([
    { benchmark: 'sort/("quick", 100)', sample: 1, time: 1.5e-6, gctime: 0, bytes: 1024, allocations: 3 },
    { benchmark: 'sort/("quick", 100)', sample: 2, time: 1.75e-6, gctime: 1.2e-7 },
    { benchmark: 'sort/("quick", 100)', sample: 3, time: 1.625e-6, gctime: 0 },
    { benchmark: "sort/merge", time: 2.465e-7, gctime: 0, bytes: 0, allocations: 0 },
  ]);
  expect(run!.once).toEqual({ julia: "1.10.2", benchmarktools: "1.0.0" });
});

test("refuses groups without end", async () => {
  const text = `[{}, [${'["BenchmarkGroup", {"data": {"a": '.repeat(300)}1${"}}]".repeat(300)}]]`;
  await expect(readReport(julia, new TextEncoder().encode(text))).rejects.toMatchObject({
    message: "some.file: groups are nested deeper than 200",
  });
});

test("tells what is wrong, and where", async () => {
  const bytes = new TextEncoder().encode('[{}, [["Trial", {"times": [1, "x"]}]]]');
  await expect(readReport(julia, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: [1][0][1].times[1]: it is no number",
  });
});
