import { expect, test } from "vitest";
import { printExperiment } from "../descriptions/experiment/experiment-print.ts";
import { printInput } from "../descriptions/input/input-print.ts";
import { proposeDescription, type Proposal } from "./propose.ts";
import { sampleLines } from "./sample.ts";

function propose(text: string, ...more: readonly (readonly [name: string, text: string])[]): Proposal {
  const samples = [["out.txt", text] as const, ...more].map(([name, each]) => ({ name, lines: sampleLines(each) }));
  return proposeDescription(samples, { name: "sample", file: "sample.inp" });
}

const cellsOf = (proposal: Proposal): Record<string, string[]> =>
  Object.fromEntries(proposal.rules.map(({ variable, cells }) => [variable.name, cells.map(({ text }) => text)]));

test("finds a table with units in its heading, and single values with roles, types and units", () => {
  const proposal = propose(
    [
      "# OSU MPI Latency Test v5.8",
      "ranks: 4",
      "compiler: gcc",
      "# Size          Latency (us)",
      "1                       0.31",
      "2                       0.33",
      "total time = 1.5 s",
    ].join("\n"),
  );
  expect(
    printExperiment(proposal.experiment)
      .split("\n")
      .filter((line) => line.startsWith("*")),
  ).toEqual([
    "*experiment sample",
    "*parameter Size int - NULL",
    "*result Latency float us NULL better=lower",
    "*parameter ranks int - NULL once",
    "*result total_time float s NULL once better=lower",
    "*parameter compiler string - NULL once",
  ]);
  expect(printInput(proposal.description).split("\n")).toContain(
    'TABLE Latency row="# Size          Latency (us)" pos=2',
  );
  expect(cellsOf(proposal)).toEqual({
    Size: ["1", "2"],
    Latency: ["0.31", "0.33"],
    ranks: ["4"],
    total_time: ["1.5"],
    compiler: ["gcc"],
  });
});

test("dates, times, versions, paths and hashes are no measurements", () => {
  const text = [
    "Began : Fri Jul 24 03:02:52 2020",
    "started 2024-04-03 12:00:01 on node7",
    "tool 3.10.1 in /opt/app-2.5/bin",
    "digest 8dabbad0008040000",
    "time = 2.5 s",
  ].join("\n");
  expect(cellsOf(propose(text))).toEqual({ time: ["2.5"], Began: ["Fri Jul 24 03:02:52 2020"] });
});

test("fields between bars are read with their units and deviations", () => {
  const text = [
    "| model  |     size | test  |            t/s |",
    "| ------ | -------: | ----- | -------------: |",
    "| llama  | 3.56 GiB | pp 64 |    6.17 ± 0.07 |",
    "| llama  | 3.56 GiB | tg 16 |    4.05 ± 0.02 |",
  ].join("\n");
  expect(cellsOf(propose(text))).toMatchObject({
    size: ["3.56", "3.56"],
    test: ["pp 64", "tg 16"],
    t_s: ["6.17", "4.05"],
    t_s_deviation: ["0.07", "0.02"],
  });
});

test("labels of several words are one value", () => {
  const text = [
    "Operation                Max       Min",
    "Directory creation:  104.022    96.640",
    "Directory stat    :  223.690    91.055",
    "File read         :  278.526   275.416",
  ].join("\n");
  expect(cellsOf(propose(text))).toEqual({
    label: ["Directory creation", "Directory stat", "File read"],
    Max: ["104.022", "223.690", "278.526"],
    Min: ["96.640", "91.055", "275.416"],
  });
});

test("a line that begins each repetition separates sets, and names them", () => {
  const block = (name: string, size: number): string =>
    [`# Benchmarking ${name}`, `message size: ${size}`, "#reps  time[usec]", `10  ${size}.5`, ""].join("\n");
  const proposal = propose(["PingPong", "Barrier", "Bcast"].map((name, at) => block(name, at + 3)).join("\n"));
  expect(printInput(proposal.description)).toContain('SEP regexp="^\\\\s*#\\\\s+Benchmarking\\\\s"');
  expect(cellsOf(proposal)).toMatchObject({
    Benchmarking: ["PingPong", "Barrier", "Bcast"],
    message_size: ["3", "4", "5"],
    time: ["3.5", "4.5", "5.5"],
  });
});

