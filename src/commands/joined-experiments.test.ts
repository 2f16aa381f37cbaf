import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rowsOf } from "../core/table.ts";
import { duckdb } from "../plugins/engines/duckdb.ts";
import type { ImportReplay } from "../store/rebuild.ts";
import type { JoinedExperiments } from "../store/experiment-history/join-experiments.ts";
import { KnownChanges } from "../store/experiment-history/known-changes.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import { openRegistry } from "../workspace/registry.ts";
import { Workspace } from "../workspace/workspace.ts";
import { createExperiment } from "./create-experiment.ts";
import { replayImport } from "./import-replay.ts";
import { importFiles } from "./import.ts";
import { rebuildExperiments } from "./rebuild.ts";

let folder: string;
let clock = 1_700_000_000_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-joined-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Somebody with an instance, who tells and is told changes. */
class Person {
  readonly home: string;
  readonly workspace: Workspace;

  constructor(name: string) {
    this.home = join(folder, name);
    mkdirSync(join(this.home, ".perun", "objects"), { recursive: true });
    const environment = { HOME: this.home, USER: name };
    const now = (): number => (clock += 1000);
    this.workspace = new Workspace({ directory: this.home, environment, now, random: () => 0.5, command: "test" });
  }

  write(name: string, text: string): string {
    writeFileSync(join(this.home, name), text);
    return name;
  }

  create(text: string): Promise<unknown> {
    return createExperiment(this.workspace, { file: this.write("new.exp", text) });
  }

  async import(name: string, text: string, experiment = "ping"): Promise<number[]> {
    const description = { file: this.write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n") };
    const result = await importFiles(this.workspace, { experiment, inputs: [{ description, files: [this.write(name, text)] }] });
    return result.runs.map(({ run = 0 }) => run);
  }

  /** Tells and is told by `other`: both know the same then. */
  async meet(other: Person): Promise<void> {
    for (const each of [this, other]) await each.#tell();
    for (const [from, to] of [[this, other] as const, [other, this] as const]) {
      cpSync(join(from.home, ".perun", "objects"), join(to.home, ".perun", "objects"), { recursive: true, force: false });
      const [theirs, ours] = [from.#known(), to.#known()];
      for (const uid of theirs.experiments()) ours.add(theirs.of(uid).values());
    }
  }

  async #tell(): Promise<void> {
    const known = this.#known();
    await withExperiments(this.workspace, experimentHome(this.workspace), "write", (all) => all.tellChanges(known, (clock += 1000) * 1000));
  }

  #known(): KnownChanges {
    return new KnownChanges(join(this.home, ".perun", "share", "experiments"));
  }

  join(): Promise<JoinedExperiments> {
    const home = experimentHome(this.workspace);
    const replay: ImportReplay = (stored, change, writer) =>
      replayImport(writer, stored, change, { registry: openRegistry(), objects: home.objects });
    const how = { replay, replayOthers: replay, owner: "me" };
    return withExperiments(this.workspace, home, "write", (all) => all.joinChanges(this.#known(), (clock += 1000) * 1000, how));
  }

  /** Digests of the contents of all experiments by their names. */
  contents(): Promise<Record<string, string>> {
    return withExperiments(this.workspace, experimentHome(this.workspace), "read", async (all) => {
      const found: Record<string, string> = {};
      for (const { name } of await all.list()) found[name] = await all.contentsDigest(await all.find(name));
      return found;
    });
  }

  rows(experiment = "ping"): Promise<string[]> {
    return withExperiments(this.workspace, experimentHome(this.workspace), "read", async (all) => {
      const stored = await all.find(experiment);
      const runs = await all.runs(stored, false);
      return runs.map(({ number, sources, dataSets }) => `${number} ${sources.map(({ path }) => path).join()} ${dataSets}`);
    });
  }

  /** Every row of every table but the ledger. */
  async tables(): Promise<Record<string, string[]>> {
    const engine = await duckdb.open(join(this.home, ".perun", "experiments.duckdb"), "read");
    const tables = await engine.query("select table_name from information_schema.tables where table_schema = 'main' order by 1");
    const found: Record<string, string[]> = {};
    for (const name of rowsOf(tables).map(([each]) => each as string)) {
      const rows = rowsOf(await engine.query(`select * from ${name}`));
      found[name] = rows.map((row) => JSON.stringify(row, (_, cell: unknown) => (typeof cell === "bigint" ? `${cell}` : cell))).sort();
    }
    await engine.close();
    return found;
  }
}

const ping = "*experiment ping\n*parameter size int Byte\n*result time float us\n";

/** Everybody knows everything and made it so. */
async function settle(...people: Person[]): Promise<void> {
  for (const one of people) for (const other of people) if (one !== other) await one.meet(other);
  for (const one of people) await one.join();
}

test("runs that both imported get numbers that both give them, and a file of both is one run", async () => {
  const [ann, bob] = [new Person("ann"), new Person("bob")];
  await ann.create(ping);
  await settle(ann, bob);
  await bob.import("b.txt", "8 3.5\n");
  await bob.import("same.txt", "8 7\n");
  await ann.import("same.txt", "8 7\n");
  await ann.import("a.txt", "8 1.5\n");
  await ann.meet(bob);
  const joined = await bob.join();
  expect(joined.experiments[0]).toMatchObject({ numbers: [{ before: 1, after: 3 }, { before: 2 }], left: [] });
  await ann.join();
  expect(await ann.rows()).toEqual(["1 same.txt 1", "2 a.txt 1", "3 b.txt 1"]);
  expect(await bob.contents()).toEqual(await ann.contents());
  expect(await bob.import("c.txt", "8 9\n")).toEqual([4]);
  const before = await bob.tables();
  await rebuildExperiments(bob.workspace, {});
  expect(await bob.tables()).toEqual(before);
  await settle(ann, bob);
  expect(await ann.rows()).toEqual(["1 same.txt 1", "2 a.txt 1", "3 b.txt 1", "4 c.txt 1"]);
});
