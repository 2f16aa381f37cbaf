import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../../core/command-line.ts";
import { Failure } from "../../core/errors.ts";
import { decodeAllocationLog, type AllocationLog } from "../../formats/traces/allocation-log.ts";
import type { Subject } from "../../formats/profile/profile-of.ts";
import { outputLimit, requireSuccess, type Job, type Outcome, type Shell } from "./collector.ts";
import { subjectsOf, type RowRules } from "./memory-rows.ts";
import { framesOf } from "./memory-symbols.ts";

/** The source of what is loaded into the program. */
export const library = "allocations.c";

/** Every row is kept in memory. */
export const mostRecords = 20_000_000;

export interface TracePlan extends RowRules {
  readonly limit: number;
  readonly timeout: number | null;
  readonly allowFailure: boolean;
}

/** How a program ended, and the rows that were seen of it. */
export interface Measured {
  readonly outcome: Outcome;
  readonly subjects: readonly Subject[];
}

/** Runs the command with our library in it, which writes a log for each process into `folder`. Fails with `untraceable`, `command-failed`. */
export async function traced(
  job: Job,
  shell: Shell,
  plan: TracePlan,
  folder: string,
  progress: (done: number) => void,
): Promise<Measured> {
  const outcome = await trace(job, shell, plan, folder);
  progress(0.5);
  if (!plan.allowFailure) requireSuccess(outcome, job);
  const logs = logsIn(folder, outcome, job, plan);
  const frames = await framesOf(
    logs.flatMap((log) => log.stacks),
    shell,
    job.directory,
  );
  const subjects = subjectsOf(logs, frames, plan);
  progress(1);
  return { outcome, subjects };
}

async function trace(job: Job, shell: Shell, { timeout, limit }: TracePlan, folder: string): Promise<Outcome> {
  return shell.run(splitCommand(`${job.cmd} ${job.workload}`), {
    directory: job.directory,
    captureLimit: outputLimit,
    preload: await shell.library(library),
    environment: { PERFKEEP_ALLOCATIONS: folder, PERFKEEP_ALLOCATIONS_LIMIT: String(limit) },
    ...(timeout === null ? {} : { timeoutSeconds: timeout }),
  });
}

/** The logs of all processes of the command in order of their start. Fails with `untraceable`. */
function logsIn(folder: string, outcome: Outcome, job: Job, plan: TracePlan): AllocationLog[] {
  const all = readdirSync(folder).map((name) => decodeAllocationLog(readFileSync(join(folder, name))));
  // What starts the program, where something does, leads the session; the program never does.
  const isLaunched = outcome.clock === "wait4" || outcome.clock === "perl-wait4";
  const logs = all.filter(({ process, session, stopped }) => stopped === "disk" || !isLaunched || process !== session);
  const what = `'${`${job.cmd} ${job.workload}`.trim()}'`;
  if (logs.length === 0) throw new Failure("untraceable", { what, ...notLoaded });
  const stopped = logs.find((log) => log.stopped !== null)?.stopped;
  if (stopped === "limit")
    throw new Failure("untraceable", {
      what,
      reason: `it allocates and frees more than ${plan.limit} times`,
      instead: `measure a smaller workload, or raise the collector's option limit (to ${mostRecords} at most)`,
    });
  if (stopped === "disk")
    throw new Failure("untraceable", {
      what,
      reason: `there is no room in ${tmpdir()}`,
      instead: "make room, or set TMPDIR",
    });
  return logs.toSorted((a, b) => Number(a.started - b.started));
}

const notLoaded = {
  reason: "it did not load the tracing library",
  instead: "link it dynamically, for this machine's own processor, and without setuid",
};
