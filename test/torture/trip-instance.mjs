/** Instances of round-trips.mjs, on which sequences of commands run, and the trips of their experiments. */
import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { differences, lookAt } from "./instance-facts.mjs";
import { createPlace } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { TripWords } from "./trip-words.mjs";

/** Shares of commands that are processes of their own, of changes with a trip at once, and of instances that push. */
const [ofProcesses, ofChanges, ofPushes] = [0.05, 0.1, 0.25];

/** Shares of the experiments of an instance that are moved, and dumped and restored, at its end. */
const [ofMoves, ofRestorations] = [0.5, 0.3];

/** Under a wrong clock, moves are refused. */
const rightNow = 1_700_000_000_000;

const embedded = ".perun/experiments.duckdb";

/** An instance with its databases, and the trips of its experiments. */
export class Instance {
  commands = [];
  complaints = [];
  counts = { commands: 0, processes: 0, accepted: 0, trips: 0 };
  outcomes = new Map();
  #open = new Map();
  /** Names of the experiments in other databases, by their path. */
  #held = new Map();
  #files = 0;
  #others = [];

  constructor({ root, program, door, version }, batch, seed, { isBroken, isCareful }) {
    Object.assign(this, { root, program, door, version, isBroken, isCareful });
    this.trip = new TripWords(randomNumbers(seed * 1_000_003 + batch));
    this.folder = join(root, `trips-${batch}`);
    this.place = createPlace(root, this.folder);
    process.env.TZ = this.place.environment.TZ = this.trip.zone();
    this.isLogged = this.trip.chance(0.75);
    cpSync(join(root, "base"), this.folder, { recursive: true });
  }

