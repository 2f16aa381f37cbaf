import type { Experiment } from "../core/experiment.ts";
import type { ExperimentUpdate } from "../core/experiment-update.ts";
import { updateTowards } from "../core/experiment-update-towards.ts";
import { descriptionText } from "../formats/description-text.ts";
import { describedKind, readExperiment, readExperimentUpdate } from "../formats/experiment-spelling.ts";
import type { StoredExperiment } from "../store/catalogue.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

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
  readonly before: Experiment;
  readonly after: Experiment;
  readonly stored: boolean;
}

/** Changes an experiment: all that the file says, or nothing. Fails with `description-error`, `unknown-variable`, `update-refused`. */
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
    return { before: stored.experiment, after: after.experiment, stored: !dryRun };
  });
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
