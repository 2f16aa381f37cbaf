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

/** Those of database libraries, and those that only read. */
const moreCalls = ["read", "pread64", "fdatasync"];

/** Those that a connection to a server needs. */
const callsOfServer = ["socket", "connect", "writev"];

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
    ["strace", "-qq", "-y", "-o", log, "-e", `trace=${known(calls).join(",")}`, ...scene.addWords(names)],
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

/** A traced run of a program with threads: its calls, each with its number within its thread, and the traced line. */
async function tracedCalls(words, folder, log, more, kinds) {
  const tracing = ["strace", "-f", "--seccomp-bpf", "-qq", "-yy", "-o", log, "-e", `trace=${kinds.join(",")}`];
  const result = await run([...tracing, ...words], folder, more);
  const counts = new Map();
  const found = [];
  for (const line of readFileSync(log, "utf8").split("\n")) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (call === undefined) continue;
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, number);
    found.push({ call, number, line });
  }
  return { result, found };
}

/**
 * A traced run of a program with threads: the calls that change the store. The assignment to threads differs between
 * runs, so a kill may hit another call, or none.
 */
export async function callsOfThreads(words, folder, log, more) {
  const { result, found } = await tracedCalls(words, folder, log, more, known(calls));
  const points = found
    .filter(({ line }) => line.includes(".perun/") && !line.includes("O_RDONLY"))
    .map(({ call, number }) => ({ call, when: String(number) }));
  return { ...result, points };
}

/** Whether a traced line is a call on a TCP connection. */
export const isOfServer = (line) => line.includes("<TCP:[");

/**
 * The different calls on the files below `folder`, and on connections to a server, in all processes and threads of a
 * command: `{ call, when, isRemote }`, where `when` is the number of the call of that kind within its thread.
 */
export async function callsBelow(folder, words, log, more) {
  const { result, found } = await tracedCalls(
    words,
    folder,
    log,
    more,
    known([...calls, ...moreCalls, ...callsOfServer]),
  );
  if (result.status !== 0) throw new Error(`the run without faults failed: ${result.stderr}`);
  const points = new Map();
  for (const { call, number, line } of found) {
    const isRemote = isOfServer(line);
    if (isRemote || line.includes(`${folder}/`))
      points.set(`${call} ${number} ${isRemote}`, { call, when: number, isRemote });
  }
  return [...points.values()];
}

/**
 * `fault` in the syntax of strace: `signal=KILL`, `error=ENOSPC`. `when`: a number, or a number with `+` for this and
 * all later calls. `threads`: also trace threads.
 */
export async function runWithFault(words, folder, log, { call, fault, when, threads = false }, more = {}) {
  const tracing = ["strace", ...(threads ? ["-f", "--seccomp-bpf"] : []), "-qq", "-yy", "-o", log];
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

const isKnown = new Map();

/** Those of `kinds` that this machine has. */
function known(kinds) {
  for (const call of kinds.filter((each) => !isKnown.has(each)))
    isKnown.set(call, spawnSync("strace", ["-qq", "-o", "/dev/null", "-e", `trace=${call}`, "true"]).status === 0);
  return kinds.filter((call) => isKnown.get(call));
}

/** All calls that faults hit. */
export function faultyCalls() {
  return known([...calls, ...moreCalls]);
}
