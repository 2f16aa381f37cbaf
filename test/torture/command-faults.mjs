/**
 * Faults in every writing command, one by one: the command runs once for each of its system calls on the instance
 * (those of the database and of all threads and processes included) and for each fault, which hits that call alone, or
 * it and all later calls of its kind. After each run the data is that of before or after, the latter if the command
 * ended with 0, and the next commands succeed without a manual step. Commands run with a steady clock: faults that
 * leave equal files are judged one by one, but the files are read once. As for power cuts, a fingerprint of the whole
 * database that equals the one of before or after replaces the dumps, another import and `fsck`, except in a share.
 * Share repositories: share-facts.mjs.
 *
 *   node test/torture/command-faults.mjs [--points N] [--from N] [--seed N] [--share P] [--only add,import,…]
 *                                        [--believe-failures]
 *
 * `--points`: points for each command, at most, chosen by the seed. `--from` takes them in their order instead, from
 * this one on (0: the first), so that a long run can be made in pieces. `--believe-failures` takes every run for one
 * that ended with 0, as a control that must fail.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Disk } from "./disk-model.mjs";
import { FaultRun } from "./fault-run.mjs";
import { differences, withoutTimes } from "./instance-facts.mjs";
import { Instances, openServer } from "./instances.mjs";
import { createPlace, openCommands, operations, prepare } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram, inParallel } from "./scene.mjs";
import { StateReader } from "./state-reader.mjs";
import { callsBelow, isOfServer, runWithFault, whyNoStrace } from "./strace.mjs";
import { checkManners, checkStatus } from "./verdict.mjs";

/** Never at all later calls: programs repeat an interrupted call. */
const eintr = "error=EINTR";
const anywhere = ["signal=KILL", "error=EIO", eintr];
const full = ["error=ENOSPC", "error=EDQUOT"];

/** What can happen to a call of each kind. */
const faultsOf = {
  openat: [...anywhere, ...full, "error=EMFILE", "error=EACCES"],
  write: [...anywhere, ...full],
  pwrite64: [...anywhere, ...full],
  fsync: [...anywhere, ...full],
  fdatasync: [...anywhere, ...full],
  ftruncate: anywhere,
  unlink: anywhere,
  unlinkat: anywhere,
  read: ["signal=KILL", "error=EIO"],
  pread64: ["signal=KILL", "error=EIO"],
};

/** What can happen to a connection to a server. */
const remoteFaultsOf = {
  socket: ["signal=KILL", "error=EMFILE", "error=ENOBUFS"],
  connect: ["signal=KILL", "error=ECONNREFUSED", "error=ETIMEDOUT", eintr],
  read: ["signal=KILL", "error=ECONNRESET", "error=ETIMEDOUT", "error=EIO"],
  write: ["signal=KILL", "error=EPIPE", "error=ECONNRESET", "error=EIO"],
  writev: ["signal=KILL", "error=EPIPE", "error=ECONNRESET", "error=EIO"],
};

/** What can happen to a call on a name. */
const ofNames = [...anywhere, ...full, "error=EACCES"];

class CommandFaults {
  complaints = [];
  points = 0;
  /** Of these, how many hit a process that only ran the one command. */
  ofProcesses = 0;
  /** Different files that faults have left. */
  states = 0;
  /** What was found in an instance, by the digest of its files. */
  #looks = new Map();

  /**
   * `root`: a folder for everything; `server`: of commands that need one; `most`: points for each command; `from`: the
   * first one, undefined: any.
   */
  constructor({ root, program, server, most, from, seed, share, believesFailures }) {
    Object.assign(this, { root, program, server, most, from, believesFailures });
    this.instances = new Instances(root, server);
    this.random = randomNumbers(seed);
    this.reader = new StateReader({ root, share, random: randomNumbers(seed + 1) });
  }

  async hit(name) {
    const begin = join(this.root, `before-${name}`);
    await prepare(this, name, begin);
    const traced = await this.instances.copy(begin);
    const calls = await callsBelow(traced, this.#words(name), join(this.root, "trace.log"), this.#environment(traced));
    const run = new FaultRun(this.root, operations[name].words, () => this.instances.copy(begin));
    const { folders, counts } = await run.withoutFault();
    const looks = [];
    for (const folder of [await this.instances.copy(begin), traced, ...folders]) {
      looks.push(await this.reader.allowed(diskOf(folder), folder));
      await this.instances.remove(folder);
    }
    for (const { complaints } of looks)
      if (complaints.length > 0) this.complaints.push(`${name}, without a fault: ${complaints.join("; ")}`);
    this.#looks.clear();
    const faults = this.#chosen(allFaults(calls));
    const before = this.points;
    const single = faults.filter((fault) => !canShareProcess(fault));
    const lanes = this.reader.checkers.map((checker) => async () => {
      for (let fault = single.shift(); fault !== undefined; fault = single.shift())
        await this.#one(checker, name, begin, fault, looks);
    });
    await inParallel(lanes, lanes.length);
    const results = run.withFaults(faults.filter(canShareProcess), counts, this.random);
    const judges = this.reader.checkers.map((checker) => async () => {
      for (let next = await results.next(); !next.done; next = await results.next())
        await this.#judge(checker, name, next.value, looks);
    });
    await inParallel(judges, judges.length);
    await this.instances.remove(begin);
    return { calls: calls.length, points: this.points - before };
  }

  async #one(checker, name, begin, fault, looks) {
    const folder = await this.instances.copy(begin);
    const log = `${folder}.log`;
    const result = await runWithFault(
      this.#words(name),
      folder,
      log,
      { ...fault, threads: true },
      this.#environment(folder),
    );
    rmSync(log);
    if (result.injected.length > 0) this.ofProcesses += 1;
    const what = `${fault.fault} at ${fault.call} ${fault.when}`;
    await this.#judge(checker, name, { ...result, folder, what }, looks);
  }

