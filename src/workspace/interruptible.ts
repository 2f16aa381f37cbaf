import { Failure } from "../core/errors.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";

/**
 * Work that takes back what it did when it fails, as it does after an interrupt: then `check`, which it calls often, fails, and whatever
 * waits for standard input ends. The second interrupt ends the process. Fails with `interrupted`; work that was done all the same holds.
 */
export async function interruptible<T>(
  work: (check: () => void) => Promise<T>,
  kept: string,
  interrupts: Interrupts = processInterrupts,
): Promise<T> {
  let asked = false;
  const ignore = interrupts(() => {
    asked = true;
    ignore();
    process.stdin.destroy();
  });
  const check = (): void => {
    if (asked) throw new Failure("interrupted", { kept });
  };
  try {
    return await work(check);
  } catch (error) {
    check();
    throw error;
  } finally {
    ignore();
  }
}
