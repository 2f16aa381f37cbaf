import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { perlBenchmark } from "./perl-benchmark.ts";

const sample = "test/samples/perl-benchmark/three.txt";

reportImporterContract(perlBenchmark, [sample]);

test("reads the rates of timethese once, and names with blanks", async () => {
  const [run] = await readSample(perlBenchmark, sample);
  expect(run!.rows).toEqual([
    { benchmark: "join", rate: 3706.9, time: 1 / 3706.9, iterations: 2150 },
    { benchmark: "sort list", rate: 2504.35, time: 1 / 2504.35, iterations: 1152 },
    { benchmark: "sum", rate: 973.91, time: 1 / 973.91, iterations: 448 },
  ]);
});

test("reads times of child processes, and counts without a rate", async () => {
  const text = [
    " fork:  3 wallclock secs ( 0.10 usr  0.02 sys +  2.00 cusr  0.10 csys =  2.22 CPU) @ 45.05/s (n=100)",
    "   op:  0 wallclock secs ( 0.00 usr +  0.00 sys =  0.00 CPU) (n=10)",
    "            (warning: too few iterations for a reliable count)",
    "",
  ].join("\n");
  const [run] = await readReport(perlBenchmark, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([
    { benchmark: "fork", rate: 45.05, time: 1 / 45.05, iterations: 100 },
    { benchmark: "op", iterations: 10 },
  ]);
  expect(run!.notices).toEqual(["too few iterations for a reliable count: line 3"]);
});
