/**
 * The environment of ledger.mjs: a copy of the built program, instances, and access to their databases.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleDoor } from "./bundle-door.mjs";
import { experiment, writeDescriptions } from "./ledger-acts.mjs";
import { run, runAndKill } from "./scene.mjs";
import { callsOfThreads, runWithFault } from "./strace.mjs";

/** One worker thread, so that database calls have the same order in each run. */
const oneWorker = { UV_THREADPOOL_SIZE: "1" };

const repository = resolve(import.meta.dirname, "../..");

/** Copies the program, so that a concurrent build does not interfere, and bundles the code that reads databases. */
export async function openLedgerScene(program) {
  const root = mkdtempSync(join(tmpdir(), "torture-ledger-"));
  cpSync(program, join(root, "dist"), { recursive: true });
  for (const name of ["node_modules", "package.json", "assets", "schemas"])
    symlinkSync(join(repository, name), join(root, name));
  const door = await import(pathToFileURL(await bundleDoor(root, "ledger-door")).href);
  return { root, door, close: () => rmSync(root, { recursive: true, force: true }) };
}

/** A folder with an instance. `server`: the server of its experiments; absent for the embedded database. */
export class LedgerInstance {
  #door;
  #words;
  #environment;
  #address;
  #log;

  constructor({ root, door }, name, server) {
    this.folder = join(root, name);
    this.#door = door;
    this.#words = [process.execPath, join(root, "dist/cli.js")];
    this.#environment = { USER: "torture", ...server?.environment, ...(server ? { PERFKEEP_DB: server.url } : {}) };
    this.#address = server?.url;
    this.#log = join(root, `${name}.strace`);
    this.isEmbedded = server === undefined;
    mkdirSync(join(this.folder, ".perun"), { recursive: true });
    writeDescriptions(this.folder);
  }

  run(words) {
    return run([...this.#words, ...words], this.folder, this.#environment);
  }

  kill(words, milliseconds) {
    return runAndKill([...this.#words, ...words], this.folder, milliseconds, this.#environment);
  }

  /** Kills at one of the calls returned by `calls`. */
  killAt(words, { call, when }) {
    const fault = { call, fault: "signal=KILL", when, threads: true };
    return runWithFault([...this.#words, ...words], this.folder, this.#log, fault, {
      ...this.#environment,
      ...oneWorker,
    });
  }

  /** Runs to the end. Also returns the calls on the store. */
  calls(words) {
    return callsOfThreads([...this.#words, ...words], this.folder, this.#log, { ...this.#environment, ...oneWorker });
  }

  /** Damages the embedded database: `statementFor` gets the name of the row table. */
  async tamper(statementFor) {
    const engine = await this.#door.duckdb.open(join(this.folder, ".perun/experiments.duckdb"), "write", 5000);
    try {
      const [[id]] = this.#door.rowsOf(await engine.query("select id from experiment"));
      await engine.execute(statementFor(this.#door.dataTable(id)));
    } finally {
      await engine.close();
    }
  }

  /**
   * The state of the experiment (see `acts`), the numbers of its runs, and a digest over all its values (of all tables
   * for an embedded database).
   */
  async look() {
    const path = this.#address ?? join(this.folder, ".perun/experiments.duckdb");
    const plugin = this.isEmbedded ? this.#door.duckdb : this.#door.postgres;
    const engine = await plugin.open(path, "read", 5000, this.#environment);
    try {
      const objects = new this.#door.Objects(
        join(this.folder, ".perun/objects"),
        join(this.folder, ".perun/quarantine"),
      );
      const experiments = new this.#door.Experiments(engine, objects);
      const stored = await experiments.find(experiment);
      const digest = this.isEmbedded
        ? await tablesDigest(engine, this.#door.rowsOf)
        : await experiments.contentsDigest(stored);
      const runs = await experiments.runs(stored, true);
      return { state: await stateOf(experiments, stored, runs), numbers: runs.map((each) => each.number), digest };
    } finally {
      await engine.close();
    }
  }
}

async function stateOf(experiments, stored, summaries) {
  const runs = summaries.map(({ sources, rows, active }) => ({
    path: sources.map(({ path }) => path).join(),
    rows,
    isActive: active,
  }));
  const attachments = (await experiments.attachments(stored)).map(({ name }) => name);
  const { synopsis, variables } = stored.experiment;
  return { synopsis, variables: variables.map(({ name }) => name), runs, attachments };
}

/** A digest of the rows of all tables, independent of their order. */
async function tablesDigest(engine, rowsOf) {
  const tables = await engine.query(
    "select table_name from information_schema.tables where table_schema = 'main' order by 1",
  );
  const digests = [];
  for (const [name] of rowsOf(tables))
    digests.push([
      name,
      ...rowsOf(await engine.query(`select count(*), cast(sum(hash(t)) as varchar) from ${name} t`))[0],
    ]);
  return JSON.stringify(digests);
}
