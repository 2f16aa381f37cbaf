import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../core/failures/index.ts";
import type { Job } from "../collector.ts";

/** Exit status of the script when bpftrace fails. */
export const notStarted = 125;

/**
 * Starts bpftrace with `script.bt`. Line buffering makes the first line, which signals readiness, visible immediately.
 * Background processes of a shell ignore SIGINT.
 */
export function tracerStart(folder: string): string {
  const [log, errors] = [shellQuote(join(folder, "log")), shellQuote(join(folder, "errors"))];
  // The log of an earlier run must not signal readiness.
  return `: >${log}
bpftrace -q -B line ${shellQuote(join(folder, "script.bt"))} $$ >${log} 2>${errors} </dev/null &
tracer=$!
until [ -s ${log} ]; do kill -0 $tracer 2>/dev/null || exit ${notStarted}; sleep 0.02; done`;
}

/** Exit status of the script when bpftrace does not end. */
export const notEnded = 123;

/** Rounds of 20 ms a second. */
const roundsPerSecond = 50;

/**
 * Ends bpftrace within `seconds`; then `tracer_killed` is 1 if it had to be killed, so that results that it prints at
 * its end are missing. bpftrace 0.17 misses a signal that arrives while it handles events, so the signal is repeated
 * each second.
 */
export function tracerEnd(seconds = 20): string {
  return `rounds=0 tracer_killed=0
while kill -0 $tracer 2>/dev/null && [ $rounds -lt ${seconds * roundsPerSecond} ]; do
  [ $((rounds % ${roundsPerSecond})) -ne 0 ] || kill -TERM $tracer 2>/dev/null
  sleep 0.02
  rounds=$((rounds + 1))
done
kill -KILL $tracer 2>/dev/null && tracer_killed=1
wait $tracer 2>/dev/null`;
}

/** Quotes for a POSIX shell. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Fails with `untraceable`, unless the program itself exited with this status. */
export function requireStarted(folder: string, job: Job): void {
  if (readFileSync(join(folder, "log")).length > 0) return;
  const lines = readFileSync(join(folder, "errors"), "utf8").split("\n");
  const reason = lines.find((line) => /^ERROR|error:/i.test(line) && !line.includes("RLIMIT_MEMLOCK")) ?? "no message";
  throw untraceable(
    job,
    `bpftrace cannot set probes: ${reason.trim().slice(0, 200)}`,
    "use another engine, or check the requirements of bpftrace",
  );
}

export function untraceable(job: Job, reason: string, instead: string): Failure {
  return new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, reason, instead });
}
