/**
 * Round trips: sequences of generated commands with hostile names, paths, times and clocks. After accepted changes, a
 * rebuild, a dump and its restoration, a move, and a push and pull give experiments with the same digest. Commands may
 * be refused, but never fail with an internal error, and `fsck` finds nothing.
 *
 *   node test/torture/round-trips.mjs [--sequences N] [--seed N] [--break]
 *
 * `--break` changes a value in the restored database, as a control that must fail. Sequence n of seed s depends on s
 * and n only.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createPlace, openCommands } from "./operations.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";

const day = 86_400;

const names = [
  "plain",
  "a b",
  "ünï",
  "e\u0301",
  "日本語",
  "🚀",
  "-x",
  "--output=x",
  "__proto__",
  "constructor",
  "select",
  "a'b",
  'a"b',
  "a;drop table run",
  "a?b",
  "a#b%20",
  "$(id)",
  "con",
  "x".repeat(200),
  "a\\b",
  ".hidden",
  "%type%",
];

/** File names: those above, and some that no experiment can have. */
const paths = [...names, "a\nb", "a\tb", "sub/deep/er", " lead", "trail ", "a,b", "*", "\u202Eabc", "a=b", "@b", "~"];

/** Seconds since 1970. */
const times = [
  -1,
  0,
  1,
  -day * 365 * 60,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  4_102_444_800,
  10_413_792_000,
  16_725_225_600,
].concat([253_402_300_799, 1_483_228_799.999_999, 951_782_400.123_456, 1_700_000_000]);

const values = ["0", "-0", "1e308", "5e-324", "-1.5", "0.1", "12345678901234567", "+7", "1e-7", ".5", "00012"];

const types = ["int", "float", "string", "timestamp", "boolean", "version"];

/** Names that an experiment may have. */
const identifiers = ["plain", "__proto__", "constructor", "select", "ünï", "a.b", "a-b", "con", "run", "x".repeat(200)];

const unkept = { path: undefined, close: async () => {} };

class Sequence {
  commands = [];
  complaints = [];
  accepted = 0;
  trips = 0;
  #experiments = [];
  #kept = unkept;
  #files = 0;

  constructor({ root, door, number, seed, isBroken }) {
    this.random = randomNumbers(seed * 1_000_003 + number);
    this.door = door;
    this.isBroken = isBroken;
    this.folder = join(root, `sequence-${number}`);
    this.place = createPlace(root, this.folder);
    mkdirSync(join(this.folder, ".perun"), { recursive: true });
  }

  #pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** Opening a database takes longer than most commands: it stays open, but not for those that open it anew. */
  async #keepOpen(word) {
    const path = join(this.place.directory, ".perun/experiments.duckdb");
    const isKept = !["fsck", "rebuild", "push", "pull", undefined].includes(word) && existsSync(path);
    if (isKept && this.#kept.path === path) return;
    await this.#kept.close();
    this.#kept = isKept ? { path, close: await this.door.keepOpen(path) } : unkept;
  }

  async run(...words) {
    this.commands.push(words);
    await this.#keepOpen(words[0]);
    const result = await this.door.runCommand(words, this.place);
    if (result.status === 70 || /^\s+at .*:\d+:\d+/m.test(result.stderr))
      this.#complain(`internal error: ${result.stderr.slice(0, 300)}`);
    return result;
  }

