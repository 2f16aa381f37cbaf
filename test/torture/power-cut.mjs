/**
 * Power cuts, recorded and replayed: every change of files and folders that a command makes is recorded, and after each
 * of them the states that a power cut may leave are created, in nine models. In every state the first commands that
 * follow find the data of before or after, the latter if the command had reported its end, the database opens, and
 * another change succeeds; nobody does anything by hand.
 *
 * How states are read: state-reader.mjs.
 *
 *   node test/torture/power-cut.mjs [--states N] [--seed N] [--share P] [--only add,import,…] [--no-syncs]
 *
 * `--states`: states for each command and model, at most. `--no-syncs` ignores all syncs, as a control that must fail.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Disk, changesOf, durableUntil, isOfName, tracedCalls } from "./disk-model.mjs";
import { differences } from "./instance-facts.mjs";
import { createPlace, openCommands, operations, prepare } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";
import { StateReader } from "./state-reader.mjs";
import { whyNoStrace } from "./strace.mjs";

const page = 4096;

/** Of each write that no sync has made durable, the pages that are kept. */
const torn = (random) => (change) => {
  if (change.kind !== "write") return [change];
  const pieces = [];
  for (let at = 0; at < change.bytes.length;) {
    const size = Math.min(page - ((change.at + at) % page), change.bytes.length - at);
    if (random() < 0.5) pieces.push({ ...change, at: change.at + at, bytes: change.bytes.subarray(at, at + size) });
    at += size;
  }
  return pieces;
};

/** The file has its size, but its data is lost. */
const emptied = (change) =>
  change.kind === "write" ? [{ ...change, bytes: Buffer.alloc(change.bytes.length) }] : [change];

/** The names of each folder up to some moment. */
const namesUntil = (random, end) => {
  const limits = new Map();
  return (change, at) => {
    if (!limits.has(change.folder)) limits.set(change.folder, random() * end);
    return at < limits.get(change.folder) ? [change] : [];
  };
};

/** All but the end of the last write, as after a kill: all that was written before is in the memory of the system. */
const lastTorn = (random, end) => {
  const kept = Math.floor(random() * 8) / 8;
  return (change, at) => {
    if (at !== end - 1 || change.kind !== "write") return [change];
    return [{ ...change, bytes: change.bytes.subarray(0, Math.floor(change.bytes.length * kept)) }];
  };
};

/** What becomes of changes that are not durable. Each takes random numbers and the moment of the cut. */
const models = {
  "nothing lost": () => (change) => [change],
  "all lost that was not synced": () => () => [],
  "metadata only": () => (change) => (isOfName(change) ? [change] : emptied(change)),
  "data only": () => (change) => (isOfName(change) ? [] : [change]),
  "names only": () => (change) => (isOfName(change) ? [change] : []),
  "torn pages": (random) => torn(random),
  "last write torn": lastTorn,
  "any order": (random) => (change) => (random() < 0.5 ? [change] : []),
  "late names lost": (random, end) => {
    const names = namesUntil(random, end);
    return (change, at) => (isOfName(change) ? names(change, at) : [change]);
  },
};

function stateAfter(begin, changes, end, model, random, ignoresSyncs) {
  const isDurable = ignoresSyncs ? () => false : durableUntil(changes, end);
  const fate = models[model](random, end);
  const disk = begin.copy();
  for (let at = 0; at < end; at++)
    for (const change of isDurable(at) ? [changes[at]] : fate(changes[at], at)) disk.apply(change);
  return disk;
}

class PowerCuts {
  complaints = [];
  states = 0;
  /** Different states. */
  checked = 0;

  /** `root`: a folder for everything; `most`: states for each command and model. */
  constructor({ root, program, most, seed, share, ignoresSyncs }) {
    Object.assign(this, { root, program, most, ignoresSyncs });
    this.random = randomNumbers(seed);
    this.reader = new StateReader({ root, share, random: randomNumbers(seed + 1) });
  }

  /** Runs a command traced; what the disk held before, the changes, and what data there is before and after. */
  async record(name) {
    const { words } = operations[name];
    const folder = join(this.root, "live");
    rmSync(folder, { recursive: true, force: true });
    await prepare(this, name, folder);
    const isMember = (entry) => entry !== ".git";
    const begin = Disk.read(folder, isMember);
    const start = begin.copy();
    const log = join(this.root, "trace.log");
    const tracing = ["-f", "-y", "-xx", "-s", "40000000", "-qq", "-o", log, "-e", `trace=${tracedCalls.join(",")}`];
    const command = [process.execPath, this.program, ...words];
    const result = spawnSync("strace", [...tracing, ...command], {
      cwd: folder,
      env: createPlace(this.root, folder).environment,
      encoding: "utf8",
    });
    if (result.status !== 0) throw new Error(`${name} failed: ${result.stderr}`);
    const changes = changesOf(readFileSync(log, "utf8"), folder, begin);
    const after = Disk.read(folder, isMember);
    if (begin.digest() !== after.digest())
      this.complaints.push(
        `${name}: the recorded changes do not lead to what is on the disk: ${difference(begin, after)}`,
      );
    return { name, start, changes, after };
  }

