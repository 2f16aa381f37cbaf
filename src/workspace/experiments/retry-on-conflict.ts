import { setTimeout as sleep } from "node:timers/promises";
import { isFailure } from "../../core/failures/failure.ts";
import type { Workspace } from "../workspace.ts";

/** So often somebody else may be preferred. */
const maxAttempts = 5;

/** Milliseconds, times the number of the try. */
const maxPauseMs = 400;

/**
 * Work that stores all or nothing, done again when the database ended it in favour of somebody else
 * (`database-conflict`), after pauses that are drawn. `files` are read anew each time: where one of them can be read
 * once only, such as standard input, it is done once.
 */
export async function retryOnConflict<T>(
  workspace: Workspace,
  files: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const most = files.every((file) => workspace.files.inspect(file) !== null) ? maxAttempts : 1;
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried >= most || !isFailure(error, "database-conflict")) throw error;
      await sleep(workspace.world.random() * maxPauseMs * tried);
    }
  }
}