  async run(...words) {
    this.commands.push(words);
    this.counts.commands += 1;
    const isProcess = this.trip.chance(ofProcesses);
    const result = await (isProcess ? this.#runProcess(words) : this.#runHere(words));
    if (![0, 1, 2, 3, 4, 5, 6].includes(result.status) || /^\s+at .*:\d+:\d+/m.test(result.stderr))
      this.complain(`status ${result.status}: ${result.stderr.slice(0, 300)}`);
    const verb = ["experiment", "attach", "stats", "gc"].includes(words[0]) ? words.slice(0, 2).join(" ") : words[0];
    const outcome = `${verb} ${/\[[a-z-]+\]$/.exec(result.stderr.trim())?.[0] ?? result.status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    return result;
  }

  /** Opening a database takes longer than most commands: those in use stay open. */
  async #runHere(words) {
    if (words[0] === "rebuild" || (words[0] === "fsck" && !this.isLogged)) await this.#close(embedded);
    else if (existsSync(join(this.place.directory, embedded))) await this.#keepOpen(embedded);
    return this.door.runCommand(words, this.place);
  }

  async #runProcess(words) {
    this.counts.processes += 1;
    await this.close();
    const { directory, environment, now } = this.place;
    const clock = {
      NODE_OPTIONS: `--require ${join(import.meta.dirname, "steady-clock.cjs")}`,
      STEADY_CLOCK: `${now}`,
    };
    const options = { cwd: directory, env: { ...environment, ...clock }, timeout: 60_000, maxBuffer: 2 ** 28 };
    // Meanwhile, a failed command may still have to close the database here that it has begun to open.
    return new Promise((done) => {
      execFile(process.execPath, [this.program, ...words], options, (error, stdout, stderr) =>
        done({ status: error === null ? 0 : error.code, stdout, stderr }),
      );
    });
  }

  async #keepOpen(database) {
    const path = join(this.place.directory, database);
    if (!this.#open.has(path)) this.#open.set(path, await this.door.keepOpen(path, this.isLogged));
  }

  async #close(database) {
    const path = join(this.place.directory, database);
    await this.#open.get(path)?.();
    this.#open.delete(path);
  }

  async close() {
    for (const close of this.#open.values()) await close();
    this.#open.clear();
  }

  complain(text) {
    const last = this.commands.slice(-4).map((words) => JSON.stringify(words));
    this.complaints.push(`${text} (after ${last.join(", ")}, clock ${this.place.now}, ${this.place.environment.TZ})`);
  }

  /** The digests of experiments of a database of this instance: those with these names, by default all. */
  async #digests(database, names) {
    const path = join(this.place.directory, database);
    return existsSync(path) ? this.door.digestsOf(path, names) : {};
  }

  /** Runs the command of a trip, after which the database has experiments with the wanted digests. */
  async #leads(what, wanted, words, database = embedded) {
    const { status, stderr } = await this.run(...words);
    if (status !== 0) return this.complain(`${what} failed: ${stderr.slice(0, 300)}`);
    const names = Object.keys(wanted);
    if (this.isBroken && names.length > 0)
      await this.run("experiment", "grant", "-e", names[0], "--db", database, "--", "read", "eve");
    const found = await this.#digests(database, database === embedded ? undefined : names);
    this.counts.trips += Math.max(1, names.length);
    const [expected, got] = [wanted, found].map((each) => JSON.stringify(each));
    if (expected !== got) this.complain(`${what} gives ${got} instead of ${expected}`);
  }

  /** Runs a trip to another database, a new one if it has one of these experiments. */
  async #leadsTo(database, what, wanted, words) {
    const held = this.#held.get(database) ?? [];
    const names = Object.keys(wanted);
    const isNew = names.some((name) => held.some((each) => each.toLowerCase() === name.toLowerCase()));
    if (isNew) {
      await this.#close(database);
      for (const end of ["", ".wal"]) rmSync(join(this.folder, `${database}${end}`), { force: true });
    }
    this.#held.set(database, isNew ? names : [...held, ...names]);
    await this.#keepOpen(database);
    await this.#leads(what, wanted, words, database);
  }

  async #move(wanted) {
    const names = Object.keys(wanted);
    if (names.length > 0)
      await this.#leadsTo("other.duckdb", "a move", wanted, ["move", "--keep", "--to", "other.duckdb", "--", ...names]);
  }

  async #restore(name, digest) {
    const file = `trip-${this.#files++}.tar.gz`;
    const dumped = await this.run("experiment", "dump", "-o", file, "--", name);
    if (dumped.status !== 0) return this.complain(`a dump failed: ${dumped.stderr}`);
    const words = ["experiment", "restore", file, "--db", "third.duckdb"];
    await this.#leadsTo("third.duckdb", "a restoration", { [name]: digest }, words);
    rmSync(join(this.folder, file), { force: true });
  }

  async #verify() {
    const { status, stdout, stderr } = await this.run("fsck");
    this.counts.trips += 1;
    if (status !== 0) this.complain(`fsck finds ${stdout}${stderr}`);
  }

  /** After a change of an experiment, or with the name "" of something else. */
  async afterChange(name) {
    this.counts.accepted += 1;
    this.hasFiles ||= name === "";
    if (this.isCareful) return this.allTrips();
    if (!this.trip.chance(ofChanges)) return;
    const { now } = this.place;
    this.place.now = rightNow;
    const wanted = name === "" ? {} : await this.#digests(embedded, [name]);
    const [digest] = Object.values(wanted);
    if (digest === undefined) await this.#verify();
    else await (this.trip.chance(0.5) ? this.#move(wanted) : this.#restore(name, digest));
    this.place.now = now;
  }

  async allTrips() {
    const { now } = this.place;
    this.place.now = rightNow;
    const digests = await this.#digests(embedded);
    // Both replay the ledger.
    const isRebuilt = existsSync(join(this.folder, embedded)) && (this.isCareful || this.trip.chance(0.3));
    if (!isRebuilt || this.isCareful) await this.#verify();
    if (isRebuilt) await this.#leads("a rebuild", digests, ["rebuild", "experiments"]);
    const some = (share) => Object.entries(digests).filter(() => this.isCareful || this.trip.chance(share));
    await this.#move(Object.fromEntries(some(ofMoves)));
    for (const [name, digest] of some(ofRestorations)) await this.#restore(name, digest);
    if (!this.isCareful && this.trip.chance(0.1) && Object.keys(digests).length > 0) await this.#moveAndBack(digests);
    await this.#packs();
    if (this.isCareful || this.trip.chance(ofPushes)) await this.#share();
    await this.#keepHouse();
    this.place.now = now;
  }

  /** Without `--keep`, a move deletes the experiments here. */
  async #moveAndBack(digests) {
    await this.#leadsTo("away.duckdb", "a move away", digests, ["move", "--all", "--to", "away.duckdb"]);
    await this.#leads("a move back", digests, ["move", "--all", "--db", "away.duckdb", "--to", "embedded"]);
  }

  /** Packing changes nothing else that a store holds: profiles, statistics and the configuration. */
  async #packs() {
    const wanted = await this.#filesOf(this.place);
    if (Object.keys(wanted).length === 0) return;
    const words = ["gc", ...(this.trip.chance(0.5) ? ["--pack", "--all"] : ["--unpack"])];
    const { status, stderr } = await this.run(...words);
    if (status !== 0) return this.complain(`${words.join(" ")} failed: ${stderr}`);
    this.#compare(words.join(" "), wanted, await this.#filesOf(this.place));
  }

