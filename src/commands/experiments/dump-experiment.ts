import type { Dumped } from "../../store/dump/index.ts";
import { withExperiment } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface DumpExperimentOptions {
  /** Name of the experiment. */
  readonly name: string;
  /** Path of the dump; replaced once the dump is complete. */
  readonly to: string;
  /** Record missing objects in the dump instead of failing. */
  readonly withoutRaw?: boolean;
  /** Program and version, such as `perfkeep 1.0.0`. */
  readonly program?: string;
  readonly database?: string;
}

/**
 * Writes an experiment with its raw files, descriptions and history to one file for `restoreExperiment`. Fails with
 * `unknown-experiment`, `dump-lacks-objects`, `cannot-write`, leaving no file.
 */
export async function dumpExperiment(workspace: Workspace, options: DumpExperimentOptions): Promise<Dumped> {
  const { name, database, to, withoutRaw = false, program } = options;
  return withExperiment(workspace, { experiment: name, database }, "read", (stored, experiments) =>
    experiments.dump(stored, {
      to: workspace.files.resolve(to),
      withoutRaw,
      ...(program === undefined ? {} : { program }),
    }),
  );
}
