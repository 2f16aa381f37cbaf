import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { hyperfine } from "./hyperfine.ts";

const folder = "test/samples/hyperfine";

reportImporterContract(
  hyperfine,
  ["plain.json", "scan.json", "list.json", "sort-1.txt", "sort-1.csv"].map((name) => `${folder}/${name}`),
);

test("keeps every sample and hyperfine's statistics", async () => {
  const [run] = await readSample(hyperfine, `${folder}/plain.json`);
  expect(run?.rows).toHaveLength(8);
  const [first, second] = run!.rows;
  expect(first).toMatchObject({ benchmark: "seq 100", sample: 1, exit_code: 0 });
  expect(Object.keys(second!)).toEqual(["benchmark", "sample", "time", "exit_code"]);
  const times = run!.rows.slice(0, 4).map(({ time }) => Number(time));
  expect(times.reduce((sum, time) => sum + time) / 4).toBeCloseTo(Number(first?.["mean"]), 12);
});

test("reads numbers of a scan as numbers, and words as words", async () => {
  const [scan] = await readSample(hyperfine, `${folder}/scan.json`);
  expect([...new Set(scan!.rows.map(({ n }) => n))]).toEqual([100, 200, 300]);
  const [list] = await readSample(hyperfine, `${folder}/list.json`);
  expect(list!.rows.map(({ how, stddev }) => [how, stddev])).toEqual([
    ["-n", undefined],
    ["-r", undefined],
  ]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"results": [{"command": "a", "times": [1, "x"]}]}');
  await expect(readReport(hyperfine, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: results[0].times[1]: it is not a number",
  });
  await expect(readReport(hyperfine, new TextEncoder().encode('{"results": []}'))).rejects.toMatchObject({
    code: "no-results",
  });
});

test("reads the console, whose numbers are rounded, and CSV with parameters", async () => {
  const [text] = await readSample(hyperfine, `${folder}/sort-1.txt`);
  expect(text!.rows).toMatchObject([
    {
      benchmark: "sort --parallel=1 -n numbers.txt",
      mean: 0.0625,
      stddev: 0.0022,
      min: 0.0599,
      max: 0.0666,
      user: 0.0565,
      system: 0.0052,
    },
    { benchmark: "sort --parallel=2 -n numbers.txt", mean: 0.0626 },
  ]);
  const [csv] = await readSample(hyperfine, `${folder}/sort-1.csv`);
  expect(csv!.rows[1]).toMatchObject({ threads: 2, mean: 0.06255068870000001 });
});

test("reads a single run of old versions, and JSON after program output", async () => {
  const text = "Benchmark #1: true\n  Time (abs ≡):        1.2 s               [User: 900.5 µs, System: 0 ns]\n";
  const [run] = await readReport(hyperfine, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "true", mean: 1.2, user: 900.5e-6, system: 0 }]);
  const json = `${text}{\n  "results": [\n    {"command": "true", "mean": 2}\n  ]\n}\nSummary\n`;
  const [found] = await readReport(hyperfine, new TextEncoder().encode(json));
  expect(found!.rows).toEqual([{ benchmark: "true", mean: 2 }]);
});
