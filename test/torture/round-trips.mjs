/**
 * Round trips: sequences of generated commands with hostile names, paths, times and clocks. After accepted changes, a
 * rebuild, a dump and its restoration, a move, and a push and pull give experiments with the same digest; packing and
 * pulling give the same profiles. Commands may be refused, but never fail with an internal error, and `fsck` finds
 * nothing.
 *
 *   node test/torture/round-trips.mjs [--sequences N] [--seed N] [--first N] [--minutes N] [--break] [--list]
 *
 * Ten sequences share an instance, so that a trip checks the changes of all; if one fails, they are played again with
 * all trips after each change, which names the command. A share of all commands are processes of the built program.
 * `--break` changes a value after each trip, as a control that must fail; `--list` prints how often each command
 * had which outcome.
 * Sequences 10n to 10n + 9 of a seed depend on both only: pieces add up with `--first`. `--minutes` ends early.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createPlace, openCommands } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";
import { Instance } from "./trip-instance.mjs";
import { Sequence } from "./trip-steps.mjs";
import { TripWords } from "./trip-words.mjs";

/** Sequences of one instance, and commands of a sequence. */
const [crowd, length] = [10, 6];

const { values: options } = parseArgs({
  options: {
    sequences: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    minutes: { type: "string", default: "Infinity" },
    break: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
const seed = Number(options.seed);

/** The scene, with `base`, a new instance that all others are copies of. */
async function openTrips() {
  const program = builtProgram();
  if (program === null) throw new Error("there is no built program: node scripts/build.mjs");
  const scene = await openCommands(program);
  const base = join(scene.root, "base");
  mkdirSync(base);
  cpSync(join(scene.root, "template/.git"), join(base, ".git"), { recursive: true });
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: base, encoding: "utf8" });
  const door = await import(pathToFileURL(join(scene.root, "command-door.mjs")).href);
  door.skipTrials();
  const { status, stderr } = await door.runCommand(["init"], createPlace(scene.root, base));
  if (status !== 0) throw new Error(`init failed: ${stderr}`);
  return { ...scene, door, version: stdout.trim() };
}

/** Plays sequences on a new instance. If it `isCareful`, all trips follow each change until one fails. */
async function play(scene, first, last, kind) {
  const instance = new Instance(scene, Math.floor(first / crowd), seed, kind);
  try {
    for (let number = first; number < last; number++) {
      const words = new TripWords(randomNumbers(seed * 1_000_003 + number));
      const sequence = new Sequence(instance, words, number);
      for (let step = 0; step < length; step++) {
        const changed = await sequence.step();
        if (changed !== undefined) await instance.afterChange(changed);
        if (kind.isCareful && instance.complaints.length > 0) return instance;
      }
    }
    await instance.allTrips();
  } finally {
    await instance.remove();
  }
  return instance;
}

const scene = await openTrips();
const total = { commands: 0, processes: 0, accepted: 0, trips: 0 };
const outcomes = new Map();
const [start, first] = [performance.now(), Number(options.first)];
const end = first + Number(options.sequences);
let [done, problems] = [first, 0];
while (done < end && performance.now() - start < Number(options.minutes) * 60_000) {
  const last = Math.min(end, done - (done % crowd) + crowd);
  const instance = await play(scene, done, last, { isBroken: options.break, isCareful: false });
  for (const name of Object.keys(total)) total[name] += instance.counts[name];
  for (const [name, count] of instance.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + count);
  const found = [...instance.complaints];
  if (found.length > 0 && !options.break) {
    const again = await play(scene, done, last, { isBroken: false, isCareful: true });
    found.push(...again.complaints.map((complaint) => `with all trips after each change: ${complaint}`));
  }
  for (const complaint of found)
    process.stdout.write(`  sequences ${done} to ${last - 1}: ${complaint.slice(0, 900)}\n`);
  problems += found.length;
  done = last;
  if (done % 100 === 0) process.stdout.write(`  up to ${done}: ${problems} problems\n`);
}
process.chdir("/");
scene.close();
if (options.list) for (const [name, count] of [...outcomes].sort()) process.stdout.write(`  ${count} ${name}\n`);
process.stdout.write(
  `round trips: sequences ${first} to ${done - 1}, ${total.commands} commands, ${total.processes} of them processes, ` +
    `${total.accepted} changes accepted, ${total.trips} round trips, seed ${seed}, ${problems} problems\n`,
);
process.exitCode = problems === 0 ? 0 : 1;
