import { expect, test } from "vitest";
import { printExperiment } from "../descriptions/experiment/experiment-print.ts";
import { printInput } from "../descriptions/input/input-print.ts";
import { proposeDescription } from "./propose.ts";
import { sampleLines } from "./sample.ts";
import { expectedValue } from "./spellings.ts";

/** The variables of a proposal, its input description, and the values that its rules should read. */
function propose(...lines: readonly string[]) {
  const samples = [{ name: "out.txt", lines: sampleLines(lines.join("\n")) }];
  const { experiment, description, rules } = proposeDescription(samples, { name: "sample", file: "sample.inp" });
  const variables = printExperiment(experiment).match(/(?<=^\*(?:parameter|result) ).*/gm);
  const values = rules.map(({ variable, column, cells }) => [
    variable.name,
    cells.map(({ text }) => expectedValue(column, text)),
  ]);
  return { variables, input: printInput(description), values: Object.fromEntries(values) as unknown };
}

test("numbers with prefixes have their scale: powers of 1000, and of 1024 for memory (wrk, dstat)", () => {
  const { variables, input, values } = propose("rate 12.5k 980 1.05M", "rate 2k 13.5k 0");
  expect(values).toEqual({ rate: [12_500, 2000], value: [980, 13_500], value_2: [1_050_000, 0] });
  expect(input).toMatch(/prefixes="?decimal/);
  expect(variables?.[0]).toMatch(/^rate float - /);
  const memory = propose("Step  MaxRSS", "1     1234567K", "2     2M");
  expect(memory.values).toEqual({ Step: [1, 2], MaxRSS: [1_264_196_608, 2_097_152] });
  expect(memory.input).toMatch(/MaxRSS .*prefixes="?binary/);
  expect(memory.variables?.[1]).toMatch(/^MaxRSS int Byte /);
});

test("`Gi` is GiByte (free -h)", () => {
  const { variables, values } = propose(
    "        total  used  other",
    "Mem:    23Gi   1.5Gi 61Mi",
    "Swap:   0B     0B    0B",
  );
  expect(values).toMatchObject({ other: [61 * 1024 ** 2, 0] });
  expect(variables?.join("\n")).toMatch(/^used float Byte /m);
});

test("factors are numbers (google-benchmark, hyperfine)", () => {
  const { input, values } = propose("name   speedup", "first  1.53x", "other  0.5x");
  expect(values).toEqual({ name: ["first", "other"], speedup: [1.53, 0.5] });
  expect(input).toMatch(/speedup .*filter="?x\$/);
});

test("spans and instants are times, unknown ones are missing (sacct, documented by Slurm)", () => {
  const { variables, input, values } = propose(
    "JobID         Elapsed               Start                 End",
    "-------- ------------ ------------------- -------------------",
    "1201     1-02:03:04   2024-04-03T12:00:01 2024-04-04T14:03:05",
    "1202 x   00:31:02     2024-04-03T12:00:02             Unknown",
  );
  expect(variables).toEqual([
    "JobID string - NULL",
    "Elapsed duration - NULL better=lower",
    "Start timestamp - NULL",
    "End timestamp - NULL",
  ]);
  expect(values).toMatchObject({ Elapsed: [93_784, 1862] });
  expect(input).toMatch(/End .*missing="?Unknown/);
  expect(propose("Time", "12:00:01 3.5 4.5", "12:00:02 3.5 4.5").variables?.join()).not.toContain("duration");
});

test("groups of digits before `bytes` are thousands (valgrind)", () => {
  const { input, values } = propose("in use at exit: 21,204 bytes in 10 blocks");
  expect(values).toEqual({ in_use_at_exit_in: [21_204], in_use_at_exit_blocks: [10] });
  expect(input).toContain('thousands=","');
  const { values: decimal } = propose("Zeit: 12,05 s", "Rest: 6,33 s", "Groesse: 21,204 bytes", "Ende: 7,25 s");
  expect(decimal).toMatchObject({ Groesse: [21.204] });
});

test("rows with other units are no rows of the same table (wrk)", () => {
  const text = ["Stats    Avg      Max", "Latency  10.27ms  36.40ms", "Req/Sec  396.20   1.05k"];
  expect(propose(...text).values).toMatchObject({ Avg: [10.27], Max: [36.4], Req_Sec: [396.2] });
});

test("deviations that some cells of a grid lack are optional (hyperfine)", () => {
  const { values, input } = propose(
    "| Command | Mean [ms]  | Relative    |",
    "|:--------|-----------:|------------:|",
    "| first   | 5.1 ± 0.2  | 1.00        |",
    "| second  | 7.8 ± 0.3  | 1.53 ± 0.07 |",
  );
  expect(values).toMatchObject({ Relative: [1, 1.53], Relative_deviation: [0.07], Mean_deviation: [0.2, 0.3] });
  expect(input).toMatch(/Relative_deviation .*optional/);
});

test("texts of several words between gaps", () => {
  const { values, input } = propose(
    "ID     STATUS              SIZE",
    "one    Up 2 hours          12.5",
    "two    Exited              7.25",
    "three  Up about a minute   3.5",
  );
  expect(values).toEqual({
    ID: ["one", "two", "three"],
    STATUS: ["Up 2 hours", "Exited", "Up about a minute"],
    SIZE: [12.5, 7.25, 3.5],
  });
  expect(input).toContain("gap=2");
});

test("labels at the end of rows may have numbers (cProfile)", () => {
  const { values } = propose(
    "   ncalls  tottime  percall filename:lineno(function)",
    "       60    0.019    0.001 textwrap.py:238(_wrap_chunks)",
    "        1    0.012    0.012 {built-in method builtins.sorted}",
    "      200    0.006    0.000 encoder.py:205(iterencode)",
  );
  expect(values).toEqual({
    label: ["textwrap.py:238(_wrap_chunks)", "{built-in method builtins.sorted}", "encoder.py:205(iterencode)"],
    ncalls: [60, 1, 200],
    tottime: [0.019, 0.012, 0.006],
    percall: [0.001, 0.012, 0],
  });
});

test("a name with colons in brackets is the name of a duration (time -v)", () => {
  const { variables, values } = propose("Swaps: 1", "Elapsed (wall clock) time (h:mm:ss or m:ss): 0:01.50");
  expect(variables?.[1]).toMatch(/^Elapsed_wall_clock_time_h_mm_ss_or_m_ss duration /);
  expect(values).toMatchObject({ Elapsed_wall_clock_time_h_mm_ss_or_m_ss: [1.5] });
});

test("a number with a prefix is no number for the columns after it (gcc -ftime-report)", () => {
  const { input, values } = propose(
    "phase setup    : 0.10 (  0%)  1326k   7 ms",
    "parsing        : 0.20 (100%)     0    8 ms",
    "opt and expand : 0.30 (100%)    86k   9 ms",
  );
  expect(values).toMatchObject({ value: [0.1, 0.2, 0.3], value_2: [0, 100, 100], value_3: [1_326_000, 0, 86_000] });
  expect(input).toMatch(/value_3 .*pos=2 typed prefixes="?decimal/);
  // Its position among the numbers varies.
  expect(input).not.toMatch(/ pos=3 typed/);
});
