import type { Experiment } from "../../core/experiments/experiment.ts";
import { isFailure, type Failure } from "../../core/failures/failure.ts";
import type { Value, Values } from "../../core/values/value.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import { withExperiments, type ExperimentHome } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ImportOptions } from "./options.ts";
import { attachedInput, type FoundDescription } from "./plan.ts";

export interface PresentOptions {
  /** Told of the failure that would come if nobody waited longer for the database. */
  readonly waiting: ((failure: Failure) => void) | undefined;
  readonly stopped: AbortSignal;
  /** The experiment that is meant, by the name of the format. */
  nameOf(format: string): string;
}

/**
 * The experiment of an import as it is before the import. The database is asked once the format is known, while the
 * files are still read.
 */
export class PresentExperiment {
  readonly #ended = new AbortController();
  readonly #ask: (importer: Importer) => Promise<Experiment | undefined>;
  #asked: Promise<Experiment | undefined> | undefined;

  constructor(workspace: Workspace, home: ExperimentHome, { waiting, stopped, nameOf }: PresentOptions) {
    const ended = AbortSignal.any([stopped, this.#ended.signal]);
    this.#ask = ({ name }) => presentExperiment(workspace, home, nameOf(name), { waiting, stopped: ended });
  }

  /** undefined where there is none. */
  of(importer: Importer): Promise<Experiment | undefined> {
    if (this.#asked === undefined) {
      this.#asked = this.#ask(importer);
      // Told to whoever wants to know, unless reading fails first.
      this.#asked.catch(() => {});
    }
    return this.#asked;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#asked?.catch(() => {});
  }
}

async function presentExperiment(
  workspace: Workspace,
  home: ExperimentHome,
  name: string,
  { waiting, stopped }: Omit<PresentOptions, "nameOf">,
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

/** What an import asks the database for. */
export interface Known {
  readonly stored: StoredExperiment;
  readonly found: readonly FoundDescription[];
  /** Contents of the parameter sets that are used. */
  readonly sets: Values;
}

/** What the database has to say before anything is read. */
export async function lookUp(
  experiments: Experiments,
  name: string,
  written: readonly (FoundDescription | null)[],
  home: ExperimentHome,
  { inputs, parameterSets = [], preview }: ImportOptions,
): Promise<Known> {
  const stored = await experiments.find(name);
  if (preview === undefined) await experiments.access.require(stored, "write");
  const found: FoundDescription[] = [];
  for (const [at, { description }] of inputs.entries()) {
    const described = written[at] ?? null;
    if (described !== null) found.push(described);
    else if ("attached" in description)
      found.push(await attachedInput(experiments, stored, description.attached, home.objects));
  }
  const sets = new Map<string, Value>();
  for (const set of parameterSets)
    for (const [variable, value] of await experiments.parameterSet(stored, set))
      if (!sets.has(variable)) sets.set(variable, value);
  return { stored, found, sets };
}
