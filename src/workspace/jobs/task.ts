import { canaryFromJson, canaryToJson, parametersOf, type Run, type Step } from "../../core/profiles/index.ts";
import {
  isObject,
  JsonNumber,
  jsonObject,
  type Json,
  type JsonObject,
  type Value,
  type Values,
} from "../../core/values/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { concatenateRounds, concatenateRuns, addConstantColumn } from "../../formats/profile/index.ts";
import type { Workload } from "../../plugins/generators/generator.ts";
import { mergeMachineStates, stateFromJson, stateToJson, type MachineState } from "../machine/index.ts";
import { noiseReport, noiseToJson, scatterOf, type NoiseReport, type Scatter } from "./noise-report.ts";
import type { PairedVersions, RunSettings, JobPlan, PlannedJob } from "./plan.ts";
import { createHash } from "node:crypto";

/** A measured part of a task. */
export interface MeasuredPart {
  readonly part: Part;
  readonly run: Run;
}

/** Stores the machine state in the region `noise` of a part's run; the profile's is merged from those of its parts. */
export function withMachineState(run: Run, state: MachineState): Run {
  return withRegion(run, "noise", stateToJson(state));
}

/** Stores the times of the canary; without any, the run is unchanged. */
export function withCanary(run: Run, seconds: readonly number[]): Run {
  return seconds.length === 0 ? run : withRegion(run, "canary", canaryToJson(seconds));
}

/**
 * Merges the parts of a task into one profile: rounds are numbered consecutively, rows name their generated workload,
 * and the regions `noise` and `generator` describe reliability and the workloads.
 */
export function profileOfTask(
  task: Task,
  measured: readonly MeasuredPart[],
  settings: RunSettings,
): { run: Run; noise: NoiseReport } {
  const scatter: Scatter[] = [];
  const runs = byWorkload(measured).map(({ workload, rounds }) => {
    const run = concatenateRounds(nonEmpty(rounds));
    scatter.push(...scatterOf(run.data, workload?.title ?? null, parametersOf(run)));
    const data = [...(workload?.facts ?? [])].reduce(
      (table, [name, value]) => addConstantColumn(table, name, value),
      run.data,
    );
    return { ...run, data };
  });
  const state = mergeMachineStates(nonEmpty(measured.map(({ run }) => stateFromJson(run.extra.get("noise")))));
  const rounds = 1 + Math.max(...task.parts.map(({ round }) => round));
  const noise = noiseReport(scatter, state, { processors: settings.processors, order: settings.order, rounds });
  const merged = withGeneratorFacts(task, concatenateRuns(nonEmpty(runs)));
  const steps =
    task.parts.length > 1 ? merged.steps.map((step) => withFullParameters(step, task, settings)) : merged.steps;
  const canary = measured.flatMap((part) => canaryFromJson(part.run.extra.get("canary")));
  const run = withCanary(withRegion({ ...merged, steps }, "noise", noiseToJson(noise)), canary);
  return { run: withRound(run, settings), noise };
}

/** Names the run in which the repetitions of other versions were measured in the same rounds, if any. */
function withRound(run: Run, { pair, sessionMs }: RunSettings): Run {
  if (pair !== undefined) return withRegion(run, "pair", pairToJson(pair));
  return sessionMs === undefined
    ? run
    : withRegion(run, "session", jsonObject({ started: JsonNumber.integer(sessionMs) }));
}

function pairToJson({ base, head, startedMs, sequential }: PairedVersions): JsonObject {
  return jsonObject({ base, head, begun: JsonNumber.integer(startedMs), ...(sequential ? { sequential } : {}) });
}

function byWorkload(measured: readonly MeasuredPart[]): { workload: Part["workload"]; rounds: Run[] }[] {
  const own = new Map<Part["workload"], Run[]>();
  for (const { part, run } of measured) own.set(part.workload, [...(own.get(part.workload) ?? []), run]);
  return [...own].map(([workload, rounds]) => ({ workload, rounds }));
}

/**
 * Generated arguments may contain a path of this run; the profile names the generator instead, so that profiles are
 * comparable.
 */
function withGeneratorFacts({ job, title, parts }: Task, run: Run): Run {
  if (job.generator === null) return run;
  const { id, generator, options } = job.generator;
  const params = new Map(
    [...options].filter(([, value]) => value !== null).map(([name, value]) => [name, valueToJson(value)]),
  );
  const columns = [...new Set(parts.flatMap(({ workload }) => [...(workload?.facts.keys() ?? [])]))];
  const facts = jsonObject({ id, type: generator.name, params, columns });
  return withRegion({ ...run, fixed: new Map([...run.fixed, ["workload", title]]) }, "generator", facts);
}

/** A part ran only its share of the repetitions; the profile records the total. */
function withFullParameters(step: Step, { job }: Task, { warmup }: RunSettings): Step {
  if (step.kind !== "collector" || !isObject(step.params)) return step;
  const requested: Values = new Map([...job.params, ...(warmup === null ? [] : [["warmup", warmup] as const])]);
  const isShared = (name: string): boolean => (name === "repeat" || name === "warmup") && requested.has(name);
  return {
    ...step,
    params: new Map(
      [...step.params].map(([name, value]) => [
        name,
        isShared(name) ? valueToJson(requested.get(name) ?? null) : value,
      ]),
    ),
  };
}

