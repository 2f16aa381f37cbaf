import {
  convertsNumbers,
  type Experiment,
  type ExperimentUpdate,
  diffExperiments,
} from "../../core/experiments/index.ts";
import {
  descriptionText,
  descriptionKind,
  readExperiment,
  readExperimentUpdate,
} from "../../formats/descriptions/index.ts";
import { convertFactor, formatUnit } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface UpdateOptions {
  /** An update description, or the complete new description; text or XML. */
  readonly file: string;
  /** Default: the experiment named in the file. */
  readonly experiment?: string;
  /** Report changes without applying them. */
  readonly dryRun: boolean;
  /** Keep numbers when a unit changes, instead of converting them. */
  readonly relabel?: boolean;
  /** Called before stored values change or are deleted, not for a dry run; fails to keep the experiment as it is. */
  readonly review?: (effects: UpdateEffects) => Promise<void>;
  readonly database?: string;
}

/** The effects of an update on stored values; variables by their names before the update. */
export interface UpdateEffects {
  readonly experiment: string;
  /** Dropped variables that have values, with the number of values. */
  readonly deleted: readonly { readonly name: string; readonly values: number }[];
  /** Variables with another unit. Numbers are multiplied by `factor`, or kept if that is absent. */
  readonly units: readonly UnitEffect[];
}

export interface UnitEffect {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly values: number;
  readonly factor?: number;
}

export interface UpdatedExperiment extends Pick<UpdateEffects, "deleted" | "units"> {
  readonly after: Experiment;
  readonly changes: ExperimentChanges;
  readonly stored: boolean;
}

/** Changes, by variable name. */
export interface ExperimentChanges {
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** New names of variables with changes other than the name. */
  readonly altered: readonly string[];
  /** The experiment's own attributes changed: synopsis, rights, … */
  readonly metadataChanged: boolean;
}

/** Applies an update completely or not at all. Fails with `description-error`, `unknown-variable`, `update-refused`. */
export async function updateExperiment(workspace: Workspace, options: UpdateOptions): Promise<UpdatedExperiment> {
  const { file, dryRun, review } = options;
  const target = readTarget(workspace, file);
  const home = experimentHome(workspace, options.database);
  const updateOf = (stored: StoredExperiment): ExperimentUpdate => ({
    ...target.towards(stored),
    ...(options.relabel === true ? { relabel: true } : {}),
  });
  const planned = await withExperiments(workspace, home, "read", async (experiments) => {
    const stored = await experiments.find(options.experiment ?? target.name);
    const after = await experiments.planUpdate(stored, updateOf(stored));
    return { stored, after, effects: await effectsOf(experiments, stored, after, options.relabel === true) };
  });
  const { deleted, units } = planned.effects;
  if (dryRun) {
    const changes = changesBetween(planned.stored, planned.after);
    return { after: planned.after.experiment, changes, deleted, units, stored: false };
  }
  if (deleted.length + units.length > 0) await review?.(planned.effects);
  return withExperiments(workspace, home, "write", async (experiments) => {
    const stored = await experiments.find(options.experiment ?? target.name);
    const after = await experiments.update(stored, updateOf(stored), workspace.time());
    return { after: after.experiment, changes: changesBetween(stored, after), deleted, units, stored: true };
  });
}

async function effectsOf(
  experiments: Experiments,
  before: StoredExperiment,
  after: StoredExperiment,
  relabels: boolean,
): Promise<UpdateEffects> {
  const [was, is] = [variablesById(before), variablesById(after)];
  const dropped = [...was].flatMap(([id, { name }]) => (is.has(id) ? [] : [name]));
  const changed = [...was].flatMap(([id, variable]) => {
    const now = is.get(id);
    return now !== undefined && convertsNumbers(variable, now) ? [[variable, now] as const] : [];
  });
  const counts = await experiments.valueCounts(before, [...dropped, ...changed.map(([{ name }]) => name)]);
  return {
    experiment: before.experiment.name,
    deleted: dropped.flatMap((name) => (counts.has(name) ? [{ name, values: counts.get(name) ?? 0 }] : [])),
    units: changed.map(([{ name, unit }, now]) => ({
      name,
      from: formatUnit(unit),
      to: formatUnit(now.unit),
      values: counts.get(name) ?? 0,
      ...(relabels ? {} : { factor: convertFactor(unit, now.unit) }),
    })),
  };
}

/** Variables are identified by id; planned new ones have none. */
function changesBetween(before: StoredExperiment, after: StoredExperiment): ExperimentChanges {
  const [was, is] = [variablesById(before), variablesById(after)];
  const retained = [...is].flatMap(([id, variable]) => {
    const old = was.get(id);
    return old === undefined ? [] : [{ old, variable }];
  });
  const retainedNames = new Set(retained.map(({ variable }) => variable.name));
  return {
    added: after.experiment.variables.flatMap(({ name }) => (retainedNames.has(name) ? [] : [name])),
    dropped: [...was].flatMap(([id, { name }]) => (is.has(id) ? [] : [name])),
    renamed: retained.flatMap(({ old, variable }) =>
      old.name === variable.name ? [] : [{ from: old.name, to: variable.name }],
    ),
    altered: retained.flatMap(({ old, variable }) =>
      isSame(old, { ...variable, name: old.name }) ? [] : [variable.name],
    ),
    metadataChanged: !isSame({ ...before.experiment, variables: [] }, { ...after.experiment, variables: [] }),
  };
}

function variablesById({ experiment, variableIds }: StoredExperiment): Map<number, Variable> {
  return new Map(
    variableIds.flatMap((id, at) =>
      experiment.variables[at] === undefined ? [] : [[id, experiment.variables[at]] as const],
    ),
  );
}

/** Compares regardless of key order. */
function isSame(a: object, b: object): boolean {
  const plain = (_: string, value: unknown): unknown => {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  return JSON.stringify(a, plain) === JSON.stringify(b, plain);
}

interface UpdateTarget {
  readonly name: string;
  towards(stored: StoredExperiment): ExperimentUpdate;
}

function readTarget(workspace: Workspace, file: string): UpdateTarget {
  const text = descriptionText(workspace.files.read(file), file);
  if (descriptionKind(text, file) === "update") {
    const update = readExperimentUpdate(text, file);
    return { name: update.experiment, towards: () => update };
  }
  const described = readExperiment(text, file);
  return { name: described.name, towards: (stored) => diffExperiments(stored.experiment, described) };
}
