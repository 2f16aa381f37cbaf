import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { readCallgrindTotals } from "../../formats/stacks/callgrind/call-cycles.ts";
import { lastLine, requireSuccess, type Outcome } from "./collector.ts";
import {
  commandOf,
  type Count,
  type Counting,
  type CountingEngine,
  type CountingPlan,
  limitsOf,
} from "./counters-engine.ts";

/** Valgrind's manual, Cachegrind and Callgrind: events that are simulated. */
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

/** Caches that are the same everywhere, for numbers that are: else valgrind takes those of the machine. */
const caches = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"];

/**
 * Counts in a simulated processor; some fifty times slower than a real one. Processes that the command starts count,
 * too.
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
    `--callgrind-out-file=${escaped(join(folder, "out"))}.%p`,
    `--log-file=${escaped(join(folder, "log"))}.%p`,
  ];
  // A forked process begins with the counts of its parent, which would be there twice: before that they are written and
  // begin anew.
  return [
    "--tool=callgrind",
    "--trace-children=yes",
    "--dump-before=fork",
    ...files,
    ...(cache ? caches : []),
    ...(branches ? ["--branch-sim=yes"] : []),
  ];
}

/** Valgrind reads `%p` and the like in names of files. */
function escaped(path: string): string {
  return path.replaceAll("%", "%%");
}

function countsIn({ folder, job }: Counting, outcome: Outcome): Count[] {
  const sums = new Map<string, number>();
  for (const file of readdirSync(folder).filter((name) => name.startsWith("out.")))
    for (const [name, amount] of totalsIn(join(folder, file))) sums.set(name, (sums.get(name) ?? 0) + amount);
  if (sums.size === 0) {
    const reason = `callgrind counted nothing: ${complaintIn(folder) || lastLine(outcome.stderr) || "it was killed before its end"}`;
    throw new Failure("untraceable", {
      what: commandOf(job),
      reason,
      instead: "measure a program of this machine's own processor that ends by itself",
    });
  }
  return [...sums].map(([name, amount]) => ({ event: names[name] ?? name, name, amount, unit: "event", percent: 100 }));
}

/** A process that is killed leaves an empty file. */
function totalsIn(path: string): ReadonlyMap<string, number> {
  const text = readFileSync(path, "latin1");
  return text.trim() === "" ? new Map() : readCallgrindTotals(text, "callgrind.out");
}

function complaintIn(folder: string): string {
  const logs = readdirSync(folder).filter((name) => name.startsWith("log."));
  return (
    logs
      .map((name) => lastLine(readFileSync(join(folder, name))).replace(/^==\d+== */, ""))
      .find((line) => line !== "") ?? ""
  );
}
