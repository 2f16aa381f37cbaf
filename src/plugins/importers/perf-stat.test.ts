import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { perfStat } from "./perf-stat.ts";

const folder = "test/samples/perf-stat";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  perfStat,
  ["single.txt", "repeated.txt", "hardware.txt", "single.csv", "repeated.csv"].map((name) => `${folder}/${name}`),
);

test("takes what was counted, in seconds where it is a time", async () => {
  const [run] = await readSample(perfStat, `${folder}/repeated.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sleep 0.01",
      time: 0.00944,
      time_deviation: 0.00463,
      "task-clock": 0.95e-3,
      "task-clock_variation": 2.37,
      "context-switches": 1,
      "page-faults": 74,
      "page-faults_variation": 0.9,
      duration_time: 0.013041769,
      duration_time_variation: 35.48,
    },
  ]);
  const [single] = await readSample(perfStat, `${folder}/single.txt`);
  expect(single!.rows).toMatchObject([{ benchmark: "true", time: 5.219e-6, user: 0, system: 0, "page-faults": 49 }]);
});

test("reads counters of machines that have them, and leaves out what was not counted", async () => {
  const [run] = await readSample(perfStat, `${folder}/hardware.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "sort -n numbers", time: 1.237041234, "task-clock": 1.23456789, cycles_u: 4_567_890_123, instructions_u: 9_876_543_210 },
  ]);
  expect(run!.variables.find(({ name }) => name === "cycles_u")?.unit).toBeDefined();
});

test("reads lines with separators, and takes events that come again as samples", async () => {
  const [run] = await readSample(perfStat, `${folder}/repeated.csv`);
  expect(run!.rows[0]).toMatchObject({
    "task-clock": 1.01e-3,
    "task-clock_variation": 1.66,
    "page-faults": 76,
    duration_time: 0.014965213,
  });
  const text = "5;;page-faults;100;100.00;;\n7;;page-faults;100;50.00;;\n";
  expect(await readReport(perfStat, bytesOf(text)).then(([found]) => found!.rows)).toEqual([
    { benchmark: "perf stat", sample: 1, "page-faults": 5 },
    { benchmark: "perf stat", sample: 2, "page-faults": 7 },
  ]);
});
