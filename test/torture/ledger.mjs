/**
 * Torture test of the experiment database: SIGKILL of the built program while it imports, updates, deletes, undeletes,
 * attaches and rebuilds. After each kill no change is partial, reported changes are stored, `experiment check` and
 * `fsck` report no problems, the next command works, and a rebuild restores the same rows.
 *
 *   node test/torture/ledger.mjs [--kills N] [--seed N] [--only duckdb,postgres]
 *
 * PERFKEEP_TORTURE_KILLS is the default of --kills. Half of the kills are at random times, half at random system calls
 * on the store (all at random times without strace). The seed determines both.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { acts, createWords, halves } from "./ledger-acts.mjs";
import { LedgerInstance, openLedgerScene } from "./ledger-scene.mjs";
import { randomNumbers } from "./random.mjs";
import { builtProgram } from "./scene.mjs";
import { whyNoStrace } from "./strace.mjs";
import { checkManners } from "./verdict.mjs";

const { values } = parseArgs({
  options: { kills: { type: "string" }, seed: { type: "string", default: "1" }, only: { type: "string" } },
});
const kills = Number(values.kills ?? process.env.PERFKEEP_TORTURE_KILLS ?? 7);
const strace = whyNoStrace() === null;

/** In an order in which each act is possible. */
const embeddedActs = ["import", "update", "delete", "large import", "rebuild", "undelete", "attach"];
const serverActs = ["import", "update", "large import"];

/**
 * The act whose traced calls are used for each act. Acts that change a few rows make the same calls.
 */
const traced = { import: "import", "large import": "import", rebuild: "rebuild" };
const tracedFor = (name) => traced[name] ?? "update";

class Torture {
  complaints = [];
  killed = 0;
  fixed = 0;
  #number = 0;
  #points = new Map();

  constructor(instance, random) {
    this.instance = instance;
    this.random = random;
  }

  /** Creates the experiment, measures the time of a command and traces the calls of the acts on the store. */
  async begin(names) {
    const started = performance.now();
    await this.#succeed(createWords);
    this.patience = performance.now() - started;
    for (const name of new Set(names.map(tracedFor))) {
      const { words, after } = this.#act(name, await this.instance.look());
      const result = strace ? await this.instance.calls(words) : await this.instance.run(words);
      if (result.status !== 0) throw new Error(`${words.join(" ")} failed before any kill: ${result.stderr}`);
      this.#points.set(name, result.points ?? []);
      this.#compare((await this.instance.look()).state, after, `${name}, before any kill`);
    }
  }

  /**
   * A negative control: partial changes must be detected. A rebuild repairs them.
   */
  async control() {
    const before = await this.instance.look();
    const { words, after } = this.#act("import", before);
    await this.#succeed(words);
    const { digest } = await this.instance.look();
    for (const [what, statementFor] of Object.entries(halves)) {
      await this.instance.tamper(statementFor);
      const found = await this.instance.look();
      const isComplete = same(found.state, after) || same(found.state, before.state);
      const { status } = await this.instance.run(["experiment", "check"]);
      if ((isComplete && found.digest === digest) || status !== 1)
        this.#complain("control", `the loss of ${what} was not detected`);
      if (what === "a run of two" && isComplete)
        this.#complain("control", "an import without one of its runs counts as complete");
      await this.#succeed(["rebuild", "experiments"]);
      this.#compare((await this.instance.look()).digest, digest, `control, ${what}, after the rebuild`);
    }
  }

  async kill(wanted) {
    const before = await this.instance.look();
    const name = this.#act(wanted, before) === null ? "import" : wanted;
    const { words, after } = this.#act(name, before);
    const { result, where } = await this.#killOnce(name, words);
    const about = `${name} killed ${where}`;
    if (result.signal === "SIGKILL") this.killed += 1;
    else if (result.status !== 0)
      this.#complain(about, `it failed without being killed: ${result.stderr.slice(0, 300)}`);
    this.complaints.push(...checkManners(result).map((complaint) => `${about}: ${complaint}`));
    const found = await this.instance.look();
    const isDone = same(found.state, after);
    const isUndone = same(found.state, before.state);
    if (!isDone && !isUndone)
      this.#complain(about, `it is partial: ${JSON.stringify(found.state)} from ${JSON.stringify(before.state)}`);
    if (!isDone && (result.status === 0 || result.stdout !== "")) this.#complain(about, "it was reported but is lost");
    if (isUndone && found.digest !== before.digest) this.#complain(about, "it was not done, but rows differ");
    await this.#checks(about, found);
    const later = await this.#continues(about, isDone ? this.#act("attach", found) : { words, after });
    if (this.instance.isEmbedded) await this.#rebuilds(about, later);
  }

  async end() {
    await this.#succeed(["fsck"]);
    const leftovers = readdirSync(join(this.instance.folder, ".perun")).filter(
      (name) => name.startsWith("experiments.duckdb.") && name !== "experiments.duckdb.head",
    );
    for (const name of leftovers) this.#complain("at the end", `${name} was left behind`);
  }

  #act(name, found) {
    return acts[name](found, this.instance.folder, this.#number++);
  }

