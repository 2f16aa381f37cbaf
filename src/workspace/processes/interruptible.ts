import { Failure } from "../../core/failures/index.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";

/**
 * Runs work that undoes itself on failure. After an interrupt `check` fails (call it often), `stopped` is aborted, and
 * reads of standard input end. A second interrupt ends the process. Fails with `interrupted`, unless the work completes
 * nevertheless.
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
