import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../../core/failures/index.ts";
import { countScript, type ProbedFunction, readCallCounts } from "../../../formats/traces/index.ts";
import { outputLimit, type Job, type Shell } from "../collector.ts";
import {
  notEnded,
  notStarted,
  requireStarted,
  shellQuote,
  tracerEnd,
  tracerStart,
  untraceable,
} from "./bpftrace-start.ts";

/** Seconds that a recorded call costs: entry and return trap into the kernel, on virtual machines for tens of µs. */
const secondsPerCall = 20e-6;
/** A traced program takes at most about this many times its own time. */
const mostSlowdown = 10;
/** Calls that are always affordable: 0.4 s. */
const leastCalls = 20_000;
/** Seconds after which a counting run is stopped: three times the program's own, within these limits. */
const [shortestRun, longestRun] = [2, 20];
/** Counting runs; a stopped one may not have reached all functions. */
const mostRuns = 4;

/** A function that is called too often, with the calls counted; `isWhole`: in a run that was not stopped. */
export interface OmittedFunction {
  readonly id: number;
  readonly calls: number;
  readonly isWhole: boolean;
}

export interface SurveyOptions {
  readonly argv: readonly string[];
  readonly job: Job;
  readonly shell: Shell;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Calls after which recording fails. */
  readonly limit: number;
  readonly timeout: number | null;
  progress(done: number): void;
}

/**
 * The functions to leave out so that recording the others takes at most ten times the program's own time. Runs the
 * program once by itself and up to four times with its calls counted, which traps at entries only. Nothing is left out
 * of a program that fails by itself: recording it reports why.
 */
export async function functionsToOmit(
  functions: readonly ProbedFunction[],
  options: SurveyOptions,
): Promise<readonly OmittedFunction[]> {
  const own = await ownSeconds(options);
  options.progress(0.2);
  if (own === undefined) return [];
  const window = Math.min(Math.max(3 * own, shortestRun), longestRun);
  const omitted: OmittedFunction[] = [];
  let kept = functions;
  for (let run = 1; run <= mostRuns; run++) {
    const { calls, isEnded } = await countedCalls(kept, window, options);
    // Of a longer program, the window shows a share of the calls.
    const most = callsWithin(Math.min(own, window), options.limit * Math.min(1, window / own));
    // A program that does not end in three times its own time is slowed down by most of the calls seen.
    const found = mostCalled(calls, isEnded || own >= window ? most : Math.min(most, totalOf(calls) / 4));
    omitted.push(...found.map(([id, count]) => ({ id, calls: count, isWhole: isEnded })));
    options.progress(0.2 + 0.1 * run);
    if (isEnded || found.length === 0) break;
    const ids = new Set(found.map(([id]) => id));
    kept = kept.filter(({ id }) => !ids.has(id));
  }
  return omitted.toSorted((a, b) => b.calls - a.calls || a.id - b.id);
}

/** Calls that can be recorded in a run of `seconds` without tracing. */
function callsWithin(seconds: number, limit: number): number {
  return Math.min(limit, Math.max(leastCalls, Math.floor(((mostSlowdown - 1) * seconds) / secondsPerCall)));
}

/** The functions that are called most, so that the others are called at most `most` times in all. */
function mostCalled(calls: ReadonlyMap<number, number>, most: number): [id: number, calls: number][] {
  let total = 0;
  return [...calls].toSorted(([, a], [, b]) => a - b).filter(([, count]) => (total += count) > most);
}

function totalOf(calls: ReadonlyMap<number, number>): number {
  return [...calls.values()].reduce((total, count) => total + count, 0);
}

/** Seconds of a run without tracing; undefined if it fails or takes too long. */
async function ownSeconds({ argv, job, shell, timeout }: SurveyOptions): Promise<number | undefined> {
  try {
    const { status, wallNanoseconds } = await shell.run(argv, {
      directory: job.directory,
      captureLimit: outputLimit,
      ...(timeout === null ? {} : { timeoutSeconds: timeout }),
    });
    return status === 0 ? Number(wallNanoseconds) / 1e9 : undefined;
  } catch (error) {
    if (isFailure(error, "command-timed-out")) return undefined;
    throw error;
  }
}

async function countedCalls(
  functions: readonly ProbedFunction[],
  seconds: number,
  { argv, job, shell, folder, environment }: SurveyOptions,
): Promise<{ readonly calls: ReadonlyMap<number, number>; readonly isEnded: boolean }> {
  writeFileSync(join(folder, "script.bt"), countScript(functions));
  const start = join(folder, "count");
  writeFileSync(start, countingScript(folder, argv, seconds));
  const outcome = await shell.run([(await shell.which("sh")) ?? "/bin/sh", start], {
    directory: job.directory,
    captureLimit: outputLimit,
    environment,
  });
  if (outcome.status === notStarted) requireStarted(folder, job);
  if (outcome.status === notEnded)
    throw untraceable(job, "bpftrace does not end after it counted the calls", "select functions with func");
  return { calls: readCallCounts(readFileSync(join(folder, "log"), "utf8")), isEnded: outcome.status !== stopped };
}

/** Exit status of the script when it stopped the program. */
const stopped = 124;

/** Runs the program for at most `seconds`. */
function countingScript(folder: string, argv: readonly string[], seconds: number): string {
  const isStopped = shellQuote(join(folder, "stopped"));
  return `rm -f ${isStopped}
${tracerStart(folder)}
${argv.map(shellQuote).join(" ")} &
program=$!
(sleep ${seconds.toFixed(3)}; : >${isStopped}; kill -KILL $program 2>/dev/null) >/dev/null 2>&1 &
timer=$!
wait $program 2>/dev/null
kill -KILL $timer 2>/dev/null
${tracerEnd()}
[ $tracer_killed -eq 0 ] || exit ${notEnded}
[ -e ${isStopped} ] && exit ${stopped}
exit 0
`;
}
