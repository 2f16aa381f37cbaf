import type { ChildProcess } from "node:child_process";

/** Time between asking a group to end and ending it. */
const graceMilliseconds = 5000;

/** Calls `listener` at every request of the user or system to stop; answers how to stop listening. */
export type Interrupts = (listener: () => void) => () => void;

/** SIGINT, SIGTERM and SIGHUP of this process. */
export const processInterrupts: Interrupts = (listener) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
};

/** A program and whatever it starts, in a process group of its own, so that all of it can be stopped. */
export class ProcessGroup {
  readonly #pid: number;
  #kill: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess) {
    this.#pid = child.pid ?? 0;
  }

  /** Asks the group to end and kills it five seconds later; at once when it was asked before. */
  stop(): void {
    if (this.#kill !== undefined) return this.end();
    this.#signal("SIGTERM");
    this.#kill = setTimeout(() => this.end(), graceMilliseconds);
  }

  /** Kills whatever is left of the group. */
  end(): void {
    clearTimeout(this.#kill);
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#pid <= 1) return;
    try {
      process.kill(-this.#pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  }
}
