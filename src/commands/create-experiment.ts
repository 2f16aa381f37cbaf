import { parseExperiment } from "../formats/experiment.ts";
import type { Experiment } from "../core/experiment.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface CreateExperimentOptions {
  /** The experiment description. */
  readonly file: string;
  /** Another name than the description's. */
  readonly name?: string;
  readonly database?: string;
}

export interface CreatedExperiment {
  readonly experiment: Experiment;
  readonly database: string;
}

/** Makes an experiment from its description. Fails with `description-error`, `experiment-exists`. */
export async function createExperiment(workspace: Workspace, options: CreateExperimentOptions): Promise<CreatedExperiment> {
  const text = new TextDecoder().decode(workspace.files.read(options.file));
  const described = parseExperiment(text, options.file);
  const experiment = options.name === undefined ? described : { ...described, name: options.name };
  const home = experimentHome(
    workspace,
    options.database ?? (described.database?.host === undefined ? described.database?.name : undefined),
  );
  await withExperiments(workspace, home, "write", (experiments) => experiments.create(experiment, workspace.world.now() * 1000));
  return { experiment, database: home.database };
}
