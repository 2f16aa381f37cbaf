import { expect, test } from "vitest";
import { printExperiment } from "../descriptions/experiment/experiment-print.ts";
import { formatUnit } from "../../core/values/index.ts";
import { printInput } from "../descriptions/input/input-print.ts";
import { proposeDescription, type Proposal } from "./propose.ts";
import { sampleLines } from "./sample.ts";

// The samples are made up; the names of the tests say which programs print such a format.

function propose(text: string): Proposal {
  return proposeDescription([{ name: "out.txt", lines: sampleLines(text) }], { name: "sample", file: "sample.inp" });
}

const cellsOf = (proposal: Proposal): Record<string, string[]> =>
  Object.fromEntries(proposal.rules.map(({ variable, cells }) => [variable.name, cells.map(({ text }) => text)]));

test("fields of a grid with rules between rows are read, and percentiles may be headings (GPCNeT)", () => {
  const text = [
    "+----------------+------+------+-------+",
    "|           Name |  Min |  99% | Units |",
    "+----------------+------+------+-------+",
    "| RR Lat (8 B)   |  1.1 |  2.0 |  usec |",
    "+----------------+------+------+-------+",
    "| RR Get (8 B)   |  2.3 |  3.4 |  usec |",
    "+----------------+------+------+-------+",
  ].join("\n");
  const proposal = propose(text);
  expect(cellsOf(proposal)).toMatchObject({
    Name: ["RR Lat (8 B)", "RR Get (8 B)"],
    Min: ["1.1", "2.3"],
    n_99_percent: ["2.0", "3.4"],
  });
  expect(printInput(proposal.description)).toContain("grid=yes pos=3");
});

test("a sentence above lines of named numbers is not their heading (LULESH)", () => {
  const text = [
    "To run a fixed number of iterations, use -i <integer>.",
    "cycle = 1, time = 1.5e-06, dt=1.5e-06",
    "cycle = 2, time = 2.5e-06, dt=1.0e-06",
  ].join("\n");
  expect(cellsOf(propose(text))).toEqual({
    cycle: ["1", "2"],
    time: ["1.5e-06", "2.5e-06"],
    dt: ["1.5e-06", "1.0e-06"],
  });
});

test("a unit that names the next number is not that of the number before it (mbw)", () => {
  const text = [
    "0\tMethod: MEMCPY\tElapsed: 0.04567\tMiB: 256.0\tCopy: 5605.430 MiB/s",
    "1\tMethod: MEMCPY\tElapsed: 0.04512\tMiB: 256.0\tCopy: 5673.759 MiB/s",
  ].join("\n");
  const { rules } = propose(text);
  expect(rules.map(({ variable }) => [variable.name, formatUnit(variable.unit)]).slice(1)).toEqual([
    ["Method_MEMCPY_Elapsed", ""],
    ["MiB", ""],
    ["Copy", "MiByte/s"],
  ]);
});

test("numbers are named by the words after them where the label is before all of them (Quantum ESPRESSO, NAMD)", () => {
  const calls = ["init_run :  0.53s CPU  0.61s WALL ( 1 calls)", "c_bands  :  5.66s CPU  5.98s WALL ( 8 calls)"];
  expect(cellsOf(propose(calls.join("\n")))).toEqual({
    label: ["init_run", "c_bands"],
    CPU: ["0.53", "5.66"],
    WALL: ["0.61", "5.98"],
    calls: ["1", "8"],
  });
  const line = "Info: Benchmark time: 4 CPUs 0.0401 s/step 412.3 MB memory";
  const { rules } = propose(line);
  expect(rules.map(({ variable }) => variable.name.split("_").at(-1))).toEqual(["CPUs", "step", "memory"]);
});

test("the unit in the label of a row is not the unit of other rows (elbencho)", () => {
  const text = ["Elapsed ms   :    5    9", "Dirs/s       : 6061 3330", "Dirs total   :   30   30"].join("\n");
  const { experiment } = propose(text);
  expect(experiment.variables.map(({ unit }) => unit)).toEqual([undefined, undefined, undefined]);
});

test("headings of two lines name columns by position (NCCL tests, CP2K)", () => {
  const text = [
    "#       size    time   algbw    time   algbw",
    "#        (B)    (us)  (GB/s)    (us)  (GB/s)",
    "           8   34.47    0.01   33.78    0.01",
    "     1048576   72.65   14.43   70.94   14.78",
  ].join("\n");
  const proposal = propose(text);
  expect(proposal.rules.map(({ variable }) => variable.name)).toEqual(["size", "time", "algbw", "time_2", "algbw_2"]);
  expect(printExperiment(proposal.experiment)).toContain("*result algbw_2 float GByte/s");
});