  async cut(name) {
    const { start, changes, after } = await this.record(name);
    const looks = [];
    for (const disk of [start, after]) {
      looks.push(await this.reader.allowed(disk));
      const { complaints } = looks.at(-1);
      if (complaints.length > 0) this.complaints.push(`${name}, without a cut: ${complaints.join("; ")}`);
    }
    const seen = new Set();
    const jobs = this.#statesOf(name, start, changes, seen);
    const lane = async (checker) => {
      for (let job = jobs.next(); !job.done; job = jobs.next()) await this.#judge(checker, name, job.value, looks);
    };
    await Promise.all(this.reader.checkers.map(lane));
    return { changes: changes.length, states: seen.size };
  }

  *#statesOf(name, start, changes, seen) {
    const step = Math.max(1, changes.length / this.most);
    for (const model of Object.keys(models)) {
      const offset = this.random();
      for (let number = 0; number < this.most; number++) {
        // More states than changes: the random models give others for the same moment.
        const end = Math.min(changes.length, 1 + Math.floor(((number + offset) * step) % changes.length));
        const isRandom = models[model].length > 0;
        if (number >= changes.length && !isRandom) break;
        const disk = stateAfter(start, changes, end, model, this.random, this.ignoresSyncs);
        const isSaid = changes.slice(0, end).some(({ kind }) => kind === "said");
        this.states += 1;
        const print = `${isSaid} ${disk.digest()}`;
        if (seen.has(print)) continue;
        seen.add(print);
        yield { disk, end, model, isSaid };
      }
    }
  }

  async #judge(checker, name, { disk, end, model, isSaid }, [before, after]) {
    this.checked += 1;
    const allowed = isSaid ? [after] : [before, after];
    const { facts, complaints, folder } = await this.reader.look(checker, disk, allowed);
    const wrong = [...complaints, ...differences(facts, ...allowed.map((each) => each.facts))];
    const about = `${name}, cut after change ${end}, ${model}`;
    if (wrong.length > 0) this.complaints.push(`${about}: ${wrong.join("; ").slice(0, 600)} [${folder}]`);
    else if (folder !== undefined) rmSync(folder, { recursive: true });
  }
}

function difference(one, other) {
  const there = new Map(other.list());
  for (const [path, content] of one.list()) {
    if (!there.has(path)) return `${path} is not there`;
    if (Buffer.isBuffer(content) && !content.equals(there.get(path))) return path;
    there.delete(path);
  }
  return [...there.keys()].join();
}

/** A server has a disk of its own, and a git that receives uses relative paths, which the model does not know. */
function followedOperations() {
  return Object.keys(operations).filter((name) => !(operations[name].isOnServer || operations[name].isSent));
}

async function main() {
  const { values } = parseArgs({
    options: {
      states: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      share: { type: "string", default: "0.05" },
      only: { type: "string" },
      "no-syncs": { type: "boolean", default: false },
    },
  });
  const why = whyNoStrace();
  if (why !== null) return process.stdout.write(`power cuts: skipped, ${why}\n`);
  const program = builtProgram();
  if (program === null) throw new Error("there is no built program: node scripts/build.mjs");
  const scene = await openCommands(program);
  const cuts = new PowerCuts({
    ...scene,
    most: Number(values.states),
    seed: Number(values.seed),
    share: Number(values.share),
    ignoresSyncs: values["no-syncs"],
  });
  const started = performance.now();
  for (const name of values.only?.split(",") ?? followedOperations()) {
    const found = cuts.complaints.length;
    const { changes, states } = await cuts.cut(name);
    const problems = cuts.complaints.length - found;
    process.stdout.write(`  ${name}: ${changes} changes, ${states} different states, ${problems} problems\n`);
  }
  cuts.reader.close();
  for (const complaint of cuts.complaints.slice(0, 20)) process.stdout.write(`  ${complaint}\n`);
  if (cuts.complaints.length === 0) scene.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(
    `power cuts: ${cuts.states} states, ${cuts.checked} different (${cuts.reader.text()}), ` +
      `seed ${values.seed}, ` +
      `${cuts.complaints.length} problems, ${seconds} s\n`,
  );
  process.exitCode = cuts.complaints.length === 0 ? 0 : 1;
}

await main();