  /** Commands that always succeed and change no experiment. */
  async #keepHouse() {
    const name = this.trip.name();
    mkdirSync(join(this.folder, ".perun/tmp"), { recursive: true });
    writeFileSync(join(this.folder, ".perun/tmp", name), "temporary");
    const digests = await this.#digests(embedded);
    const protecting = ["temp", "protect", "--", name];
    const all = [["gc"], ["stats", "sync"], ["config", "reset"], ["temp", "delete", "--", name], protecting];
    await this.#leads("a change of other files", digests, this.trip.pick(all));
  }

  #compare(what, wanted, found) {
    this.counts.trips += 1;
    for (const difference of differences(found, wanted)) this.complain(`${what}: ${difference}`);
  }

  async #filesOf(place) {
    if (!this.hasFiles) return {};
    const { facts, complaints } = await lookAt(this.door, place, ["files"]);
    for (const complaint of complaints) this.complain(complaint);
    return facts;
  }

  /** The profiles of a look that are registered, which alone are shared. */
  async #registered(place) {
    const files = Object.entries(await this.#filesOf(place));
    const isRegistered = ([name, value]) => name.startsWith("profile ") && !value.startsWith("pending: ");
    return Object.fromEntries(files.filter(isRegistered));
  }

  /** To a new instance, and sometimes from it back to this one. */
  async #share() {
    // A path of its own: a process remembers the objects of a store.
    const [other, remote] = ["pulled", "git"].map((what) => `${this.folder}-${what}-${this.#files}`);
    this.#files += 1;
    this.#others.push(other, remote);
    mkdirSync(join(other, ".perun"), { recursive: true });
    cpSync(join(this.root, "base/.git"), join(other, ".git"), { recursive: true });
    spawnSync("git", ["init", "--quiet", "--bare", remote]);
    const pushed = await this.run("push", remote);
    if (pushed.status !== 0) return this.complain(`a push failed: ${pushed.stderr}`);
    const own = this.place;
    const theirs = { ...own, directory: other };
    const [digests, profiles] = [await this.#digests(embedded), await this.#registered(own)];
    this.place = theirs;
    await this.#leads("a pull", digests, ["pull", remote]);
    this.#compare("a pull", profiles, await this.#registered(theirs));
    await this.#verify();
    const [name] = Object.keys(digests);
    if (name === undefined || this.trip.chance(0.6)) return void (this.place = own);
    await this.run("experiment", "grant", "-e", name, "--", "read", "zoe");
    const back = await this.run("push", remote);
    if (back.status !== 0) this.complain(`a push of merged changes failed: ${back.stderr}`);
    const changed = await this.#digests(embedded);
    this.place = own;
    await this.#leads("a pull of changes", changed, ["pull", remote]);
  }

  /** Ends all, and removes its files. */
  async remove() {
    await this.close();
    process.chdir("/");
    for (const path of [this.folder, ...this.#others]) rmSync(path, { recursive: true, force: true });
  }
}
