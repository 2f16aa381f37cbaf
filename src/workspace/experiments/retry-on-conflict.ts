import { setTimeout as sleep } from "node:timers/promises";
import { isFailure } from "../../core/failures/index.ts";
import type { Workspace } from "../workspace.ts";

/** Maximum number of attempts. */
const maxAttempts = 5;

/** Maximum pause in milliseconds, multiplied by the number of the attempt. */
const maxPauseMs = 400;

/**
 * Retries a transaction that the database aborted in favour of another one (`database-conflict`), after random pauses.
 * `files` are read again each time; if one cannot be, such as standard input, there is no retry.
 */
export async function retryOnConflict<T>(
  workspace: Workspace,
  files: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const limit = files.every((file) => workspace.files.inspect(file) !== null) ? maxAttempts : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= limit || !isFailure(error, "database-conflict")) throw error;
      await sleep(workspace.world.random() * maxPauseMs * attempt);
    }
  }
}
