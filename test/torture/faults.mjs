/** Kills and errors at every system call of `add` that touches the store. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { inParallel } from "./scene.mjs";
import { callsOnStore, runWithFault } from "./strace.mjs";
import { checkManners, checkNothingLost, checkRecovery, judge } from "./verdict.mjs";

const names = ["b-second.perf", "a-first.perf", "d-fourth.perf", "c-third.perf", "e-fifth.perf"];

const errors = ["ENOSPC", "EIO", "EROFS", "EMFILE", "EACCES", "EDQUOT"];

/** Node's own start varies by a call or two from run to run. */
const slack = 2;

/** Kills at each call in turn until a run completes. */
export async function killPoints(scene, width) {
  const complaints = [];
  let points = 0;
  const ranges = await callsOnStore(scene, names);
  const lanes = [...ranges].map(([call, { first }]) => async () => {
    for (let number = Math.max(1, first - slack), isAlive = false; !isAlive; number++) {
      const { result, found } = await onePoint(scene, { call, fault: "signal=KILL", when: String(number) });
      isAlive = result.signal !== "SIGKILL";
      if (isAlive && result.status !== 0)
        complaints.push(`failed without being killed at ${call} ${number}: ${result.stderr.slice(0, 300)}`);
      if (!isAlive) points += 1;
      complaints.push(...found.map((complaint) => `killed at ${call} ${number}: ${complaint}`));
    }
  });
  await inParallel(lanes, width);
  return { points, complaints, calls: [...ranges.keys()] };
}

/** Errors at each call once, and at every fourth call also at all later calls. */
export async function errorPoints(scene, width) {
  const complaints = [];
  let points = 0;
  const ranges = await callsOnStore(scene, names);
  const jobs = faultsOf(ranges).map((fault) => async () => {
    const { result, found } = await onePoint(scene, fault);
    if (result.injected.length > 0) points += 1;
    complaints.push(...found.map((complaint) => `${fault.fault} at ${fault.call} ${fault.when}: ${complaint}`));
  });
  await inParallel(jobs, width);
  return { points, complaints };
}

function faultsOf(ranges) {
  const faults = [];
  for (const [call, { first, last }] of ranges) {
    for (let number = first; number <= last; number++) {
      const fault = `error=${errors[number % errors.length]}`;
      faults.push({ call, fault, when: String(number) });
      // If all later writes fail, the wake-up pipes of Node fail too, and it hangs or aborts.
      if (number % 4 === 0 && call !== "write") faults.push({ call, fault, when: `${number}+` });
    }
  }
  return faults;
}

async function onePoint(scene, fault) {
  const folder = scene.copy(names);
  const log = join(scene.root, `trace-${fault.call}-${fault.when}.log`);
  const result = await runWithFault(scene.addWords(names), folder, log, fault);
  rmSync(log);
  const found = await judge(
    folder,
    () => (hitsTheStore(result) ? checkManners(result) : []),
    () => checkNothingLost(scene, folder, names, result.stdout),
    () => checkRecovery(scene, folder, names),
  );
  return { result, found };
}

/**
 * If an error hits Node itself (its own files and descriptors), its abort and message are ignored, but nothing may be
 * lost.
 */
function hitsTheStore({ injected }) {
  return injected.every((line) => line.includes(".perun"));
}
