import { expect, test } from "vitest";
import { readPerfStat } from "./perf-stat.ts";

/** Perf 6.1.187 without hardware counters: `perf stat -x '\t' -e instructions:u,task-clock,page-faults -- true`. */
const printed = `# started on Sat Nov 21 18:53:18 2026

<not supported>\t\tinstructions:u\t0\t100.00\t\t
1.12\tmsec\ttask-clock\t1116500\t100.00\t0.510\tCPUs utilized
50\t\tpage-faults\t1116500\t100.00\t44.783\tK/sec
`;

test("reads counted and unsupported events", () => {
  expect(readPerfStat(printed)).toEqual([
    { event: "instructions", amount: null, unit: "", percent: 100 },
    { event: "task-clock", amount: 1.12, unit: "msec", percent: 100 },
    { event: "page-faults", amount: 50, unit: "", percent: 100 },
  ]);
});

test("reads multiplexed counters, decimal commas, and uncounted events", () => {
  const lines =
    "123456789012\t\tcycles:u\t500\t41,50\t\t\n<not counted>\t\tbranches\t0\t0.00\t\t\nsome warning\n\t\t\t\n";
  expect(readPerfStat(lines)).toEqual([
    { event: "cycles", amount: 123456789012, unit: "", percent: 41.5 },
    { event: "branches", amount: null, unit: "", percent: 0 },
  ]);
});
