import { parametersOf } from "../../core/profiles/row-kinds.ts";
import type { Run, Step } from "../../core/profiles/run.ts";
import { isObject, JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { Value, Values } from "../../core/values/value.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { concatenateRounds, concatenateRuns, addConstantColumn } from "../../formats/profile/concatenate-profiles.ts";
import type { Workload } from "../../plugins/generators/generator.ts";
import { mergeMachineStates, stateFromJson, stateToJson, type MachineState } from "../machine/machine-state.ts";
import { noiseReport, noiseToJson, scatterOf, type NoiseReport, type Scatter } from "./noise-report.ts";
import type { PairedVersions, RunSettings, JobPlan, PlannedJob } from "./plan.ts";
import { createHash } from "node:crypto";

/** A part of a task with what it gave. */
export interface MeasuredPart {
  readonly part: Part;
  readonly run: Run;
}

/** The region `noise` of a part: what the machine did meanwhile. That of the profile is made of those of its parts. */
export function withMachineState(run: Run, state: MachineState): Run {
  return withRegion(run, "noise", stateToJson(state));
}

/**
 * One profile of all parts of a task: rounds go on counting, rows measured with a generated workload tell which, and
 * the regions `noise` and `generator` say how reliable the numbers are and how the workloads were made.
 */
export function profileOfTask(
  task: Task,
  measured: readonly MeasuredPart[],
  manner: RunSettings,
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
  const noise = noiseReport(scatter, state, { processors: manner.processors, order: manner.order, rounds });
  const joined = withGeneratorFacts(task, concatenateRuns(nonEmpty(runs)));
  const steps =
    task.parts.length > 1 ? joined.steps.map((step) => withFullParameters(step, task, manner)) : joined.steps;
  const run = withRegion({ ...joined, steps }, "noise", noiseToJson(noise));
  return { run: manner.pair === undefined ? run : withRegion(run, "pair", pairToJson(manner.pair)), noise };
}

function pairToJson({ base, head, begun }: PairedVersions): JsonObject {
  return jsonObject({ base, head, begun: JsonNumber.integer(begun) });
}

function byWorkload(measured: readonly MeasuredPart[]): { workload: Part["workload"]; rounds: Run[] }[] {
  const own = new Map<Part["workload"], Run[]>();
  for (const { part, run } of measured) own.set(part.workload, [...(own.get(part.workload) ?? []), run]);
  return [...own].map(([workload, rounds]) => ({ workload, rounds }));
}

/**
 * Generated words may hold a path of this run: the profile names the generator instead, so that it can be compared with
 * others.
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

/** A part was asked for its share of the repetitions; the profile has them all. */
function withFullParameters(step: Step, { job }: Task, { warmup }: RunSettings): Step {
  if (step.kind !== "collector" || !isObject(step.params)) return step;
  const asked: Values = new Map([...job.params, ...(warmup === null ? [] : [["warmup", warmup] as const])]);
  const isShared = (name: string): boolean => (name === "repeat" || name === "warmup") && asked.has(name);
  return {
    ...step,
    params: new Map(
      [...step.params].map(([name, value]) => [name, isShared(name) ? valueToJson(asked.get(name) ?? null) : value]),
    ),
  };
}

function valueToJson(value: Value): Json {
  if (typeof value === "bigint") return JsonNumber.integer(value);
  if (typeof value !== "number") return value;
  return Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

function withRegion(run: Run, name: string, content: JsonObject): Run {
  return { ...run, extra: new Map([...run.extra, [name, content]]) };
}

/** Every task has parts. */
function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  return list as readonly [T, ...T[]];
}

/** Where measuring happens: a version, the directory in its tree, and what profiles say of both. */
export interface Checkout {
  readonly version: VersionId;
  readonly directory: string;
  readonly machine: JsonObject;
  /** Digest of the tree's difference to the version; null: it has none. */
  readonly difference: string | null;
}

/** One profile to make of one or more measurements. */
export interface Task {
  /** That of its job, unless a job gives several profiles. */
  readonly key: string;
  readonly checkout: Checkout;
  readonly job: PlannedJob;
  /** The workload as the profile names it. */
  readonly title: string;
  /** In the order in which their rows stand in the profile. */
  readonly parts: readonly Part[];
}

/** One call of a collector. */
export interface Part {
  readonly key: string;
  /** Words for the command. */
  readonly words: string;
  /** null: nobody made it. */
  readonly workload: Workload | null;
  /** Counts from 0. */
  readonly round: number;
  /** Repetitions in this round; null: the collector knows none. */
  readonly repeat: number | null;
}

/** Names a job in one place: the same as long as nothing that decides what is measured changes. */
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
    job.collector.name,
    optionPairs(job.params),
    steps,
  ]);
}

/**
 * Names what two plans must have in common for one to go on where the other was stopped; versions and jobs have keys of
 * their own.
 */
export function planKey({ preRun, directory, nameTemplate, order, seed, rounds, warmup, processors }: JobPlan): string {
  return keyOf([preRun, directory, nameTemplate, order, seed, rounds, warmup, processors]);
}

/** The tasks of a job in one place: one for each workload, or one for all. */
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

/** The repetitions of a collector that has them, spread evenly over the rounds; the first rounds have one more. */
function partsOf(key: string, job: PlannedJob, workload: Workload | null, plan: JobPlan): Part[] {
  const total = job.params.get("repeat");
  const isRepeated = typeof total === "number" && Number.isInteger(total) && total > 0;
  const words = workload === null ? job.workload : workload.words;
  const part = (round: number, repeat: number | null): Part => ({
    key: keyOf([key, workload?.title ?? null, round]),
    words,
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
 * What a collector is told for one part: its share of the repetitions. It warms up in full where this process measures
 * the task for the first time, and once after something else was measured in between.
 */
export function partParams({ params }: PlannedJob, { repeat }: Part, isFirst: boolean, warmup: number | null): Values {
  const own = new Map(params);
  if (repeat !== null) own.set("repeat", repeat);
  const wanted = own.has("warmup") ? (warmup ?? own.get("warmup")) : undefined;
  if (typeof wanted === "number") own.set("warmup", isFirst ? wanted : Math.min(1, wanted));
  return own;
}

function optionPairs(values: Values): unknown {
  return [...values].map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]);
}

function keyOf(facts: unknown): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}
