import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { perfStat } from "./perf-stat.ts";

const folder = "test/samples/perf-stat";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  perfStat,
  [
    "single.txt repeated.txt hardware.txt single.csv repeated.csv interval.txt interval.json",
    "per-cpu.csv per-core.txt table.txt repeated.json",
  ]
    .join(" ")
    .split(" ")
    .map((name) => `${folder}/${name}`),
);

test("reads counts, with times in seconds", async () => {
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

test("reads hardware counters, and omits events that were not counted", async () => {
  const [run] = await readSample(perfStat, `${folder}/hardware.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sort -n numbers",
      time: 1.237041234,
      "task-clock": 1.23456789,
      cycles_u: 4_567_890_123,
      instructions_u: 9_876_543_210,
    },
  ]);
  expect(run!.variables.find(({ name }) => name === "cycles_u")?.unit).toBeDefined();
});

test("reads lines with separators, and repeated events as samples", async () => {
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

test("reads each interval as a sample, with its end", async () => {
  const rows = [
    { benchmark: "perf stat", sample: 1, interval: 0.100173827, "task-clock": 1.07e-3, "page-faults": 76 },
    { benchmark: "perf stat", sample: 2, interval: 0.252150077, "task-clock": 0.07e-3, "page-faults": 0 },
  ];
  expect((await readSample(perfStat, `${folder}/interval.txt`))[0]!.rows).toEqual(rows);
  const [json] = await readSample(perfStat, `${folder}/interval.json`);
  expect(json!.rows).toMatchObject([
    { interval: 0.10037037, "task-clock": 1.02552e-3 },
    { sample: 2, "page-faults": 0 },
  ]);
  const csv =
    "     0.100171,1.07,msec,task-clock,1068677,100.00,,\n     0.100170001,1.07,msec,task-clock,1068677,100.00,,\n";
  expect((await readReport(perfStat, bytesOf(csv)))[0]!.rows).toEqual([
    { benchmark: "perf stat", interval: 0.100170001, "task-clock": 1.07e-3 },
  ]);
});

test("distinguishes parts of a machine and threads", async () => {
  const [processors] = await readSample(perfStat, `${folder}/per-cpu.csv`);
  expect(processors!.rows).toEqual([
    { benchmark: "perf stat", cpu: "CPU0", "task-clock": 0.10262, "page-faults": 4001 },
    { benchmark: "perf stat", cpu: "CPU1", "task-clock": 0.10843, "page-faults": 6521 },
  ]);
  const [cores] = await readSample(perfStat, `${folder}/per-core.txt`);
  expect(cores!.rows).toEqual([
    { benchmark: "system wide", core: "S0-D0-C0", "task-clock": 0.10668, "page-faults": 2955 },
    { benchmark: "system wide", core: "S0-D0-C1", "task-clock": 0.10764, "page-faults": 6136 },
    { benchmark: "system wide", time: 0.107621921 },
  ]);
  const text = [
    " Performance counter stats for 'system wide':",
    "",
    "  tmux: server-12    5.62 msec cpu-clock   #  0.053 CPUs utilized",
    " S0    2   7   page-faults",
    "",
  ].join("\n");
  expect((await readReport(perfStat, bytesOf(text)))[0]!.rows).toEqual([
    { benchmark: "system wide", thread: "tmux: server-12", "cpu-clock": 5.62e-3 },
    { benchmark: "system wide", socket: "S0", "page-faults": 7 },
  ]);
});

test("reads the times of all runs as samples, and their spread", async () => {
  const [table] = await readSample(perfStat, `${folder}/table.txt`);
  expect(table!.rows.map(({ time, mean }) => [time, mean])).toEqual([
    [0.002462, 0.001606],
    [0.001389, undefined],
    [0.000967, undefined],
  ]);
  const [json] = await readSample(perfStat, `${folder}/repeated.json`);
  expect(json!.rows).toMatchObject([{ "task-clock": 0.720759e-3, "task-clock_variation": 3.15, "page-faults": 48 }]);
});

test("reads multiplexed counters, and numbers of other locales", async () => {
  const head = " Performance counter stats for 'a 1,5':\n\n";
  const shared = [
    `${head}  1,234,567  cycles  #  3.7 GHz   ( +-  0.18% )  (83.21%)`,
    "  234,567  L1-dcache-loads    (16.79%)",
    "",
  ].join("\n");
  expect((await readReport(perfStat, bytesOf(shared)))[0]!.rows).toEqual([
    { benchmark: "a 1,5", cycles: 1_234_567, cycles_variation: 0.18, "L1-dcache-loads": 234_567 },
  ]);
  const counts = [
    "  1.234,74 msec task-clock # 0,6 CPUs utilized",
    "  4.567.890  cycles",
    "  4\u202f567  page-faults",
    "",
    "   1,001153451 seconds time elapsed",
    "",
  ].join("\n");
  expect((await readReport(perfStat, bytesOf(head + counts)))[0]!.rows).toEqual([
    { benchmark: "a 1,5", time: 1.001153451, "task-clock": 1.23474, cycles: 4_567_890, "page-faults": 4567 },
  ]);
});
