import { expect, test } from "vitest";
import { printExperiment } from "../descriptions/experiment/experiment-print.ts";
import { printInput } from "../descriptions/input/input-print.ts";
import { proposeDescription, type Proposal } from "./propose.ts";
import { sampleLines } from "./sample.ts";

function propose(text: string): Proposal {
  return proposeDescription([{ name: "out.txt", lines: sampleLines(text) }], { name: "sample", file: "sample.inp" });
}

const separatorOf = (proposal: Proposal): string[] =>
  printInput(proposal.description)
    .split("\n")
    .filter((line) => line.startsWith("SEP"));

const onceIn = (proposal: Proposal): string[] =>
  proposal.rules.flatMap(({ variable }) => (variable.occurrence === "once" ? [variable.name] : []));

test("the last line of each repetition starts no set, however few values it has (hackbench)", () => {
  const runs = [1, 2, 3].map((groups) =>
    [
      `Running with ${groups} groups using 40 file descriptors each (== ${40 * groups} tasks)`,
      `Each sender will pass 20 messages of ${100 + groups} bytes`,
      `Time: 0.0${groups}`,
    ].join("\n"),
  );
  expect(separatorOf(propose(runs.join("\n")))).toEqual([expect.stringContaining("Running")]);
});

test("a line without values may end each repetition", () => {
  const text = "size 1 Byte\ntime: 2.5 s\nend of test\nsize 2 Byte\ntime: 3.5 s\nend of test\n";
  expect(separatorOf(propose(text))).toEqual(['SEP string="end of test"']);
});

test("a value of one set is no value of the other sets, but a header and a footer are (dd, qperf)", () => {
  const set = (line: string): string => ["tcp_bw:", line, "  time = 1 sec", "  cpus = 2"].join("\n");
  const text = [
    "duration = 3 sec",
    set("  bw = 904 KB/sec"),
    set("  bw = 3.02 MB/sec"),
    set("  bw = 10 MB/sec"),
    "all tests took 9 sec",
  ].join("\n");
  const proposal = propose(text);
  expect(separatorOf(proposal)).toEqual(['SEP string="tcp_bw:"']);
  expect(onceIn(proposal)).toEqual(["duration", "all_tests_took"]);
  expect(printExperiment(proposal.experiment)).toContain("*result bw float KByte/s NULL better=higher\n");
});

test("numbers of a separator that are equal by chance may differ in the next output", () => {
  const text = "run of 20 records\nsize = 1 Byte\ntime = 2.5 s\n".repeat(2);
  expect(separatorOf(propose(text))).toEqual([expect.stringMatching(/^SEP regexp=.*records/)]);
});

test("a separator is never longer than a pattern of a description", () => {
  const numbers = (at: number): string => Array.from({ length: 60 }, (_, each) => `${at + each}.5`).join(", ");
  const text = [1, 2, 3].map((at) => `frame of ${numbers(at)}\nsize = ${at} Byte\ntime = ${at}.25 s\n`).join("");
  for (const line of separatorOf(propose(text))) expect(line.length).toBeLessThan(1000);
});

test("lines of numbers only are rows, not the beginning of sets (redis-cli --latency-history)", () => {
  const part = (values: string): string => `${values}\n-- 1.00 seconds range\n`;
  const text = part("0 1 0.50 2\n0 1 0.33 3\n0 1 0.25 4") + part("0 0 0.00 1\n0 2 0.20 5") + part("0 1 0.10 1");
  const proposal = propose(text);
  expect(separatorOf(proposal)).not.toContainEqual(expect.stringContaining(String.raw`^\\s*[-+.]*\\d`));
  expect(proposal.rules.filter(({ cells }) => cells.length === 6)).toHaveLength(4);
});