function valueToJson(value: Value): Json {
  if (typeof value === "bigint") return JsonNumber.integer(value);
  if (typeof value !== "number") return value;
  return Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

function withRegion(run: Run, name: string, value: JsonObject): Run {
  return { ...run, extra: new Map([...run.extra, [name, value]]) };
}

/** Every task has at least one part. */
function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  return list as readonly [T, ...T[]];
}

/** Where to measure: a version, the directory in its tree, and the facts that profiles record about both. */
export interface Checkout {
  readonly version: VersionId;
  readonly directory: string;
  readonly machine: JsonObject;
  /** Digest of the tree's difference to the version; null: clean. */
  readonly difference: string | null;
}

/** A profile to make from one or more measurements. */
export interface Task {
  /** The key of its job, unless the job has several profiles. */
  readonly key: string;
  readonly checkout: Checkout;
  readonly job: PlannedJob;
  /** The workload name in the profile. */
  readonly title: string;
  /** In the order of their rows in the profile. */
  readonly parts: readonly Part[];
}

/** One call of a collector. */
export interface Part {
  readonly key: string;
  /** Arguments of the command. */
  readonly arguments: string;
  /** null: not generated. */
  readonly workload: Workload | null;
  /** Zero-based. */
  readonly round: number;
  /** Repetitions in this round; null: unsupported by the collector. */
  readonly repeat: number | null;
}

/** The task as if only these parts had been planned; its key stays. */
export function shortenedTask(task: Task, parts: readonly Part[]): Task {
  if (parts.length === task.parts.length) return task;
  const rounds = new Map(parts.map(({ round, repeat }) => [round, repeat ?? 0]));
  const repeat = [...rounds.values()].reduce((sum, each) => sum + each, 0);
  return { ...task, parts, job: { ...task.job, params: new Map([...task.job.params, ["repeat", repeat]]) } };
}

/** Identifies a job in a checkout; changes with anything that affects the measurement. */
export function jobKey({ version, difference }: Pick<Checkout, "version" | "difference">, job: PlannedJob): string {
  const generator = job.generator && [
    job.generator.generator.name,
    optionPairs(job.generator.options),
    job.generator.forEach,
  ];
  const steps = job.steps.map(({ unit, options }) => [unit.name, optionPairs(options)]);
  return keyOf([
    version,
    difference,
    job.cmd,
    job.workload,
    generator,
    job.collectorName,
    optionPairs(job.params),
    steps,
  ]);
}

/** Identifies a plan that can resume another; versions and jobs have keys of their own. */
export function planKey({
  preRun,
  directory,
  nameTemplate,
  order,
  seed,
  rounds,
  warmup,
  processors,
  canary,
}: JobPlan): string {
  return keyOf([preRun, directory, nameTemplate, order, seed, rounds, warmup, processors, canary]);
}

/** The tasks of a job in a checkout: one per workload, or one for all. */
export function tasksOf(
  checkout: Checkout,
  job: PlannedJob,
  workloads: readonly Workload[] | null,
  plan: JobPlan,
): Task[] {
  const key = jobKey(checkout, job);
  if (workloads === null) return [{ key, checkout, job, title: job.workload, parts: partsOf(key, job, null, plan) }];
  const split = workloads.map((workload) => ({ workload, parts: partsOf(key, job, workload, plan) }));
  if (!job.generator?.forEach)
    return [{ key, checkout, job, title: job.workload, parts: split.flatMap(({ parts }) => parts) }];
  return split.map(({ workload, parts }) => {
    const title = `${job.workload}_${workload.title}`;
    return { key: keyOf([key, title]), checkout, job, title, parts };
  });
}

/** Spreads the repetitions evenly over the rounds; the first rounds get the remainder. */
function partsOf(key: string, job: PlannedJob, workload: Workload | null, plan: JobPlan): Part[] {
  const total = job.params.get("repeat");
  const isRepeated = typeof total === "number" && Number.isInteger(total) && total > 0;
  const words = workload === null ? job.workload : workload.words;
  const part = (round: number, repeat: number | null): Part => ({
    key: keyOf([key, workload?.title ?? null, round]),
    arguments: words,
    workload,
    round,
    repeat,
  });
  if (!isRepeated) return [part(0, null)];
  const rounds = Math.min(total, plan.rounds ?? (plan.order === "sequential" ? 1 : total));
  return Array.from({ length: rounds }, (_, round) =>
    part(round, Math.floor(total / rounds) + (round < total % rounds ? 1 : 0)),
  );
}

/**
 * Options of the collector for one part: its share of the repetitions, the full warm-up for the first part measured by
 * this process, and one warm-up run after another task.
 */
export function partParams({ params }: PlannedJob, { repeat }: Part, isFirst: boolean, warmup: number | null): Values {
  const own = new Map(params);
  if (repeat !== null) own.set("repeat", repeat);
  const requested = own.has("warmup") ? (warmup ?? own.get("warmup")) : undefined;
  if (typeof requested === "number") own.set("warmup", isFirst ? requested : Math.min(1, requested));
  return own;
}

function optionPairs(values: Values): unknown {
  return [...values].map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]);
}

function keyOf(facts: unknown): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}
