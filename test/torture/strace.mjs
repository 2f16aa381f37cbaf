/** Fault injection by strace: the n-th system call of one kind gets a signal or an error. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./scene.mjs";

/** System calls that change a store or open its files, by their names on different machines. */
const calls = [
  "openat",
  "write",
  "pwrite64",
  "fsync",
  "rename",
  "renameat",
  "renameat2",
  "link",
  "linkat",
  "unlink",
  "unlinkat",
  "mkdir",
  "mkdirat",
  "ftruncate",
];

/** Why strace cannot be used here; null if it can. */
export function whyNoStrace() {
  const trial = spawnSync("strace", ["-qq", "-o", "/dev/null", "-e", "trace=none", "true"], { encoding: "utf8" });
  if (trial.error) return "strace is not installed";
  return trial.status === 0 ? null : `strace cannot trace here: ${trial.stderr.trim().split("\n")[0]}`;
}

/**
 * A traced run without faults: for each kind of call, the numbers of the first and last call on the store. Counts start
 * with the process, as for injection.
 */
export async function callsOnStore(scene, names) {
  const folder = scene.copy(names);
  const log = join(scene.root, "trace.log");
  const { status, stderr } = await run(
    ["strace", "-qq", "-y", "-o", log, "-e", `trace=${known().join(",")}`, ...scene.addWords(names)],
    folder,
  );
  if (status !== 0) throw new Error(`the run without faults failed: ${stderr}`);
  const ranges = new Map();
  const counts = new Map();
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const call = /^(\w+)\(/.exec(line)?.[1];
    if (!call) continue;
    const number = (counts.get(call) ?? 0) + 1;
    counts.set(call, number);
    if (line.includes(".perun")) ranges.set(call, { first: ranges.get(call)?.first ?? number, last: number });
  }
  rmSync(folder, { recursive: true });
  return ranges;
}

/**
 * A traced run of a program with threads: the calls on the store, each with its number within its thread. The
 * assignment to threads differs between runs, so a kill may hit another call, or none.
 */
export async function callsOfThreads(words, folder, log, more) {
  const result = await run(
    ["strace", "-f", "-qq", "-y", "-o", log, "-e", `trace=${known().join(",")}`, ...words],
    folder,
    more,
  );
  const counts = new Map();
  const points = [];
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (call === undefined) continue;
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, number);
    if (line.includes(".perun/") && !line.includes("O_RDONLY")) points.push({ call, when: String(number) });
  }
  return { ...result, points };
}

/**
 * `fault` in the syntax of strace: `signal=KILL`, `error=ENOSPC`. `when`: a number, or a number with `+` for this and
 * all later calls. `threads`: also trace threads.
 */
export async function runWithFault(words, folder, log, { call, fault, when, threads = false }, more = {}) {
  const tracing = ["strace", ...(threads ? ["-f"] : []), "-qq", "-y", "-o", log];
  const result = await run(
    [...tracing, "-e", `trace=${call}`, "-e", `inject=${call}:${fault}:when=${when}`, ...words],
    folder,
    more,
  );
  const injected = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes("(INJECTED)"));
  return { ...result, injected };
}

function known() {
  return calls.filter(
    (call) => spawnSync("strace", ["-qq", "-o", "/dev/null", "-e", `trace=${call}`, "true"]).status === 0,
  );
}
