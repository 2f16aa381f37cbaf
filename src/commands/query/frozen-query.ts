import { Failure } from "../../core/failures/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import {
  decodeFrozenQuery,
  encodeFrozenQuery,
  type FrozenQuery,
  type FrozenRun,
  type FrozenVariable,
} from "../../formats/store/index.ts";
import type { Attachment, StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments, DigestedValues } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Name and synopsis of a frozen query. */
export interface FreezeName {
  readonly name: string;
  readonly synopsis?: string;
}

/** Runs and values that a query depends on. */
export interface NeededRuns {
  readonly runs: readonly number[];
  readonly needed: DigestedValues;
}

/** Runs with the current digests of their values. */
export async function frozenRuns(
  experiments: Experiments,
  stored: StoredExperiment,
  { runs, needed }: NeededRuns,
): Promise<FrozenRun[]> {
  const digests = await experiments.runDigests(stored, runs, needed);
  return [...digests].map(([number, sha256]) => ({ number, sha256 })).sort((a, b) => a.number - b.number);
}

/** All values of a run. */
export function allValues({ experiment }: Pick<StoredExperiment, "experiment">): DigestedValues {
  const { variables } = experiment;
  return { variables, rows: variables.some(({ occurrence }) => occurrence === "multiple") };
}

export function frozenVariables({ experiment }: StoredExperiment): FrozenVariable[] {
  return experiment.variables.map(frozenVariable);
}

function frozenVariable({ name, type, unit }: Variable): FrozenVariable {
  return { name, type, unit: formatUnit(unit) };
}

/** Stores a frozen query with the experiment. Fails with `attachment-exists`, `right-missing`. */
export async function storeFrozen(
  workspace: Workspace,
  target: { readonly experiment: string; readonly database?: string },
  { name, synopsis }: FreezeName,
  frozen: Omit<FrozenQuery, "schema" | "time">,
): Promise<void> {
  const { asked, variables, runs } = frozen;
  const time = workspace.time();
  const bytes = encodeFrozenQuery({ schema: "perfkeep.frozen-query/1", time, asked, variables, runs });
  const home = experimentHome(workspace, target.database);
  await withExperiments(workspace, home, "write", async (experiments) => {
    const stored = await experiments.find(target.experiment);
    const object = home.objects.put("attachment", "frozen-query", bytes).digest;
    const creator = workspace.world.environment["USER"];
    const about = { ...(synopsis ? { synopsis } : {}), ...(creator ? { creator } : {}) };
    await experiments.attach(stored, { name, kind: "frozen_query", object, ...about }, time);
  });
}

/** Reads a frozen query. Fails with `frozen-query-damaged`, `object-missing`, `object-damaged`. */
export function readFrozen(experiments: Experiments, attachment: Attachment): FrozenQuery {
  return decodeFrozenQuery(experiments.attachmentBytes(attachment), attachment.name);
}

/** The experiment as of the freeze: without later variables, the others in the original order. */
export function experimentAtFreeze(
  { experiment }: StoredExperiment,
  { variables }: FrozenQuery,
): StoredExperiment["experiment"] {
  return {
    ...experiment,
    variables: variables.flatMap(({ name }) => experiment.variables.find((each) => each.name === name) ?? []),
  };
}

/** Fails with `frozen-query-changed` unless all runs exist with unchanged values. */
export async function verifyFrozen(
  experiments: Experiments,
  stored: StoredExperiment,
  name: string,
  frozen: FrozenQuery,
  needed: DigestedValues,
): Promise<void> {
  const changed = (problems: readonly string[]): Failure =>
    new Failure("frozen-query-changed", { name, problem: listed(problems), experiment: stored.experiment.name });
  const variables = changedVariables(stored, frozen);
  if (variables.length > 0) throw changed(variables);
  const active = new Set((await experiments.runs(stored, false)).map(({ number }) => number));
  const deleted = frozen.runs.filter(({ number }) => !active.has(number));
  const left = frozen.runs.filter(({ number }) => active.has(number)).map(({ number }) => number);
  const now = await experiments.runDigests(stored, left, needed);
  const other = frozen.runs.filter(({ number, sha256 }) => now.has(number) && now.get(number) !== sha256);
  const problems = [
    ...deleted.map(({ number }) => `run ${number} was deleted`),
    ...other.map(({ number }) => `run ${number} has other values`),
  ];
  if (problems.length > 0) throw changed(problems);
}

function changedVariables({ experiment }: StoredExperiment, { variables }: FrozenQuery): string[] {
  return variables.flatMap((then) => {
    const variable = experiment.variables.find(({ name }) => name === then.name);
    if (variable === undefined) return [`variable '${then.name}' is gone`];
    const now = frozenVariable(variable);
    const same = now.type === then.type && now.unit === then.unit;
    return same ? [] : [`variable '${then.name}' was ${spelled(then)} and is ${spelled(now)}`];
  });
}

function spelled({ type, unit }: FrozenVariable): string {
  return unit === "" ? type : `${type} in ${unit}`;
}

const maxListed = 5;

function listed(problems: readonly string[]): string {
  const rest = problems.length - maxListed;
  return [...problems.slice(0, maxListed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}
