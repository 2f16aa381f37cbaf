import { splitPipeline } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";
import { endingOf, lastLine, type Shell } from "../../plugins/collectors/collector.ts";

/** What one command of a pipe may hand to the next. */
const maxPipeBytes = 256 << 20;

/**
 * Runs the commands of `execute.pre_run` one after the other in `directory`. The stages of a pipe run one after the
 * other, too. Fails with `pre-run-failed` at the first that does not succeed.
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
      const isWhole = !outcome.truncated;
      if (outcome.status !== 0 || !isWhole) {
        const ending = isWhole ? endingOf(outcome) : "printed more than 256 MiB";
        throw new Failure("pre-run-failed", { command, ending, last: lastLine(outcome.stderr), version });
      }
      input = outcome.stdout;
    }
  }
}
