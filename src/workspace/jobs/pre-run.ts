import { causeLine, splitPipeline } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { endingOf, type Shell } from "../../plugins/collectors/collector.ts";

/** Maximum output of one stage of a pipe. */
const maxPipeBytes = 256 << 20;

/**
 * Runs the commands of `execute.pre_run` in order; the stages of a pipe run one after the other, too. Fails with
 * `pre-run-failed` at the first unsuccessful one.
 */
export async function runPreRunCommands(
  shell: Shell,
  commands: readonly string[],
  directory: string,
  version: string,
): Promise<void> {
  for (const command of commands) {
    let input: Uint8Array | undefined;
    for (const argv of splitPipeline(command)) {
      const outcome = await shell.run(argv, { directory, captureLimit: maxPipeBytes, ...(input ? { input } : {}) });
      const isComplete = !outcome.truncated;
      if (outcome.status !== 0 || !isComplete) {
        const ending = isComplete ? endingOf(outcome) : "printed more than 256 MiB";
        throw new Failure("pre-run-failed", { command, ending, last: causeLine(outcome.stderr), version });
      }
      input = outcome.stdout;
    }
  }
}