  async #judge(checker, name, result, [before, ...after]) {
    const { folder, what } = result;
    if (result.injected.length === 0) return this.instances.remove(folder);
    this.points += 1;
    // A fault in files of Node or in its wake-up pipes may end it in its own way; the data is checked all the same.
    const isOurs = result.injected.every((line) => line.includes(`${folder}/`) || isOfServer(line));
    const complaints = isOurs ? [...checkManners(result), ...checkStatus(result)] : [];
    const isDone = result.status === 0 || this.believesFailures;
    const allowed = isDone ? after : [before, ...after];
    const { facts, complaints: found } = await this.#look(checker, folder, [before, ...after]);
    complaints.push(...found, ...differences(withoutTimes(facts), ...allowed.map((each) => withoutTimes(each.facts))));
    if (complaints.length > 0)
      this.complaints.push(
        `${name}, ${what}: ${complaints.join("; ").slice(0, 600)} ` +
          `(it ended with ${result.status ?? result.signal}) [${folder}]`,
      );
    else await this.instances.remove(folder);
  }

  #chosen(faults) {
    if (this.from !== undefined) return faults.slice(this.from, this.from + this.most);
    if (faults.length <= this.most) return faults;
    return faults
      .map((fault) => ({ fault, rank: this.random() }))
      .sort((one, other) => one.rank - other.rank)
      .slice(0, this.most)
      .map(({ fault }) => fault);
  }

  async #look(checker, folder, allowed) {
    const disk = diskOf(folder);
    const digest = disk.digest();
    const known = this.#looks.get(digest);
    if (known !== undefined) return known;
    this.states += 1;
    const { facts, complaints, folder: copy } = await this.reader.look(checker, disk, allowed, folder);
    if (copy !== undefined) rmSync(copy, { recursive: true });
    if (complaints.length === 0) this.#looks.set(digest, { facts, complaints });
    return { facts, complaints };
  }

  #words(name) {
    return [process.execPath, this.program, ...operations[name].words];
  }

  #environment(folder) {
    const { environment } = createPlace(this.root, folder);
    return { ...environment, NODE_OPTIONS: `--require ${join(import.meta.dirname, "steady-clock.cjs")}` };
  }
}

/** All files of an instance. */
function diskOf(folder) {
  return Disk.read(folder, (name) => name !== ".git");
}

/**
 * Ends of the process, faults of Node's own wake-up pipes and lasting ones end the process that they hit; connections
 * are not those of one instance.
 */
function canShareProcess({ call, fault, when, isRemote }) {
  return !isRemote && fault.startsWith("error=") && call !== "read" && call !== "write" && !when.endsWith("+");
}

/** Each call alone; every fourth also with all later ones of its kind. */
function allFaults(calls) {
  return calls.flatMap(({ call, when, isRemote }) =>
    ((isRemote ? remoteFaultsOf : faultsOf)[call] ?? ofNames).flatMap((fault) => [
      { call, fault, when: String(when), isRemote },
      ...((isRemote || when % 4 === 0) && canPersist(call, fault) ? [{ call, fault, when: `${when}+`, isRemote }] : []),
    ]),
  );
}

/** If all later reads or writes fail, the wake-up pipes of Node fail too, and it hangs or aborts. */
function canPersist(call, fault) {
  return fault.startsWith("error=") && fault !== eintr && call !== "read" && call !== "write";
}

/** Those of `names` that are possible here, and a server if one of them is on it. */
async function possible(names, root) {
  const isOnServer = (name) => operations[name].isOnServer === true;
  const server = names.some(isOnServer) ? await openServer(root) : undefined;
  if (server !== undefined || !names.some(isOnServer)) return { names, server };
  process.stdout.write("skipped: commands on a server, no PostgreSQL is packaged for this machine\n");
  return { names: names.filter((name) => !isOnServer(name)) };
}

async function main() {
  const { values } = parseArgs({
    options: {
      points: { type: "string", default: "40" },
      from: { type: "string" },
      seed: { type: "string", default: "1" },
      share: { type: "string", default: "0.05" },
      only: { type: "string" },
      "believe-failures": { type: "boolean", default: false },
    },
  });
  const why = whyNoStrace();
  if (why !== null) return process.stdout.write(`faults of commands: skipped, ${why}\n`);
  const program = builtProgram();
  if (program === null) throw new Error("there is no built program: node scripts/build.mjs");
  const scene = await openCommands(program);
  const { names, server } = await possible(values.only?.split(",") ?? Object.keys(operations), scene.root);
  const faults = new CommandFaults({
    ...scene,
    server,
    most: Number(values.points),
    from: values.from === undefined ? undefined : Number(values.from),
    seed: Number(values.seed),
    share: Number(values.share),
    believesFailures: values["believe-failures"],
  });
  const started = performance.now();
  for (const name of names) {
    const found = faults.complaints.length;
    const { calls, points } = await faults.hit(name);
    process.stdout.write(`  ${name}: ${calls} calls, ${points} faults, ${faults.complaints.length - found} problems\n`);
  }
  faults.reader.close();
  await server?.stop();
  for (const complaint of faults.complaints.slice(0, 20)) process.stdout.write(`  ${complaint}\n`);
  if (faults.complaints.length === 0) scene.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const problems = faults.complaints.length;
  process.stdout.write(
    `faults of commands: ${faults.points} faults, ${faults.ofProcesses} in processes of one command, ` +
      `${faults.states} different states (${faults.reader.text()}), seed ${values.seed}, ` +
      `${problems} problems, ${seconds} s\n`,
  );
  process.exitCode = problems === 0 ? 0 : 1;
}

await main();
