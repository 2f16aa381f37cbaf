import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, realpathSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended } from "./program.ts";

const hostPath = fileURLToPath(new URL("resident-program-host.cjs", import.meta.url));

/** Starts the host and reports its death, which ends the wait for an answer. */
const supervised = '"$@"; printf "died\\n" >&3';

/** One command: what the process of a user's command would get. */
export interface Request {
  /** Path that the program is called by. */
  readonly script: string;
  readonly words: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The built program in one process that runs command after command, which saves the start of Node and the loading of
 * the database library. Every command evaluates the program anew: no state of a module outlives it.
 */
export class ResidentProgram {
  readonly #folder: string;
  readonly #supervisor: ChildProcess;
  readonly #requests: number;
  readonly #answers: number;

  constructor(programPath: string) {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-resident-")));
    const path = (name: string): string => join(this.#folder, name);
    const { status } = spawnSync("mkfifo", [path("requests"), path("answers")]);
    if (status !== 0) throw new Error("mkfifo failed");
    // Opened for reading and writing: no end of file, and no waiting for the other side.
    this.#requests = openSync(path("requests"), "r+");
    this.#answers = openSync(path("answers"), "r+");
    const out = ["stdout", "stderr"].map((name) => openSync(path(name), "a"));
    this.#supervisor = spawn(
      "sh",
      ["-c", supervised, "sh", process.execPath, hostPath, programPath, path("requests")],
      {
        stdio: ["ignore", ...out, this.#answers] as ["ignore", number, number, number],
      },
    );
    for (const file of out) closeSync(file);
  }

  run(request: Request): Ended {
    writeSync(this.#requests, `${JSON.stringify(request)}\n`);
    const answer = this.#answer();
    const printed = (name: string): string => readFileSync(join(this.#folder, name), "utf8");
    return {
      status: /^\d+$/.test(answer) ? Number(answer) : null,
      stdout: printed("stdout"),
      stderr: printed("stderr"),
    };
  }

  /** A line: an exit status, or `died`. */
  #answer(): string {
    const bytes = Buffer.alloc(64);
    let length = 0;
    while (!bytes.subarray(0, length).includes(10)) length += readSync(this.#answers, bytes, length, 1, null);
    return bytes.toString("latin1", 0, length - 1);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#supervisor.once("exit", resolve));
    writeSync(this.#requests, "\n");
    await ended;
    closeSync(this.#requests);
    closeSync(this.#answers);
    rmSync(this.#folder, { recursive: true });
  }
}
