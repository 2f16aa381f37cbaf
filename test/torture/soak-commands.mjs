/** The commands of a soak, of both engines, and what must be stored in the end. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { acknowledged, profileText } from "./scene.mjs";

/**
 * Commands that only read, with the statuses that answer them; by default 0. Rare ones take much longer than the others
 * and are drawn a fifth as often.
 */
const readers = [
  { words: ["status"] },
  { words: ["log", "--short"] },
  { words: ["check", "head"], answers: [0, 1, 3] },
  { words: ["check", "series"], answers: [0, 1, 3], isRare: true },
  { words: ["trend"], answers: [0, 3], isRare: true },
  { words: ["fsck"], isRare: true },
  { words: ["find", "ping"], hasDatabase: true },
  { words: ["query", "ping", "time", "--by", "size", "--stat", "mean"], hasDatabase: true },
  { words: ["export", "ping", "--format", "csv"], hasDatabase: true },
  { words: ["experiment", "list"], hasDatabase: true },
  { words: ["experiment", "info", "ping"], hasDatabase: true },
  { words: ["stats", "list-files"] },
  { words: ["report", "-o", "page.html"], isRare: true },
];

/** The share repository of an instance of the scene, in which another instance has stored a few changes. */
export const sharePath = "../shared.git";

/** Commands that write what no later command has to find. */
const writers = [
  { words: ["gc", "--pack", "--all"], isRare: true },
  { words: ["gc", "--unpack"], isRare: true },
  { words: ["config", "set", "format.status", "%type%"] },
  { words: ["rebuild", "experiments"], isRare: true },
  { words: ["recover"] },
  { words: ["push", sharePath], isRare: true },
  { words: ["pull", sharePath], isRare: true },
];

/** What was reported as stored: profiles with their digests, imported files of each engine, statistics. */
export class StoredData {
  profiles = new Map();
  files = { embedded: new Set(), server: new Set() };
  statistics = new Set();

  get counts() {
    const { embedded, server } = this.files;
    const imports = `${embedded.size} + ${server.size} imports`;
    return `${this.profiles.size} profiles, ${imports}, ${this.statistics.size} statistics stored`;
  }
}

/**
 * Draws commands for the instance in `folder`, whose commit is `version`. `database`: words that choose the server;
 * absent without one. `random`: numbers in [0, 1).
 */
export class SoakCommands {
  stored = new StoredData();
  #number = 0;
  #kinds;

  constructor({ folder, version, database, random }) {
    Object.assign(this, { folder, version, database, random });
    const fixed = [...readers, ...writers].flatMap((each) => this.#onEngines(each));
    this.#kinds = [
      () => this.#add(),
      ...this.#engines().map((engine) => () => this.#import(engine)),
      () => this.#putStatistics(),
      () => this.#dump(),
      () => this.#attach(),
      ...fixed.map((each) => () => each),
    ];
  }

  /** A command with its files: `kind`, `words`, the statuses of an answer, and `keep`, called after status 0. */
  draw() {
    const command = this.#kinds[Math.floor(this.random() * this.#kinds.length)]();
    const { kind = command.words.slice(0, 2).join(" "), answers = [0], isRare = false } = command;
    return isRare && this.random() < 0.8 ? this.draw() : { ...command, kind, answers };
  }

  #engines() {
    return this.database === undefined ? ["embedded"] : ["embedded", "server"];
  }

  #onEngines({ hasDatabase = false, ...command }) {
    if (!hasDatabase || this.database === undefined) return [command];
    const kind = `${command.words.slice(0, 2).join(" ")} of a server`;
    return [command, { ...command, kind, words: [...command.words, ...this.database] }];
  }

  #add() {
    const names = Array.from({ length: 1 + Math.floor(this.random() * 3) }, () => `soak-${this.#number++}.perf`);
    for (const name of names) writeFileSync(join(this.folder, ".perun/jobs", name), profileText(name, this.version));
    const keep = (stdout) => {
      for (const [name, digest] of acknowledged(stdout)) this.stored.profiles.set(name, digest);
    };
    return { kind: "add", words: ["add", ...names.map((name) => `.perun/jobs/${name}`)], keep };
  }

  #import(engine) {
    const number = this.#number++;
    const name = `own-${number}.txt`;
    writeFileSync(join(this.folder, name), `${number} ${number}.5\n${number + 1} 2.5\n`);
    const database = engine === "server" ? this.database : [];
    return {
      kind: engine === "server" ? "import of a server" : "import",
      words: ["import", "-e", "ping", "-d", "ping.inp", name, ...database],
      keep: () => this.stored.files[engine].add(name),
    };
  }

  #putStatistics() {
    const name = `count${this.#number++}`;
    return { words: ["stats", "put", name, "one", "stat.json"], keep: () => this.stored.statistics.add(name) };
  }

  #dump() {
    return { words: ["experiment", "dump", "ping", "-o", `dump-${this.#number % 8}.tar.gz`], isRare: true };
  }

  #attach() {
    return { words: ["attach", "put", "ping", "ping.inp", "--name", `one-${this.#number++}`] };
  }
}

/** Counts commands by kind, those that no signal ended. */
export class KindCounts {
  #kinds = new Map();

  take({ kind, answers }, { status, signal, stderr }) {
    const known = this.#kinds.get(kind) ?? { runs: 0, answered: 0, last: "" };
    this.#kinds.set(kind, known);
    if (signal !== null) return;
    known.runs += 1;
    if (answers.includes(status)) known.answered += 1;
    else known.last = stderr.trim().split("\n", 1)[0];
  }

  /** Kinds that were never answered: the words of the soak are wrong, or the command never succeeds. */
  complaints() {
    return [...this.#kinds]
      .filter(([, { runs, answered }]) => runs >= 12 && answered === 0)
      .map(([kind, { runs, last }]) => `${kind} was never answered in ${runs} runs: ${last}`);
  }

  get size() {
    return this.#kinds.size;
  }
}
