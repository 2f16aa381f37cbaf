/** Sequences of generated commands for round-trips.mjs: every command that writes to the store of an instance. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { profileText } from "./scene.mjs";

/** What is known of an experiment: its variables, the number of its runs, and what may be undone. */
const known = (name, variables) => ({ name, variables, runs: 0, deleted: [], attached: [], granted: [] });

/** Commands of one sequence in an instance that it shares with others; it depends on `words` and theirs only. */
export class Sequence {
  /** Name and variables of the experiments that were created, some of which may be deleted. */
  experiments = [];
  #instance;
  #words;
  #number;
  #files = 0;
  #imported = [];
  #deleted = [];

  /** `words`: a `TripWords` of its own. */
  constructor(instance, words, number) {
    this.#instance = instance;
    this.#words = words;
    this.#number = number;
  }

  /** Runs a command that may change something. The name of its experiment if it was accepted, "" if it has none. */
  async step() {
    const words = this.#words;
    this.#instance.place.now = words.seconds() * 1000;
    if (words.chance(0.12)) return (await this.#run(...this.#storeCommand())) ? "" : undefined;
    const one = words.pick(this.experiments);
    if (one === undefined || words.chance(0.06)) return this.#create();
    return (await words.pick(this.#actions(one))()) ? one.name : undefined;
  }

  /** Each as often as it is listed. */
  #actions(one) {
    const words = this.#words;
    const { name } = one;
    const imports = () => this.#import(one);
    const management = (...rest) => this.#run("experiment", ...rest);
    return [
      imports,
      imports,
      imports,
      imports,
      () => this.#update(one),
      () => this.#update(one),
      () => this.#deleteRun(one),
      () => (one.deleted.length === 0 ? this.#deleteRun(one) : this.#undeleteRun(one)),
      () => management("delete", "--deleted", "--force", "--", name),
      () => this.#deleteFile(one),
      () => this.#deleteWhole(one),
      () => this.#undelete(one),
      () => this.#attach(one),
      () => (one.attached.length === 0 ? this.#attach(one) : this.#detach(one)),
      () => this.#grant(one),
      () => (one.granted.length === 0 ? this.#grant(one) : this.#revoke(one)),
      () => (words.chance(0.4) ? this.#restore(one) : this.#import(one)),
    ];
  }

  async #run(...words) {
    return (await this.#instance.run(...words)).status === 0;
  }

  /** Writes a file with a hostile time and, by default, a hostile name; its path relative to the instance. */
  #file(text, name = this.#words.path()) {
    const path = `f${this.#number}-${this.#files++}/${name}`;
    const whole = join(this.#instance.folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    const time = this.#words.seconds();
    utimesSync(whole, time, time);
    return path;
  }

  async #create() {
    const words = this.#words;
    const [name, variables] = [words.experiment(this.#number), words.variables()];
    const file = this.#file(words.description(name, variables));
    if (!(await this.#run("experiment", "create", file))) return undefined;
    this.experiments.push(known(name, variables));
    return name;
  }

  async #import(one) {
    const words = this.#words;
    const { name, variables } = one;
    if (words.chance(0.1)) return this.#importKnown();
    const again = words.chance(0.15) ? words.pick(this.#imported) : undefined;
    const [first] = variables;
    const isFixed = (each) => each.hasOne || (each === first && variables.length > 2 && words.chance(0.2));
    const fixed = variables.filter(isFixed);
    const columns = variables.filter((each) => !fixed.includes(each));
    const files = Array.from({ length: words.chance(0.2) ? 2 : 1 }, () => this.#file(words.rows(columns)));
    const isRecursive = again === undefined && words.chance(0.05);
    const given = ["-e", name, "-a", words.pick(["default", "default", "ignore", "abort"])];
    given.push("-d", this.#file(words.input(columns), "in"));
    const accepted = await this.#run(
      "import",
      ...given,
      ...fixed.flatMap((each) => ["-f", `${each.name}=${words.value(each.type)}`]),
      ...(words.chance(0.2) ? ["--label", words.name()] : []),
      ...(words.chance(0.3) ? [`--performed=${words.date()}`] : []),
      ...(words.chance(0.3) ? ["--force"] : []),
      ...(words.chance(0.05) ? ["--pset-store", words.name()] : []),
      ...(isRecursive ? ["--recursive"] : []),
      "--",
      ...(again === undefined ? files.map((path) => (isRecursive ? path.split("/")[0] : path)) : [again]),
    );
    if (accepted) this.#imported.push(...files);
    if (accepted) one.runs += files.length;
    return accepted;
  }

  #importKnown() {
    const words = this.#words;
    const [format, text] = words.known();
    const more = words.chance(0.7) ? ["--from", format] : [];
    return this.#run("import", "-e", words.experiment(this.#number), ...more, "--", this.#file(text));
  }

  async #update(one) {
    const { text, after } = this.#words.update(one.name, one.variables);
    const more = [...(this.#words.chance(0.2) ? ["--relabel"] : []), ...(this.#words.chance(0.7) ? ["--force"] : [])];
    const accepted = await this.#run("experiment", "update", ...more, "-e", one.name, "--", this.#file(text, "u"));
    if (accepted) one.variables = after;
    return accepted;
  }

  #deleteFile({ name }) {
    const file = this.#words.pick(this.#imported) ?? "none";
    return this.#run("experiment", "delete", "--force", `--file=${file}`, "--", name);
  }

  async #deleteWhole({ name }) {
    const more = this.#words.chance(0.2) ? ["--purge"] : [];
    const accepted = await this.#run("experiment", "delete", "--force", ...more, "--", name);
    if (accepted && more.length === 0) this.#deleted.push(name);
    return accepted;
  }

  async #undelete(one) {
    const old = this.#words.pick(this.#deleted);
    if (old === undefined) return this.#create();
    const name = this.#words.chance(0.3) ? this.#words.experiment(this.#number) : old;
    const accepted = await this.#run("experiment", "undelete", `--name=${name}`, "--", old);
    if (accepted) this.experiments.push({ ...one, name });
    return accepted;
  }

  async #attach({ name, variables, attached }) {
    const words = this.#words;
    const columns = variables.filter(({ hasOne }) => !hasOne);
    const text = words.chance(0.3) ? words.description(name, variables) : words.input(columns);
    const attachment = words.name();
    const accepted = await this.#run("attach", "put", `--name=${attachment}`, "--", name, this.#file(text));
    if (accepted) attached.push(attachment);
    return accepted;
  }

  #detach({ name, attached }) {
    return this.#run("attach", "delete", "--", name, this.#words.pick(attached));
  }

  async #deleteRun(one) {
    const run = 1 + this.#words.below(Math.max(1, one.runs));
    const accepted = await this.#run("experiment", "delete", "--run", `${run}`, "--force", "--", one.name);
    if (accepted) one.deleted.push(run);
    return accepted;
  }

  #undeleteRun({ name, deleted }) {
    const more = this.#words.chance(0.5) ? ["--force"] : [];
    return this.#run("experiment", "undelete", "--run", `${this.#words.pick(deleted)}`, ...more, "--", name);
  }

  async #grant({ name, granted }) {
    const right = [this.#words.pick(["read", "write", "admin"]), this.#words.name()];
    const accepted = await this.#run("experiment", "grant", "-e", name, "--", ...right);
    if (accepted) granted.push(right);
    return accepted;
  }

  #revoke({ name, granted }) {
    return this.#run("experiment", "revoke", "-e", name, "--", ...this.#words.pick(granted));
  }

  /** A copy within the same database. */
  async #restore(one) {
    const { name } = one;
    const file = `copy-${this.#number}.tar.gz`;
    if (!(await this.#run("experiment", "dump", "-o", file, "--", name))) return false;
    const copy = this.#words.experiment(this.#number);
    const accepted = await this.#run("experiment", "restore", file, `--as=${copy}`);
    rmSync(join(this.#instance.folder, file), { force: true });
    if (accepted) this.experiments.push({ ...one, name: copy });
    return accepted;
  }

  /** A command that changes no experiment, but the same store. */
  #storeCommand() {
    const words = this.#words;
    const pending = () => {
      const name = `${words.chance(0.5) ? words.name() : `p${this.#number}-${this.#files++}`}.perf`;
      const path = join(".perun/jobs", name);
      const whole = join(this.#instance.folder, path);
      writeFileSync(whole, profileText(name.slice(0, 20), this.#instance.version));
      utimesSync(whole, words.seconds(), words.seconds());
      return path;
    };
    const statistic = () => this.#file('{"calls":9007199254740993,"bytes":-0}');
    return words.pick([
      () => ["add", "--", pending()],
      () => ["add", "--", pending(), pending()],
      () => ["add", "0@p"],
      () => ["rm", "0@i"],
      () => ["rm", "--", pending()],
      () => ["gc", "--pack", "--all"],
      () => ["gc", "--unpack"],
      () => ["stats", "put", "--", words.name(), words.name(), statistic()],
      () => ["stats", "put", "--merge", "--", "coverage", "one", statistic()],
      () => ["stats", "delete", "file", "--", words.name()],
      () => ["stats", "clean"],
      () => ["config", "set", "--", words.pick(["format.status", "general.editor"]), words.line()],
      () => ["import-profile", "--", this.#file(words.known()[1])],
      () => ["postprocessby", "0@i", "normalizer"],
      () => ["triage", "add", "--at=HEAD", "--", words.line(), words.pick(["accepted", "fixed"])],
      () => ["temp", "sync"],
      () => ["recover"],
      () => ["init"],
    ])();
  }
}
