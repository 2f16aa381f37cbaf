import { isFailure, type Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { withExperiments, type ExperimentHome } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

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
