/**
 * Faults of system calls in a process that runs one command many times, each time on another instance: calls of each
 * kind fail at a fixed distance. As a command makes about as many calls each time, the failing call moves on from
 * instance to instance, and mostly one call fails in each.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { wholeLines } from "./disk-model.mjs";
import { runAndKill } from "./scene.mjs";
import { faultyCalls } from "./strace.mjs";

/** Instances for each start of a process, at most. */
const most = 60;

/** In some runs no call fails. */
const runsForEach = 1.6;

/** How long a process may take for its start, and for each instance. */
const [startMs, eachMs] = [30_000, 3000];

export class FaultRun {
  /** `copy`: makes an instance on which the command is possible, and resolves to its folder. */
  constructor(root, words, copy) {
    Object.assign(this, { root, copy, words: JSON.stringify(words) });
  }

  /**
   * The command on two instances. `counts`: of each kind of call, how many a thread makes before the second instance,
   * at most, and how many on it.
   */
  async withoutFault() {
    const folders = [await this.copy(), await this.copy()];
    const { lines } = await this.#trace(folders, ["-e", `trace=${faultyCalls().join(",")}`]);
    const second = lines.findIndex(({ text }) => text.includes(`${folders[1]}/`));
    const threads = new Map();
    for (const [at, { thread, text }] of lines.entries()) {
      const call = /^(\w+)\(/.exec(text)?.[1];
      if (call === undefined) continue;
      const key = `${call} ${thread}`;
      const [before, own] = threads.get(key) ?? [0, 0];
      threads.set(key, at < second ? [before + 1, own] : [before, own + 1]);
    }
    const counts = new Map();
    for (const [key, [before, own]] of threads) {
      const [call] = key.split(" ");
      const known = counts.get(call) ?? { before: 0, own: 0 };
      counts.set(call, { before: Math.max(known.before, before), own: Math.max(known.own, own) });
    }
    for (const folder of folders) rmSync(`${folder}.result`, { force: true });
    return { folders, counts };
  }

  /** A run for each of the faults, `{ call, fault }`: what it printed, its instance, and the lines of its faults. */
  async *withFaults(faults, counts, random) {
    const errors = new Map();
    for (const { call, fault } of faults) errors.set(call, (errors.get(call) ?? new Set()).add(fault));
    const [rounds] = [...errors.values()].map(({ size }) => size).sort((a, b) => b - a);
    if (rounds === undefined) return;
    for (let left = Math.ceil(faults.length * runsForEach), round = 0; left > 0; left -= most, round++) {
      const inject = [...errors].flatMap(([call, all]) => {
        const fault = [...all][round % all.size];
        const { before, own } = counts.get(call) ?? { before: 0, own: 1 };
        const step = own * errors.size + 1;
        return ["-e", `inject=${call}:${fault}:when=${before + 1 + Math.floor(random() * step)}+${step}`];
      });
      yield* this.#runs(["-e", `trace=${[...errors.keys()].join(",")}`, ...inject], Math.min(left, most));
    }
  }

  async *#runs(tracing, count) {
    const folders = [];
    while (folders.length <= count) folders.push(await this.copy());
    for (let first = 0; first < folders.length;) {
      const { lines, result } = await this.#trace(folders.slice(first), tracing);
      const ended = folders.slice(first).findIndex((folder) => !existsSync(`${folder}.result`));
      const end = ended < 0 ? folders.length : first + ended + 1;
      const injected = injectedBy(lines, folders.slice(first, end));
      for (const [at, folder] of folders.slice(first, end).entries()) {
        const path = `${folder}.result`;
        const printed = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : result;
        rmSync(path, { force: true });
        yield { ...printed, folder, injected: injected[at], what: injected[at].map(brief).join(" and ") };
      }
      first = end;
    }
  }

  async #trace(folders, tracing) {
    const log = join(this.root, "shared.log");
    const program = [process.execPath, join(import.meta.dirname, "fault-runner.mjs"), this.root, this.words];
    const strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-y", "-o", log, ...tracing];
    const limit = startMs + eachMs * folders.length;
    const result = await runAndKill([...strace, ...program, ...folders], this.root, limit);
    const isStuck = result.signal === "SIGKILL" && result.milliseconds >= limit;
    return { lines: [...wholeLines(readFileSync(log, "utf8"))], result: { ...result, isStuck } };
  }
}

/**
 * The lines of faults on each instance. One that names no instance belongs to that of the line before it, or to the
 * next one.
 */
function injectedBy(lines, folders) {
  const found = folders.map(() => []);
  const numbers = new Map(folders.map((folder, at) => [folder, at]));
  let current = 0;
  for (const { text } of lines) {
    const named = numbers.get(/[^<"]*\/faults-\d+(?=\/)/.exec(text)?.[0]);
    current = named ?? current;
    if (!text.includes("(INJECTED)")) continue;
    found[current].push(text);
    if (named === undefined) found[current + 1]?.push(text);
  }
  return found;
}

/** `fsync: EIO`. */
function brief(line) {
  return `${/^\w+/.exec(line)?.[0]}: ${/= -1 (\w+)/.exec(line)?.[1]}`;
}