  async #killOnce(name, words) {
    const points = this.#points.get(tracedFor(name)) ?? [];
    if (points.length > 0 && this.random() < 0.5) {
      const point = points[Math.floor(this.random() * points.length)];
      return { result: await this.instance.killAt(words, point), where: `at ${point.call} ${point.when}` };
    }
    const share = 0.3 + 0.8 * this.random();
    return {
      result: await this.instance.kill(words, share * this.patience),
      where: `after ${share.toFixed(2)} of a command's time`,
    };
  }

  async #checks(about, found) {
    const checked = await this.instance.run(["experiment", "check"]);
    if (checked.status !== 0) {
      const fixed = await this.instance.run(["experiment", "check", "--fix"]);
      if (fixed.status === 0) this.fixed += 1;
      else this.#complain(about, `experiment check: ${checked.stdout}${checked.stderr}`);
      this.#compare((await this.instance.look()).state, found.state, `${about}, after check --fix`);
    }
    const verified = await this.instance.run(["fsck"]);
    if (verified.status !== 0) this.#complain(about, `fsck: ${verified.stdout}${verified.stderr}`);
  }

  async #continues(about, { words, after }) {
    const next = await this.instance.run(words);
    const found = await this.instance.look();
    if (next.status !== 0)
      this.#complain(about, `the next command, ${words.join(" ")}, failed: ${next.stderr.slice(0, 300)}`);
    else this.#compare(found.state, after, `${about}, after the next command`);
    return found;
  }

  async #rebuilds(about, before) {
    const rebuilt = await this.instance.run(["rebuild", "experiments"]);
    if (rebuilt.status !== 0) this.#complain(about, `rebuild: ${rebuilt.stderr.slice(0, 300)}`);
    if ((await this.instance.look()).digest !== before.digest) this.#complain(about, "a rebuild restores other rows");
    // Each rebuild moves the previous database there.
    rmSync(join(this.instance.folder, ".perun/quarantine"), { recursive: true, force: true });
  }

  async #succeed(words) {
    const { status, stdout, stderr } = await this.instance.run(words);
    if (status !== 0) this.#complain(words.join(" "), `${stdout}${stderr}`);
  }

  #compare(found, wanted, about) {
    if (!same(found, wanted))
      this.#complain(about, `it is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  }

  #complain(about, complaint) {
    this.complaints.push(`${about}: ${complaint}`);
  }
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function onEngine(title, instance, names, count) {
  const started = performance.now();
  const torture = new Torture(instance, randomNumbers(Number(values.seed)));
  try {
    await torture.begin(names);
    if (instance.isEmbedded) await torture.control();
    for (let number = 0; number < count; number++) await torture.kill(names[number % names.length]);
    await torture.end();
  } catch (error) {
    torture.complaints.push(`stopped: ${error.stack}`);
  }
  const { complaints, killed, fixed } = torture;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${title}: ${count} commands, ${killed} killed, ${fixed} fixed, ${complaints.length} problems, ${seconds} s\n`,
  );
  return complaints.map((complaint) => `${title}, seed ${values.seed}: ${complaint}`);
}

/** The first command, which creates the database: it must work again after a kill. */
async function firstCommands(scene, count) {
  const random = randomNumbers(Number(values.seed));
  const complaints = [];
  const { points = [] } = strace ? await new LedgerInstance(scene, "first").calls(createWords) : {};
  for (let number = 0; number < count; number++) {
    const instance = new LedgerInstance(scene, `first-${number}`);
    const point = points[Math.floor(random() * points.length)];
    const killedRun = point
      ? await instance.killAt(createWords, point)
      : await instance.kill(createWords, 100 + 200 * random());
    const again = await instance.run(createWords);
    const checked = await instance.run(["experiment", "check"]);
    const isThere =
      again.status === 0 || (killedRun.signal === "SIGKILL" && again.stderr.includes("experiment-exists"));
    if (!isThere || checked.status !== 0)
      complaints.push(
        `the first command killed at ${point?.call} ${point?.when}: ${again.stderr}${checked.stdout}${checked.stderr}`,
      );
  }
  process.stdout.write(`first commands: ${count} killed, ${complaints.length} problems\n`);
  return complaints;
}

async function onServer(scene) {
  const { noServer, startServer } = scene.door;
  if (noServer !== undefined) {
    process.stdout.write(`skipped: kills on PostgreSQL, ${noServer}\n`);
    return [];
  }
  const server = await startServer();
  try {
    const instance = new LedgerInstance(scene, "shared", {
      url: await server.makeDatabase(),
      environment: server.environment,
    });
    return await onEngine("postgres", instance, serverActs, Math.ceil(kills / 3));
  } finally {
    await server.stop();
  }
}

const program = builtProgram();
if (program === null) throw new Error("there is no built program: node scripts/build.mjs --program");
const scene = await openLedgerScene(program);
const engines = {
  duckdb: () => onEngine("duckdb", new LedgerInstance(scene, "embedded"), embeddedActs, kills),
  // One after the other, in parallel with the embedded database.
  postgres: async () => [...(await onServer(scene)), ...(await firstCommands(scene, Math.ceil(kills / 2)))],
};
const selected = values.only?.split(",") ?? Object.keys(engines);
const complaints = (await Promise.all(selected.map((name) => engines[name]()))).flat();
for (const complaint of complaints.slice(0, 20)) process.stdout.write(`  ${complaint}\n`);
if (complaints.length === 0) scene.close();
else process.stdout.write(`left for inspection: ${scene.root}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
