/**
 * Takes the lock again and again, and dies now and then while holding it: `node lock-driver.mjs LOCK MARK TURNS SEED`.
 * MARK names whoever is inside; meeting a living one there means that two processes held the lock. Prints a line per
 * turn.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { StoreLock } from "../../src/store/durable/lock.ts";
import { livenessOf, ownIdentity, parseIdentity } from "../../src/store/durable/process-identity.ts";

const [, , path = "", mark = "", turns = "0", seed = "1"] = process.argv;

const lock = new StoreLock(path, "torture");

let state = Number(seed);

/** A number in [0, 1) that depends on the seed alone. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

function meetNobody(): void {
  const other = parseIdentity(readMark());
  if (other !== null && livenessOf(other) === "alive") process.stdout.write(`process ${other.pid} is inside too\n`);
}

function readMark(): unknown {
  try {
    return JSON.parse(readFileSync(mark, "utf8"));
  } catch {
    return null;
  }
}

function turn(): void {
  meetNobody();
  writeFileSync(mark, JSON.stringify(ownIdentity()));
  process.stdout.write("turn\n");
  if (random() < 0.2) process.kill(process.pid, "SIGKILL");
  meetOnlyMe();
  rmSync(mark, { force: true });
}

function meetOnlyMe(): void {
  const inside = parseIdentity(readMark());
  if (inside?.pid !== process.pid) process.stdout.write(`process ${inside?.pid} came inside\n`);
}

for (let left = Number(turns); left > 0; left--) lock.hold(turn);
