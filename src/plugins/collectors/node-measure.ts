import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { JsonNumber, jsonObject, type JsonObject } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { profileOf } from "../../formats/profile/index.ts";
import {
  collectorOption as option,
  type Job,
  type Outcome,
  requireProgram,
  requireSuccess,
  type Shell,
} from "./collector.ts";
import {
  type RepeatPlan,
  limitsOf,
  repeatParams,
  repeatPlan,
  runOptions,
  runParams,
  withExecution,
} from "./run-plan.ts";
import { type NodeSource, type ThreadProfile, V8Rows } from "./node-rows.ts";

const hook = "node-profiler.cjs";

const maxRepetitions = 10_000;

/** Options of both Node.js collectors. */
export const nodeRunOptions: readonly Variable[] = [
  option("warmup", "integer", 0, "unprofiled runs before the first recorded one"),
  option("repeat", "integer", 1, "number of recorded runs"),
  ...runOptions("the profiles"),
];

/** Kind of profile and sampling interval. */
interface NodePlan {
  readonly name: string;
  readonly source: NodeSource;
  readonly interval: number;
}

type NodeRuns = NodePlan & RepeatPlan;

/** Fails with `tool-missing`. */
export async function requireNode(shell: Shell): Promise<void> {
  if ((await shell.which("node")) !== null) return;
  throw new Failure("tool-missing", { tool: "node", install: "Node.js, and put its folder on PATH" });
}

/** Runs the command and profiles all of its Node.js threads. Fails with `untraceable` when there are none. */
export async function measureNode(
  profiling: NodePlan,
  job: Job,
  shell: Shell,
  progress: (done: number) => void,
): Promise<Run> {
  const runs = repeatPlan(profiling.name, job.params, { warmup: 0, repeat: 1 }, maxRepetitions);
  const plan: NodeRuns = { ...profiling, ...runs };
  const { warmup, repeat } = runs;
  const argv = splitCommand(`${job.cmd} ${job.workload}`);
  await requireProgram(argv, job, shell);
  const rows = new V8Rows(plan.source, job.directory);
  const outcomes: Outcome[] = [];
  for (let run = 0; run < warmup + repeat; run++) {
    if (run < warmup) await runOnce(argv, plan, null, job, shell);
    else outcomes.push(await profileOnce(argv, plan, job, shell, (profiles) => rows.add(profiles, run - warmup + 1)));
    progress((run + 1) / (warmup + repeat));
  }
  return runOf(plan, job, outcomes, rows);
}

/** Runs the command once and passes the profiles of its threads to `take`. */
async function profileOnce(
  argv: readonly string[],
  plan: NodeRuns,
  job: Job,
  shell: Shell,
  take: (profiles: readonly ThreadProfile[]) => Promise<void>,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-node-"));
  const profiles = join(folder, "profiles");
  mkdirSync(profiles);
  try {
    const outcome = await runOnce(withFlags(argv, plan, profiles), plan, profiles, job, shell);
    await take(profilesIn(profiles, job));
    return outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds Node's own flags if the program is Node: they cover more than a preloaded script. */
function withFlags(
  [program = "", ...words]: readonly string[],
  { source, interval }: NodePlan,
  folder: string,
): string[] {
  const flag = `--${source.kind}-prof`;
  const isNode = /(?:^|\/)node(?:js|\d+)?$/.test(program);
  return isNode
    ? [program, flag, `${flag}-dir=${folder}`, `${flag}-interval=${interval}`, ...words]
    : [program, ...words];
}

/** `profiles`: the folder for the profiles; null: none are taken. */
async function runOnce(
  argv: readonly string[],
  plan: NodeRuns,
  profiles: string | null,
  job: Job,
  shell: Shell,
): Promise<Outcome> {
  const outcome = await shell.run(argv, {
    ...limitsOf(plan, job),
    ...(profiles === null ? {} : { nodeModule: hook, environment: environmentOf(plan, profiles) }),
  });
  if (!plan.allowFailure) requireSuccess(outcome, job);
  return outcome;
}

function environmentOf({ source, interval }: NodePlan, folder: string): Record<string, string> {
  return { PERFKEEP_V8_FOLDER: folder, PERFKEEP_V8_KIND: source.kind, PERFKEEP_V8_INTERVAL: String(interval) };
}

/** The profiles of all threads, by process and thread. Fails with `untraceable`. */
function profilesIn(folder: string, job: Job): ThreadProfile[] {
  const names = readdirSync(folder).flatMap((file) => {
    const [, process, thread] = /^\w+\.\d+\.\d+\.(\d+)\.(\d+)\.\d+\.(?:cpu|heap)profile$/.exec(file) ?? [];
    return process === undefined ? [] : [{ file, process: Number(process), thread: Number(thread) }];
  });
  if (names.length === 0)
    throw new Failure("untraceable", { what: `'${`${job.cmd} ${job.workload}`.trim()}'`, ...nothingWritten });
  names.sort((a, b) => a.process - b.process || a.thread - b.thread || (a.file < b.file ? -1 : 1));
  return names.map(({ file, process, thread }) => ({ process, thread, source: readLazily(join(folder, file)), file }));
}

/** Opens the file on first read, since there may be many threads. */
async function* readLazily(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

const nothingWritten = {
  reason: "no profile was written: it does not start Node.js, or was killed",
  instead: "measure a command that starts Node.js and exits normally",
};

function runOf(plan: NodeRuns, job: Job, outcomes: readonly Outcome[], rows: V8Rows): Run {
  const { cmd, workload, machine } = job;
  const { type, units } = plan.source;
  const params: JsonObject = jsonObject({
    interval: JsonNumber.integer(plan.interval),
    ...repeatParams(plan),
    ...plan.source.params,
    ...runParams(plan),
  });
  const run = profileOf({
    type,
    cmd,
    workload,
    units,
    collector: { name: plan.name, params },
    machine,
    subjects: rows.subjects(),
  });
  return withExecution(run, outcomes, plan);
}
