import type { Experiment } from "../../core/experiments/experiment.ts";
import type { ExperimentUpdate } from "../../core/experiments/experiment-update.ts";
import { updateTowards } from "../../core/experiments/experiment-diff.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import {
  describedKind,
  readExperiment,
  readExperimentUpdate,
} from "../../formats/descriptions/experiment/read-experiment.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface UpdateOptions {
  /** An update, or the experiment as it is to be; in either spelling. */
  readonly file: string;
  /** Another experiment than the file names. */
  readonly experiment?: string;
  /** Tell what would change, and change nothing. */
  readonly dryRun: boolean;
  readonly database?: string;
}

export interface UpdatedExperiment {
  readonly after: Experiment;
  readonly changes: ExperimentChanges;
  readonly stored: boolean;
}

/** What is different: names of variables. */
export interface ExperimentChanges {
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** By their new names: other facts than the name changed. */
  readonly altered: readonly string[];
  /** Something that is said of the experiment itself changed: its synopsis, its rights, … */
  readonly about: boolean;
}

/**
 * Changes an experiment: all that the file says, or nothing. Fails with `description-error`, `unknown-variable`,
 * `update-refused`.
 */
export async function updateExperiment(workspace: Workspace, options: UpdateOptions): Promise<UpdatedExperiment> {
  const { file, dryRun } = options;
  const wanted = readWanted(workspace, file);
  const home = experimentHome(workspace, options.database);
  return withExperiments(workspace, home, dryRun ? "read" : "write", async (experiments) => {
    const stored = await experiments.find(options.experiment ?? wanted.name);
    const update = wanted.towards(stored);
    const after = dryRun
      ? await experiments.planned(stored, update)
      : await experiments.update(stored, update, workspace.world.now() * 1000);
    return { after: after.experiment, changes: changesBetween(stored, after), stored: !dryRun };
  });
}

/** Variables are the same when their ids are; new ones of a plan have none yet. */
function changesBetween(before: StoredExperiment, after: StoredExperiment): ExperimentChanges {
  const [was, is] = [variablesById(before), variablesById(after)];
  const kept = [...is].flatMap(([id, variable]) => {
    const old = was.get(id);
    return old === undefined ? [] : [{ old, variable }];
  });
  const keptNames = new Set(kept.map(({ variable }) => variable.name));
  return {
    added: after.experiment.variables.flatMap(({ name }) => (keptNames.has(name) ? [] : [name])),
    gone: [...was].flatMap(([id, { name }]) => (is.has(id) ? [] : [name])),
    renamed: kept.flatMap(({ old, variable }) =>
      old.name === variable.name ? [] : [{ from: old.name, to: variable.name }],
    ),
    altered: kept.flatMap(({ old, variable }) => (isSame(old, { ...variable, name: old.name }) ? [] : [variable.name])),
    about: !isSame({ ...before.experiment, variables: [] }, { ...after.experiment, variables: [] }),
  };
}

function variablesById({ experiment, variableIds }: StoredExperiment): Map<number, Variable> {
  return new Map(
    variableIds.flatMap((id, at) =>
      experiment.variables[at] === undefined ? [] : [[id, experiment.variables[at]] as const],
    ),
  );
}

/** Whatever order their facts stand in. */
function isSame(a: object, b: object): boolean {
  const plain = (_: string, value: unknown): unknown => {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  return JSON.stringify(a, plain) === JSON.stringify(b, plain);
}

interface Wanted {
  readonly name: string;
  towards(stored: StoredExperiment): ExperimentUpdate;
}

function readWanted(workspace: Workspace, file: string): Wanted {
  const text = descriptionText(workspace.files.read(file), file);
  if (describedKind(text, file) === "update") {
    const update = readExperimentUpdate(text, file);
    return { name: update.experiment, towards: () => update };
  }
  const described = readExperiment(text, file);
  return { name: described.name, towards: (stored) => updateTowards(stored.experiment, described) };
}