test("the column before the first heading has no name (VASP)", () => {
  const text = [
    "       N       E              dE",
    "DAV:   1     0.412214E+03   0.412E+03",
    "DAV:   2    -0.107921E+02  -0.423E+03",
  ].join("\n");
  expect(cellsOf(propose(text))).toMatchObject({ N: ["1", "2"], E: ["0.412214E+03", "-0.107921E+02"] });
});

test("labels at the end of rows may have several words (TAU, perf report)", () => {
  const text = ["%Time  msec  Name", "100.0  5012  main", " 61.2  3067  MPI_Recv()", " 20.1  1007  compute { a, b }"];
  expect(cellsOf(propose(text.join("\n")))).toEqual({
    percent_Time: ["100.0", "61.2", "20.1"],
    msec: ["5012", "3067", "1007"],
    label: ["main", "MPI_Recv()", "compute { a, b }"],
  });
});

test("long fractions with exponents are numbers and no hashes, also with exponents of Fortran", () => {
  const text = "norm=2.573415338219403e-06  rel=1.5D-03  done\n";
  expect(cellsOf(propose(text))).toEqual({ norm: ["2.573415338219403e-06"], rel: ["1.5D-03"] });
});

test("lines that differ only in the digits of their names are single values (sockperf)", () => {
  const text = [99.999, 99.99, 99.9, 99, 50].map((each) => `tool: ---> percentile ${each} = ${Math.floor(each)}.5`);
  const { rules } = propose([...text, "tool: ---> <MAX> observation = 211.3"].join("\n"));
  expect(rules.flatMap(({ cells }) => cells)).toHaveLength(6);
});

test("numbers with thousands separators or decimal commas have descriptors, lists are no numbers", () => {
  const grouped = propose("Lookups:     17,000,000\nThreads: 32\nRuntime: 2.216 seconds\n");
  expect(cellsOf(grouped)).toMatchObject({ Lookups: ["17000000"], Runtime: ["2.216"] });
  expect(printInput(grouped.description)).toContain('NAMED Lookups match="Lookups" thousands=","');
  expect(printInput(grouped.description)).not.toContain('match="Threads" thousands');
  const decimal = propose("Prozesse      Zeit [s]\n1             12,51\n2              6,33\n4           1.003,21\n");
  expect(cellsOf(decimal)).toMatchObject({ Zeit: ["12.51", "6.33", "1003.21"] });
  expect(printInput(decimal.description)).toContain('decimal="," thousands="."');
  const lists = propose("blocks: 64,128,256\ncores 0,1 and 2,3\ncores 4,5 and 6,7\ntime = 3 s\n");
  expect(printInput(lists.description)).not.toMatch(/decimal=|thousands=/);
});

test("numbers above numbers with labels are a matrix; with several titles, each is a table (MLC)", () => {
  const matrix = ["size / procs    1    2    4", "8             1.5  1.6  1.7", "64            2.5  2.6  2.7"];
  const proposal = propose(["Latency (us)", ...matrix].join("\n"));
  expect(printInput(proposal.description).split("\n")).toEqual(
    expect.arrayContaining([
      String.raw`MATRIX Latency regexp="^\\s*size\\s+/\\s+procs\\s+1\\s+2\\s+4\\s*$"`,
      "ACROSS procs",
      "DOWN size",
    ]),
  );
  const two = ["idle latencies (in ns)", "bandwidths (in MB/s)"].flatMap((title) => [
    title,
    "Node   0    1",
    "0  81.2 141.0",
    "1 140.3  81.7",
  ]);
  expect(printExperiment(propose(two.join("\n")).experiment).split("\n")).toEqual(
    expect.arrayContaining([
      "*result idle_latencies_0 float ns NULL better=lower",
      "*result bandwidths_1 float MByte/s NULL better=higher",
    ]),
  );
});

test("a line of dashes shows the columns of tables with empty entries (sacct)", () => {
  const text = [
    "JobID          NNodes  Elapsed     MaxRSS",
    "------------ -------- -------- ----------",
    "1201                2 00:31:02           ",
    "1201.batch          1 00:31:02      4312K",
    "1201.0              2 00:30:55   1048576K",
  ].join("\n");
  const proposal = propose(text);
  expect(cellsOf(proposal)).toEqual({
    JobID: ["1201", "1201.batch", "1201.0"],
    NNodes: ["2", "1", "2"],
    Elapsed: ["00:31:02", "00:31:02", "00:30:55"],
    MaxRSS: ["4312K", "1048576K"],
  });
  expect(printInput(proposal.description)).toContain("chars=14-21");
});

