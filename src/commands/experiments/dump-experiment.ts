import type { Dumped } from "../../store/dump/dump.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface DumpExperimentOptions {
  /** The experiment. */
  readonly name: string;
  /** The path of the dump; what stands there is replaced once the dump is whole. */
  readonly to: string;
  /** What is not whole on this machine is noted in the dump instead of ending it. */
  readonly withoutRaw?: boolean;
  /** What writes it, as in `perfkeep 1.0.0`. */
  readonly program?: string;
  readonly database?: string;
}

/**
 * Writes an experiment with its raw files, descriptions and history into one file, which `restoreExperiment` reads.
 * Fails with `unknown-experiment`, `dump-lacks-objects`, `cannot-write`; there is no file then.
 */
export async function dumpExperiment(workspace: Workspace, options: DumpExperimentOptions): Promise<Dumped> {
  const { name, to, withoutRaw = false, program } = options;
  return withExperiments(workspace, experimentHome(workspace, options.database), "read", async (experiments) =>
    experiments.dump(await experiments.find(name), {
      to: workspace.files.resolve(to),
      withoutRaw,
      ...(program === undefined ? {} : { program }),
    }),
  );
}
