import { setTimeout as sleep } from "node:timers/promises";
import { Failure, isFailure } from "../../core/failures/failure.ts";

/** Milliseconds: no pause is shorter, and the first and the last ones are at most so long. */
const [shortest, firstMost, lastMost] = [20, 100, 1000];

/**
 * Connects, again and again while the server has no connection left, for `patience` milliseconds at most. Pauses are
 * drawn by `random`, so that those who wait do not all come back at once. Fails with `database-full`.
 */
export async function whenThereIsRoom<T>(
  connect: () => Promise<T>,
  patience: number,
  random: () => number,
): Promise<T> {
  const over = AbortSignal.timeout(patience);
  for (let most = firstMost; ; most = Math.min(most * 1.5, lastMost)) {
    try {
      return await connect();
    } catch (error) {
      if (!(error instanceof Failure) || !isFailure(error, "database-full")) throw error;
      if (over.aborted) throw new Failure("database-full", { ...error.data, seconds: Math.round(patience / 1000) });
      await sleep(shortest + random() * (most - shortest));
    }
  }
}