test("a unit before `=` is the name of the next number (Amber)", () => {
  const printed = printExperiment(propose("ns/day =      58.96   seconds/ns =    1465.41\n").experiment);
  expect(printed.split("\n").filter((line) => line.startsWith("*result"))).toEqual([
    "*result ns_day float ns/d NULL once better=higher",
    "*result seconds_ns float s/ns NULL once",
  ]);
});

test("headings stand above their numbers where the labels have none (PETSc)", () => {
  const text = [
    "                         Max       Max/Min     Avg       Total",
    "Time (sec):           1.234e+01     1.000   1.235e+01",
    "Objects:              1.110e+02     1.001   1.111e+02",
  ].join("\n");
  expect(cellsOf(propose(text))).toMatchObject({ Max: ["1.234e+01", "1.110e+02"], Avg: ["1.235e+01", "1.111e+02"] });
});

test("decimal commas in fields", () => {
  const text = '"Knoten";"Zeit [s]"\n1;12,51\n2;6,33\n4;1.003,21\n';
  expect(cellsOf(propose(text))).toMatchObject({ Zeit: ["12.51", "6.33", "1003.21"] });
});

test("a word after each number of a column is no text (nvidia-smi)", () => {
  const text = "index, name, power.draw [W]\n0, card A, 311.31 W\n1, card B, 301.11 W\n";
  expect(cellsOf(propose(text))).toMatchObject({ name: ["card A", "card B"], power_draw_W: ["311.31", "301.11"] });
});

test("a heading does not name the rows above it (GROMACS)", () => {
  const text = [
    "Rest         0.4   31.5",
    "Total       23.7  181.3",
    "",
    "          Core t   Wall t",
    "Time:      758.7   23.7",
  ];
  expect(Object.keys(cellsOf(propose(text.join("\n"))))).not.toContain("Core_t");
});

test("lines that begin sections separate sets, and name them (HPCCG, clpeak)", () => {
  const section = (name: string, factor: number): string[] => [
    `  ${name} Summary:`,
    `    Total : ${3.5 * factor}`,
    `    DDOT  : ${0.5 * factor}`,
  ];
  const proposal = propose(["Time", "FLOPS", "MFLOPS"].flatMap((name, at) => section(name, at + 1)).join("\n"));
  expect(cellsOf(proposal)).toEqual({
    section: ["Time Summary:", "FLOPS Summary:", "MFLOPS Summary:"],
    Total: ["3.5", "7", "10.5"],
    DDOT: ["0.5", "1", "1.5"],
  });
});

test("lines of more than 4,000 characters are neither rows nor named texts", () => {
  const filler = " ".repeat(4000);
  expect(cellsOf(propose(`${filler}class = A\nsize = 3\n1 2 3${filler}\n1 2 4${filler}`))).toEqual({ size: ["3"] });
});

test("headings below a time or after a label are those of one table (sysstat)", () => {
  const text = [
    "14:26:37     CPU    %usr   %idle",
    "14:26:38     all   40.30    1.49",
    "14:26:38       0   28.71    0.98",
    "",
    "14:26:38     CPU    %usr   %idle",
    "14:26:39     all   39.30    1.59",
    "14:26:39       0   24.75    0.99",
    "",
    "Average:     CPU    %usr   %idle",
    "Average:     all   39.80    1.54",
    "Average:       0   26.73    0.97",
    "",
    "avg-cpu:  %user   %nice %system",
    "          45.85   13.61   18.25",
  ].join("\n");
  expect(cellsOf(propose(text))).toEqual({
    time_of_day: ["14:26:38", "14:26:38", "14:26:39", "14:26:39"],
    CPU: ["all", "0", "all", "0"],
    percent_usr: ["40.30", "28.71", "39.30", "24.75"],
    percent_idle: ["1.49", "0.98", "1.59", "0.99"],
    Average: ["Average:", "Average:"],
    CPU_2: ["all", "0"],
    percent_usr_2: ["39.80", "26.73"],
    percent_idle_2: ["1.54", "0.97"],
    percent_user: ["45.85"],
    percent_nice: ["13.61"],
    percent_system: ["18.25"],
  });
});
