import { Failure } from "../../core/failures/failure.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";

/**
 * Work that takes back what it did when it fails, as it does after an interrupt: then `check`, which it calls often,
 * fails, `stopped` is told, and whatever waits for standard input ends. The second interrupt ends the process. Fails
 * with `interrupted`; work that was done all the same holds.
 */
export async function interruptible<T>(
  work: (check: () => void, stopped: AbortSignal) => Promise<T>,
  kept: string,
  interrupts: Interrupts = processInterrupts,
): Promise<T> {
  const stop = new AbortController();
  const ignore = interrupts(() => {
    ignore();
    stop.abort();
    process.stdin.destroy();
  });
  const check = (): void => {
    if (stop.signal.aborted) throw new Failure("interrupted", { kept });
  };
  try {
    return await work(check, stop.signal);
  } catch (error) {
    check();
    throw error;
  } finally {
    ignore();
  }
}
