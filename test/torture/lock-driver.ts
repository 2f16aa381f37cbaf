/**
 * Takes the lock repeatedly and sometimes dies while holding it: `node lock-driver.mjs LOCK MARK TURNS SEED`. MARK
 * names the current holder; a living other holder means that two processes held the lock. Prints a line per turn.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { StoreLock } from "../../src/store/durable/lock.ts";
import { livenessOf, ownIdentity, parseIdentity } from "../../src/store/durable/process-identity.ts";

const [, , path = "", mark = "", turns = "0", seed = "1"] = process.argv;

const lock = new StoreLock(path, "torture");

let state = Number(seed);

/** Seeded random numbers in [0, 1). */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

function reportOtherHolder(): void {
  const other = parseIdentity(readMark());
  if (other !== null && livenessOf(other) === "alive")
    process.stdout.write(`process ${other.pid} holds the lock too\n`);
}

function readMark(): unknown {
  try {
    return JSON.parse(readFileSync(mark, "utf8"));
  } catch {
    return null;
  }
}

function turn(): void {
  reportOtherHolder();
  writeFileSync(mark, JSON.stringify(ownIdentity()));
  process.stdout.write("turn\n");
  if (random() < 0.2) process.kill(process.pid, "SIGKILL");
  meetOnlyMe();
  rmSync(mark, { force: true });
}

function meetOnlyMe(): void {
  const inside = parseIdentity(readMark());
  if (inside?.pid !== process.pid) process.stdout.write(`process ${inside?.pid} took the lock\n`);
}

for (let left = Number(turns); left > 0; left--) lock.hold(turn);
