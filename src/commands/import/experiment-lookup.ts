import type { Experiment } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Value, Values } from "../../core/values/index.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import type { StoredExperiment } from "../../store/catalogue/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import { withExperiments, type ExperimentHome } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ImportOptions } from "./options.ts";
import { loadAttachedDescription, type LoadedDescription } from "./load-descriptions.ts";

export interface LookupOptions {
  /** Called while waiting for a busy database. */
  readonly waiting: ((failure: Failure) => void) | undefined;
  readonly stopped: AbortSignal;
  /** Name of the experiment, given the name of the format. */
  nameOf(format: string): string;
}

/**
 * Looks up the experiment of an import before the import. Starts once the format is known, while files are still being
 * read.
 */
export class ExperimentLookup {
  readonly #ended = new AbortController();
  readonly #find: (importer: Importer) => Promise<Experiment | undefined>;
  #result: Promise<Experiment | undefined> | undefined;

  constructor(workspace: Workspace, home: ExperimentHome, { waiting, stopped, nameOf }: LookupOptions) {
    const ended = AbortSignal.any([stopped, this.#ended.signal]);
    this.#find = ({ name }) => findExperiment(workspace, home, nameOf(name), { waiting, stopped: ended });
  }

  /** undefined if the experiment does not exist. */
  of(importer: Importer): Promise<Experiment | undefined> {
    if (this.#result === undefined) {
      this.#result = this.#find(importer);
      // Reported when awaited, unless reading fails first.
      this.#result.catch(() => {});
    }
    return this.#result;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#result?.catch(() => {});
  }
}

async function findExperiment(
  workspace: Workspace,
  home: ExperimentHome,
  name: string,
  { waiting, stopped }: Omit<LookupOptions, "nameOf">,
): Promise<Experiment | undefined> {
  try {
    return await withExperiments(
      workspace,
      home,
      "read",
      async (each) => (await each.find(name)).experiment,
      waiting,
      stopped,
    );
  } catch (error) {
    if (isFailure(error, "unknown-experiment") || isFailure(error, "no-database")) return undefined;
    throw error;
  }
}

/** What an import reads from the database. */
export interface ImportTarget {
  readonly stored: StoredExperiment;
  readonly descriptions: readonly LoadedDescription[];
  /** Values of the selected parameter sets. */
  readonly sets: Values;
}

/** Reads the experiment, stored descriptions and parameter sets before any input is read. */
export async function lookUpTarget(
  experiments: Experiments,
  name: string,
  loaded: readonly (LoadedDescription | null)[],
  home: ExperimentHome,
  { inputs, parameterSets = [], preview }: ImportOptions,
): Promise<ImportTarget> {
  const stored = await experiments.find(name);
  if (preview === undefined) await experiments.access.require(stored, "write");
  const descriptions: LoadedDescription[] = [];
  for (const [at, { description }] of inputs.entries()) {
    const fromFile = loaded[at] ?? null;
    if (fromFile !== null) descriptions.push(fromFile);
    else if ("attached" in description)
      descriptions.push(await loadAttachedDescription(experiments, stored, description.attached, home.objects));
  }
  const sets = new Map<string, Value>();
  for (const set of parameterSets)
    for (const [variable, value] of await experiments.parameterSet(stored, set))
      if (!sets.has(variable)) sets.set(variable, value);
  return { stored, descriptions: descriptions, sets };
}

/** Rows are cast for the experiment as it was when reading began. Fails with `experiment-changed` if it has changed. */
export async function requireUnchanged(
  experiments: Experiments,
  { id, experiment, variableIds }: StoredExperiment,
): Promise<void> {
  const now = await experiments.find(experiment.name);
  const fingerprint = (each: Pick<StoredExperiment, "id" | "experiment" | "variableIds">): string =>
    JSON.stringify([each.id, each.variableIds, each.experiment.variables], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
  if (fingerprint(now) !== fingerprint({ id, experiment, variableIds }))
    throw new Failure("experiment-changed", { experiment: experiment.name });
}