test("rows after a foreign line are found by a pattern of the row", () => {
  const rows = ["Size  Latency(us)", "1  0.5", "2  0.6", "a node is slow!", "4  0.7", "8  0.8"];
  const proposal = propose(rows.join("\n"));
  expect(cellsOf(proposal)).toEqual({ Size: ["1", "2", "4", "8"], Latency: ["0.5", "0.6", "0.7", "0.8"] });
  const tables = proposal.description.locations.filter(({ kind }) => kind === "table");
  expect(tables).toMatchObject([{ start: 0, most: 1, rows: [{ kind: "pattern" }] }]);
});

test("parts of names that vary are parameters; keys need no second sample", () => {
  const runs = [4, 16].flatMap((np) => [1, 2].map((run) => [`nodes=2/np${np}_run${run}.log`, "time: 1.5 s"] as const));
  const samples = runs.map(([name, text]) => ({ name, lines: [text] }));
  const { rules } = proposeDescription(samples, { name: "x", file: "x.inp" });
  const found = Object.fromEntries(rules.map(({ variable, cells }) => [variable.name, cells.map(({ text }) => text)]));
  expect(found).toMatchObject({
    np: ["4", "4", "16", "16"],
    run: ["1", "2", "1", "2"],
    time: ["1.5", "1.5", "1.5", "1.5"],
  });
  expect(found).not.toHaveProperty("nodes");
  const [first] = samples.map((sample) => proposeDescription([sample], { name: "x", file: "x.inp" }));
  expect(first?.rules.map(({ variable }) => variable.name)).toContain("nodes");
});

test("the same samples give the same proposal", () => {
  const text = "a: 1\nb: 2.5\nx y\n1 2\n3 4\n";
  expect(propose(text)).toEqual(propose(text));
});

test("numbers before `=` are names, and rates have their unit", () => {
  const text = [
    "run: bw=171MiB/s (180MB/s)(172MiB/1001msec)",
    "  lat (usec)   : 50=0.01%, 100=94.64%, 250=2.27%",
    "     |  1.00th=[   65],  5.00th=[   70]",
  ].join("\n");
  const { rules } = propose(text);
  expect(rules.map(({ cells }) => cells[0]?.text)).toEqual([
    "171",
    "180",
    "172",
    "1001",
    "0.01",
    "94.64",
    "2.27",
    "65",
    "70",
  ]);
  expect(printExperiment(propose(text).experiment)).toMatch(/ (?:int|float) MiByte\/s /);
  expect(printExperiment(propose(text).experiment)).toMatch(/ (?:int|float) MByte\/s /);
});

test("a name of a folder that is only a key and its value gives a short rule", () => {
  const text = "time = 2.5 s\n";
  const samples = ["a/np=4/mode=fast/out.txt", "a/np=8/mode=slow/out.txt"].map((name) => ({ name, lines: [text] }));
  const { description, rules } = proposeDescription(samples, { name: "sample", file: "sample.inp" });
  expect(printInput(description).split("\n").slice(1, 3)).toEqual(['FILENAME np key="np"', 'FILENAME mode key="mode"']);
  expect(rules[1]?.cells.map((cell) => cell.text)).toEqual(["fast", "slow"]);
  const mixed = samples.map((each, at) => ({ ...each, name: `np=${at}_run/out.txt` }));
  expect(printInput(proposeDescription(mixed, { name: "sample", file: "sample.inp" }).description)).toContain(
    "regexp=",
  );
});

// The samples below are made up; the comments name the programs that print such a format.

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

test("numbers above numbers with labels are a matrix; with several titles, each is a table (memory latency tools)", () => {
  const matrix = ["size / procs    1    2    4", "8             1.5  1.6  1.7", "64            2.5  2.6  2.7"];
  const proposal = propose(["Latency (us)", ...matrix].join("\n"));
  expect(printInput(proposal.description).split("\n")).toEqual(
    expect.arrayContaining(['MATRIX Latency row="size / procs    1    2    4"', "ACROSS procs", "DOWN size"]),
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