  #complain(text) {
    this.complaints.push(`${text} (after ${JSON.stringify(this.commands.slice(-4))}, clock ${this.place.now})`);
  }

  #file(text, name = this.#pick(paths)) {
    const path = join(this.folder, `${this.#files++}`, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const time = this.#pick(times);
    utimesSync(path, time, time);
    return path.slice(this.folder.length + 1);
  }

  async #create() {
    const name = this.#pick(this.random() < 0.1 ? names : identifiers);
    const parameters = Array.from({ length: 1 + Math.floor(this.random() * 3) }, (_, at) => `p${at}`);
    const lines = parameters.map((each) => `*parameter ${each} ${this.#pick(types)}`);
    const text = `*experiment ${name}\n${this.#pick(paths).replace(/\n/g, " ")}\n`;
    const { status } = await this.run(
      "experiment",
      "create",
      this.#file(`${text}${lines.join("\n")}\n*result r float s\n`),
    );
    if (status === 0) this.#experiments.push({ name, parameters });
    return status === 0;
  }

  async #import({ name, parameters }) {
    const columns = [...parameters, "r"];
    const table = columns.map((column, at) => `TABLE ${column} pos=${at + 1}\n`).join("");
    const text = Array.from({ length: 1 + Math.floor(this.random() * 4) }, () =>
      columns
        .map(() => (this.random() < 0.2 ? this.#pick(["x", "true", "1.2.3", "2020-01-01"]) : this.#pick(values)))
        .join(" "),
    ).join("\n");
    return this.run(
      "import",
      "-a",
      "default",
      "-e",
      name,
      "-d",
      this.#file(table, "in"),
      "--",
      this.#file(`${text}\n`),
    );
  }

  /** A command that may change something; whether it was accepted. */
  async #step() {
    if (this.random() < 0.3) this.place.now = this.#pick(times) * 1000;
    const one = this.#pick(this.#experiments);
    if (one === undefined || this.random() < 0.08) return this.#create();
    const run = String(1 + Math.floor(this.random() * 4));
    const update = `*update ${one.name}\n${this.#pick(paths).replace(/\n/g, " ")}\n`;
    const actions = [
      () => this.#import(one),
      () => this.#import(one),
      () => this.run("experiment", "delete", one.name, "--run", run, "--force"),
      () => this.run("experiment", "undelete", one.name, "--run", run),
      () => this.run("experiment", "delete", one.name, "--deleted", "--force"),
      () => this.run("attach", "put", one.name, this.#file("TABLE r pos=1\n"), "--name", this.#pick(names)),
      () => this.run("attach", "delete", one.name, this.#pick(names)),
      () => this.run("experiment", "grant", this.#pick(["read", "write", "admin"]), this.#pick(names), "-e", one.name),
      () => this.run("experiment", "update", this.#file(`${update}*add parameter v${this.#files} int\n`, "u")),
    ];
    return (await this.#pick(actions)()).status === 0;
  }

  /** The digests of all experiments of a database of this instance. */
  async #digests(database = ".perun/experiments.duckdb") {
    const path = join(this.place.directory, database);
    return JSON.stringify(existsSync(path) ? await this.door.digestsOf(path) : {});
  }

  async #leads(what, wanted, words, database) {
    const { status, stderr } = await this.run(...words);
    if (status !== 0) return this.#complain(`${what} failed: ${stderr.slice(0, 300)}`);
    if (this.isBroken && what === "a move")
      await this.run("experiment", "grant", "read", "eve", "-e", this.#experiments[0].name, "--db", database);
    const found = await this.#digests(database);
    this.trips += 1;
    if (found !== wanted) this.#complain(`${what} gives ${found} instead of ${wanted}`);
  }

  async #roundTrips() {
    // Under a wrong clock, moves are refused.
    this.place.now = 1_700_000_000_000;
    const digests = await this.#digests();
    // Both replay the ledger.
    if (this.random() < 0.5) {
      const verified = await this.run("fsck");
      if (verified.status !== 0) this.#complain(`fsck finds ${verified.stdout}${verified.stderr}`);
    } else await this.#leads("a rebuild", digests, ["rebuild", "experiments"]);
    rmSync(join(this.folder, ".perun/quarantine"), { recursive: true, force: true });
    for (const path of ["other.duckdb", "third.duckdb"]) rmSync(join(this.folder, path), { force: true });
    await this.#leads("a move", digests, ["move", "--all", "--keep", "--to", "other.duckdb"], "other.duckdb");
    const [name, digest] = this.#pick(Object.entries(JSON.parse(digests))) ?? [];
    if (name !== undefined) {
      const file = join(this.folder, "trip.tar.gz");
      await this.run("experiment", "dump", "-o", file, "--", name);
      rmSync(join(this.folder, "third.duckdb"), { force: true });
      await this.#leads(
        "a restoration",
        JSON.stringify({ [name]: digest }),
        ["experiment", "restore", file, "--db", "third.duckdb"],
        "third.duckdb",
      );
    }
    await this.#share(digests);
  }

  /** Git processes are slow: only sometimes. */
  async #share(digests) {
    if (this.random() > 0.05) return;
    const other = `${this.folder}-pulled`;
    const remote = `${this.folder}.git`;
    for (const path of [other, remote]) rmSync(path, { recursive: true, force: true });
    mkdirSync(join(other, ".perun"), { recursive: true });
    for (const folder of [this.folder, other])
      cpSync(join(this.place.scratch, "template/.git"), join(folder, ".git"), { recursive: true });
    spawnSync("git", ["init", "--quiet", "--bare", remote]);
    const pushed = await this.run("push", remote);
    if (pushed.status !== 0) return this.#complain(`a push failed: ${pushed.stderr}`);
    const own = this.place;
    this.place = { ...own, directory: other };
    await this.#leads("a pull", digests, ["pull", remote]);
    const verified = await this.run("fsck");
    if (verified.status !== 0) this.#complain(`after a pull, fsck finds ${verified.stdout}${verified.stderr}`);
    this.place = own;
  }

  async play(length) {
    for (let step = 0; step < length; step++) {
      const isAccepted = await this.#step();
      this.accepted += isAccepted ? 1 : 0;
      if (isAccepted && this.random() < 0.1) await this.#roundTrips();
    }
    if (this.#experiments.length > 0) await this.#roundTrips();
    await this.#keepOpen();
  }
}

const { values: options } = parseArgs({
  options: {
    sequences: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    break: { type: "boolean", default: false },
  },
});
const program = builtProgram();
if (program === null) throw new Error("there is no built program: node scripts/build.mjs");
const scene = await openCommands(program);
const door = await import(pathToFileURL(join(scene.root, "command-door.mjs")).href);
const seed = Number(options.seed);
const total = { commands: 0, accepted: 0, trips: 0 };
const complaints = [];
const first = Number(options.first);
for (let number = first; number < first + Number(options.sequences); number++) {
  const sequence = new Sequence({ ...scene, door, number, seed, isBroken: options.break });
  await sequence.play(8);
  total.commands += sequence.commands.length;
  total.accepted += sequence.accepted;
  total.trips += sequence.trips;
  complaints.push(...sequence.complaints.map((complaint) => `sequence ${number}: ${complaint}`));
  if (number % 50 === 49) process.stdout.write(`  ${number + 1} sequences, ${complaints.length} problems\n`);
  for (const end of ["", "-pulled", ".git"])
    if (existsSync(`${sequence.folder}${end}`)) rmSync(`${sequence.folder}${end}`, { recursive: true });
}
for (const complaint of complaints.slice(0, 20)) process.stdout.write(`  ${complaint.slice(0, 900)}\n`);
process.chdir("/");
scene.close();
process.stdout.write(
  `round trips: ${options.sequences} sequences, ${total.commands} commands, ${total.accepted} changes accepted, ` +
    `${total.trips} round trips, seed ${seed}, ${complaints.length} problems\n`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;
