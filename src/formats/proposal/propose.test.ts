import { expect, test } from "vitest";
import { formatUnit } from "../../core/values/index.ts";
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
    String.raw`TABLE Latency regexp="^\\s*#\\s+Size\\s+Latency\\s+\\(us\\)\\s*$" pos=2`,
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

test.each([
  ["size bw lat", "8 5.0 MB/s 1.5 us", "16 6.0 MB/s 2.5 us"],
  ["# size  bw  lat", "# ----", "8 5.0 MB/s 1.5 us", "16 6.0 MB/s 2.5 us"],
  ["size;bw;bw;lat;", "8;5.0;MB/s;1.5;us", "16;6.0;MB/s;2.5;us"],
  ["| size | bw  | unit | lat | |", "| 8  | 5.0 | MB/s | 1.5 | us |", "| 16 | 6.0 | MB/s | 2.5 | us |"],
  ["size        bw     lat", "----  --------  ------", "   8  5.0 MB/s  1.5 us", "", "  16  6.0 MB/s  2.5 us"],
])("the same unit in all rows is that of the numbers before it: %s", (...lines) => {
  const { experiment } = propose(lines.filter((line) => line !== "").join("\n"));
  expect(printExperiment(experiment).match(/^\*(?:parameter|result) .*/gm)).toEqual([
    "*parameter size int - NULL",
    "*result bw float MByte/s NULL better=higher",
    "*result lat float us NULL better=lower",
  ]);
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

test("leaves out numbers that only a pattern longer than descriptions may have would find", () => {
  const proposal = propose(`1.98,vm,${Array.from({ length: 60 }, (_, at) => `${at},c`).join(",")}\n`);
  const { locations } = proposal.description;
  const patterns = locations.flatMap((each) => (each.kind === "named" ? each.patterns : []));
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.length).toBeLessThan(61);
  expect(Math.max(...patterns.map((each) => each.length))).toBeLessThanOrEqual(1000);
});

test("the heading of a table may be spaced differently in the next output", () => {
  const { description } = propose("size    time\n1       2.5\n2       3.5\n");
  const [table] = description.locations;
  expect(table).toMatchObject({ kind: "table", rows: [{ kind: "pattern", source: "^\\s*size\\s+time\\s*$" }] });
});

test.each([
  ["cache miss rate", "lower"],
  ["transfer rate", "higher"],
  ["errors/sec", "lower"],
  ["speedup", "higher"],
  ["MB/s", "higher"],
  ["time (s)", "lower"],
  ["FOM", "higher"],
  ["assertions/s", "higher"],
])("%s: %s is better", (name, better) => {
  expect(propose(`${name}: 12.5\n`).experiment.variables.find(({ role }) => role === "result")).toMatchObject({
    better,
  });
});

test("(s) after a countable noun is a plural, after a time a unit", () => {
  const { experiment } = propose("total time(s): 12.5\nfailed request(s): 3.5\n");
  const units = experiment.variables.filter(({ role }) => role === "result").map(({ unit }) => formatUnit(unit));
  expect(units).toEqual(["s", ""]);
});

test("a count with a part after a slash is its first number, in rows with labels at their end", () => {
  const proposal = propose(
    [
      "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)",
      "      5/1    0.001    0.000    0.015    0.015 {built-in method builtins.exec}",
      "        1    0.002    0.002    0.009    0.009 prog.py:1(<module>)",
      "   8361/1    0.003    0.000    0.008    0.008 prog.py:2(fib)",
      "       12    0.004    0.000    0.004    0.000 re.py:250(compile)",
    ].join("\n"),
  );
  expect(cellsOf(proposal)).toMatchObject({
    ncalls: ["5", "1", "8361", "12"],
    percall: ["0.000", "0.002", "0.000", "0.000"],
    label: ["{built-in method builtins.exec}", "prog.py:1(<module>)", "prog.py:2(fib)", "re.py:250(compile)"],
  });
  expect(proposal.experiment.variables.find(({ name }) => name === "ncalls")?.role).toBe("result");
  const rule = printInput(proposal.description)
    .split("\n")
    .find((line) => line.startsWith("TABLE ncalls"));
  expect(rule).toContain(String.raw`filter="/\\d+$"`);
});

test("percentages are results, also as integers", () => {
  const proposal = propose("cpu 45%\nload: 30 %\nthreads: 4\n");
  expect(proposal.experiment.variables.map(({ name, role }) => [name, role])).toEqual([
    ["cpu", "result"],
    ["load", "result"],
    ["threads", "parameter"],
  ]);
});

test("names follow the numbers of a line that begins with a number and ends with a name", () => {
  const text = " 3891.4375 MB /   2.01 sec = 16248.6150 Mbps 47 %TX 41 %RX 0 retrans 0.14 msRTT\n";
  expect(cellsOf(propose(text))).toEqual({
    value: ["3891.4375"],
    sec: ["2.01"],
    rate: ["16248.6150"],
    percent_TX: ["47"],
    percent_RX: ["41"],
    retrans: ["0"],
    msRTT: ["0.14"],
  });
});
