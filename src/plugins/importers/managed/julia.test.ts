import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { julia } from "./julia.ts";

const folder = "test/samples/julia";

reportImporterContract(
  julia,
  ["results.json", "console.txt", "group.txt"].map((name) => `${folder}/${name}`),
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

test("refuses excessive nesting of groups", async () => {
  const text = `[{}, [${'["BenchmarkGroup", {"data": {"a": '.repeat(300)}1${"}}]".repeat(300)}]]`;
  await expect(readReport(julia, new TextEncoder().encode(text))).rejects.toMatchObject({
    message: "some.file: groups are nested deeper than 200",
  });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('[{}, [["Trial", {"times": [1, "x"]}]]]');
  await expect(readReport(julia, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: [1][0][1].times[1]: it is not a number",
  });
});

test("reads printed trials, named by the command or the preceding text", async () => {
  const [run] = await readSample(julia, `${folder}/console.txt`);
  const memory = { bytes: 7.94 * 1024, allocations: 1 };
  expect(run!.rows).toEqual([
    { benchmark: "sum($x)", min: 13.25e-6, ...memory },
    { benchmark: "sin(1)", min: 1.25e-9, bytes: 0, allocations: 0 },
    { benchmark: "sorting", min: 13.125e-6, median: 14.5e-6, mean: 15.5e-6, stddev: 32.25e-6, max: 2.15e-3, ...memory },
  ]);
  const [group] = await readSample(julia, `${folder}/group.txt`);
  expect(group!.rows.map(({ benchmark, min }) => [benchmark, min])).toEqual([
    ["utf8/join", 133.75e-3],
    ["utf8/replace", 202.25e-6],
    ['trig/("sin", 0.0)', 11.5e-9],
  ]);
});

test("reads trials of old versions, and distinguishes unnamed ones", async () => {
  const old = [
    "BenchmarkTools.Trial: ",
    "  memory estimate:  2.00 KiB",
    "  allocs estimate:  3",
    "  --------------",
    "  minimum time:     1.500 μs (0.00% GC)",
    "  maximum time:     2.500 ms (98.95% GC)",
    "  evals/sample:     1",
    "",
  ].join("\n");
  const short = "  1.250 ns (0 allocations: 0 bytes)\n";
  const [run] = await readReport(julia, new TextEncoder().encode(old + short));
  expect(run!.rows).toEqual([
    { benchmark: "trial", min: 1.5e-6, max: 2.5e-3, bytes: 2048, allocations: 3 },
    { benchmark: "trial 2", min: 1.25e-9, bytes: 0, allocations: 0 },
  ]);
});
