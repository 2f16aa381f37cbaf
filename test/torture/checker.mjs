import { fork } from "node:child_process";
import { join } from "node:path";

/** Checks states of an instance in a process of its own. If a crash of the database ends it, another one takes over. */
export class Checker {
  isLate = false;
  #child;
  #waiting;

  /**
   * `script`: the program of the process; receives tasks and answers what it finds. `limit`: how long a task may take,
   * milliseconds.
   */
  constructor(root, script = "state-checker.mjs", limit = 60_000) {
    Object.assign(this, { root, script, limit });
  }

  check(task) {
    this.#child ??= this.#start();
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.timer = setTimeout(() => {
        this.isLate = true;
        this.#child?.kill("SIGKILL");
      }, this.limit);
      this.#child.send(task);
    });
  }

  #start() {
    const child = fork(join(import.meta.dirname, this.script), [this.root], { stdio: ["ignore", 2, 2, "ipc"] });
    const settle = (answer) => {
      clearTimeout(this.timer);
      const resolve = this.#waiting;
      this.#waiting = undefined;
      resolve?.(answer);
    };
    child.on("message", settle);
    child.on("exit", (status, signal) => {
      this.#child = undefined;
      const why = this.isLate ? `no end after ${this.limit / 1000} s` : (signal ?? status);
      this.isLate = false;
      settle({ complaints: [`the process of the check ended: ${why}`], facts: {} });
    });
    return child;
  }

  close() {
    this.#child?.removeAllListeners("exit");
    this.#child?.kill();
  }
}
