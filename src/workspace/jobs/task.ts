import { createHash } from "node:crypto";
import type { VersionId } from "../../core/versions/digest.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { Values } from "../../core/values/value.ts";
import type { Workload } from "../../plugins/generators/generator.ts";
import type { JobPlan, PlannedJob } from "./plan.ts";

/** Where measuring happens: a version, the directory in its tree, and what profiles say of both. */
export interface Place {
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
  readonly place: Place;
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
export function jobKey({ version, difference }: Pick<Place, "version" | "difference">, job: PlannedJob): string {
  const generator = job.generator && [
    job.generator.generator.name,
    pairs(job.generator.options),
    job.generator.forEach,
  ];
  const steps = job.steps.map(({ unit, options }) => [unit.name, pairs(options)]);
  return keyOf([version, difference, job.cmd, job.workload, generator, job.collector.name, pairs(job.params), steps]);
}

/**
 * Names what two plans must have in common for one to go on where the other was stopped; versions and jobs have keys of
 * their own.
 */
export function planKey({ preRun, directory, nameTemplate, order, seed, rounds, warmup, processors }: JobPlan): string {
  return keyOf([preRun, directory, nameTemplate, order, seed, rounds, warmup, processors]);
}

/** The tasks of a job in one place: one for each workload, or one for all. */
export function tasksOf(place: Place, job: PlannedJob, workloads: readonly Workload[] | null, plan: JobPlan): Task[] {
  const key = jobKey(place, job);
  if (workloads === null) return [{ key, place, job, title: job.workload, parts: partsOf(key, job, null, plan) }];
  const split = workloads.map((workload) => ({ workload, parts: partsOf(key, job, workload, plan) }));
  if (!job.generator?.forEach)
    return [{ key, place, job, title: job.workload, parts: split.flatMap(({ parts }) => parts) }];
  return split.map(({ workload, parts }) => {
    const title = `${job.workload}_${workload.title}`;
    return { key: keyOf([key, title]), place, job, title, parts };
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

function pairs(values: Values): unknown {
  return [...values].map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value]);
}

function keyOf(facts: unknown): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}
