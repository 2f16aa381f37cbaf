import type { ChildProcess } from "node:child_process";

/** Time between SIGTERM and SIGKILL. */
const graceMilliseconds = 5000;

/** Calls `listener` for every request of the user or system to stop; returns how to unsubscribe. */
export type Interrupts = (listener: () => void) => () => void;

/** SIGINT, SIGTERM and SIGHUP of this process. */
export const processInterrupts: Interrupts = (listener) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
};

/** A program and its descendants in a process group of their own, so that all of them can be stopped. */
export class ProcessGroup {
  readonly #pid: number;
  #kill: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess) {
    this.#pid = child.pid ?? 0;
  }

  /** Sends SIGTERM, and SIGKILL five seconds later or on the second call. */
  stop(): void {
    if (this.#kill !== undefined) return this.end();
    this.#signal("SIGTERM");
    this.#kill = setTimeout(() => this.end(), graceMilliseconds);
  }

  /** Kills the remaining processes of the group. */
  end(): void {
    clearTimeout(this.#kill);
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#pid <= 1) return;
    try {
      process.kill(-this.#pid, signal);
    } catch {
      // The group has no processes left.
    }
  }
}
