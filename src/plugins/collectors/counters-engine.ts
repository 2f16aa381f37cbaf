import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { readCallgrindTotals } from "../../formats/stacks/index.ts";
import { lastLine, requireSuccess, type Outcome, type Job, type Shell } from "./collector.ts";
import { type RunPlan, limitsOf } from "./run-plan.ts";

/** What to count. */
export interface CountingPlan extends Pick<RunPlan, "timeout" | "allowFailure"> {
  /** Empty: instructions, and the events of `cache` and `branches`. */
  readonly events: readonly string[];
  readonly cache: boolean;
  readonly branches: boolean;
}

/** A measurement; `folder` is an empty temporary folder. */
export interface Counting {
  readonly argv: readonly string[];
  readonly job: Job;
  readonly shell: Shell;
  readonly plan: CountingPlan;
  readonly folder: string;
}

/** Count of an event in one run. */
export interface Count {
  /** Normalized name: `instructions`. */
  readonly event: string;
  /** Name in the tool. */
  readonly name: string;
  readonly amount: number;
  /** Unit in the profile header: `event` or `ms`. */
  readonly unit: string;
  /** Percentage of the time in which it was counted; below 100 the amount is an estimate. */
  readonly percent: number;
}

export interface CountingEngine {
  readonly name: string;
  readonly tool: "perf" | "valgrind";
  /**
   * Runs the command once. Fails with `command-failed` unless failures are allowed, and with `untraceable` when nothing
   * was counted.
   */
  count(counting: Counting): Promise<{ readonly outcome: Outcome; readonly counts: readonly Count[] }>;
}

/** The command in messages. */
export function commandOf({ cmd, workload }: Job): string {
  return `'${`${cmd} ${workload}`.trim()}'`;
}

/** Simulated events (Valgrind's manual, Cachegrind and Callgrind). */
const names: Readonly<Record<string, string>> = {
  Ir: "instructions",
  Dr: "data-reads",
  Dw: "data-writes",
  I1mr: "l1-instruction-misses",
  D1mr: "l1-read-misses",
  D1mw: "l1-write-misses",
  ILmr: "last-level-instruction-misses",
  DLmr: "last-level-read-misses",
  DLmw: "last-level-write-misses",
  Bc: "conditional-branches",
  Bcm: "conditional-branch-misses",
  Bi: "indirect-branches",
  Bim: "indirect-branch-misses",
};

/** Fixed caches for reproducible counts; by default valgrind simulates the machine's. */
const caches = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"];

/**
 * Counts in a simulated processor, about fifty times slower than native. Includes child processes.
 */
export const callgrindEngine: CountingEngine = {
  name: "callgrind",
  tool: "valgrind",

  async count(counting) {
    const { argv, plan, folder, shell, job } = counting;
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
    const outcome = await shell.run(["valgrind", ...flagsOf(plan, folder), "--", ...argv], limitsOf(plan, job));
    if (!plan.allowFailure) requireSuccess(outcome, job);
    return { outcome, counts: countsIn(counting, outcome) };
  },
};

function flagsOf({ cache, branches }: CountingPlan, folder: string): string[] {
  const files = [
    `--callgrind-out-file=${escape(join(folder, "out"))}.%p`,
    `--log-file=${escape(join(folder, "log"))}.%p`,
  ];
  // Dump and reset the counts before a fork; otherwise the child's file repeats its parent's counts.
  return [
    "--tool=callgrind",
    "--trace-children=yes",
    "--dump-before=fork",
    ...files,
    ...(cache ? caches : []),
    ...(branches ? ["--branch-sim=yes"] : []),
  ];
}

/** Escapes `%`, which starts a placeholder in valgrind's file names. */
function escape(path: string): string {
  return path.replaceAll("%", "%%");
}

function countsIn({ folder, job }: Counting, outcome: Outcome): Count[] {
  const sums = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => name.startsWith("out.")))
    for (const [name, amount] of totalsIn(join(folder, file))) sums.set(name, (sums.get(name) ?? 0) + amount);
  if (sums.size === 0) {
    const detail = errorIn(folder) || lastLine(outcome.stderr) || "it was killed";
    const reason = `callgrind counted nothing: ${detail}`;
    throw new Failure("untraceable", {
      what: commandOf(job),
      reason,
      instead: "measure a program for this machine's architecture that exits normally",
    });
  }
  return [...sums].map(([name, amount]) => ({ event: names[name] ?? name, name, amount, unit: "event", percent: 100 }));
}

/** Total counts; empty for a killed process, whose file is empty. */
function totalsIn(path: string): ReadonlyMap<string, number> {
  const text = readFileSync(path, "latin1");
  return text.trim() === "" ? new Map() : readCallgrindTotals(text, "callgrind.out");
}

function errorIn(folder: string): string {
  const logs = readdirSync(folder).filter((name) => name.startsWith("log."));
  return (
    logs
      .map((name) => lastLine(readFileSync(join(folder, name))).replace(/^==\d+== */, ""))
      .find((line) => line !== "") ?? ""
  );
}
