import { isObject, JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { parametersOf } from "../../core/profiles/row-kinds.ts";
import type { Run, Step } from "../../core/profiles/run.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { joinedRounds, joinedRuns } from "../../formats/profile/concatenate-runs.ts";
import { withConstant } from "../../formats/profile/concatenate-tables.ts";
import type { PairedVersions, RunManner } from "./plan.ts";
import type { Part, Task } from "./task.ts";
import { joinedStates, stateFromJson, stateToJson, type MachineState } from "../machine/machine-state.ts";
import { noiseReport, noiseToJson, scatterOf, type NoiseReport, type Scatter } from "./noise-report.ts";

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
  manner: RunManner,
): { run: Run; noise: NoiseReport } {
  const scatter: Scatter[] = [];
  const runs = byWorkload(measured).map(({ workload, rounds }) => {
    const run = joinedRounds(some(rounds));
    scatter.push(...scatterOf(run.data, workload?.title ?? null, parametersOf(run)));
    const data = [...(workload?.facts ?? [])].reduce(
      (table, [name, value]) => withConstant(table, name, value),
      run.data,
    );
    return { ...run, data };
  });
  const state = joinedStates(some(measured.map(({ run }) => stateFromJson(run.extra.get("noise")))));
  const rounds = 1 + Math.max(...task.parts.map(({ round }) => round));
  const noise = noiseReport(scatter, state, { processors: manner.processors, order: manner.order, rounds });
  const joined = described(task, joinedRuns(some(runs)));
  const steps = task.parts.length > 1 ? joined.steps.map((step) => wholeStep(step, task, manner)) : joined.steps;
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
function described({ job, title, parts }: Task, run: Run): Run {
  if (job.generator === null) return run;
  const { id, generator, options } = job.generator;
  const params = new Map(
    [...options].filter(([, value]) => value !== null).map(([name, value]) => [name, recorded(value)]),
  );
  const columns = [...new Set(parts.flatMap(({ workload }) => [...(workload?.facts.keys() ?? [])]))];
  const facts = jsonObject({ id, type: generator.name, params, columns });
  return withRegion({ ...run, fixed: new Map([...run.fixed, ["workload", title]]) }, "generator", facts);
}

/** A part was asked for its share of the repetitions; the profile has them all. */
function wholeStep(step: Step, { job }: Task, { warmup }: RunManner): Step {
  if (step.kind !== "collector" || !isObject(step.params)) return step;
  const asked: Values = new Map([...job.params, ...(warmup === null ? [] : [["warmup", warmup] as const])]);
  const isShared = (name: string): boolean => (name === "repeat" || name === "warmup") && asked.has(name);
  return {
    ...step,
    params: new Map(
      [...step.params].map(([name, value]) => [name, isShared(name) ? recorded(asked.get(name) ?? null) : value]),
    ),
  };
}

function recorded(value: Value): Json {
  if (typeof value === "bigint") return JsonNumber.integer(value);
  if (typeof value !== "number") return value;
  return Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

function withRegion(run: Run, name: string, content: JsonObject): Run {
  return { ...run, extra: new Map([...run.extra, [name, content]]) };
}

/** Every task has parts. */
function some<T>(list: readonly T[]): readonly [T, ...T[]] {
  return list as readonly [T, ...T[]];
}
