import { fork } from "node:child_process";
import { join } from "node:path";

/** Checks states of an instance in a process of its own. If a crash of the database ends it, another one takes over. */
export class Checker {
  #child;
  #waiting;

  /** `script`: the program of the process; receives folders and answers what it finds. */
  constructor(root, script = "state-checker.mjs") {
    this.root = root;
    this.script = script;
  }

  check(task) {
    this.#child ??= this.#start();
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.timer = setTimeout(() => this.#child?.kill("SIGKILL"), 60_000);
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
      settle({ complaints: [`the process of the check ended: ${signal ?? status}`], facts: {} });
    });
    return child;
  }

  close() {
    this.#child?.removeAllListeners("exit");
    this.#child?.kill();
  }
}
