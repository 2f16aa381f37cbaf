import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { createExperiment } from "../experiments/create-experiment.ts";
import { deleteExperiment } from "../experiments/delete-experiment.ts";
import { importFiles } from "../import/import.ts";
import { importReports } from "../import/import-reports.ts";
import { listExperiments } from "../experiments/list-experiments.ts";
import { rebuildDamaged } from "./rebuild-damaged.ts";
import { rebuildExperiments } from "./rebuild.ts";
import { fsck, recover } from "./store.ts";
import { undeleteExperiment } from "../experiments/undelete-experiment.ts";
import { updateExperiment } from "../experiments/update-experiment.ts";
import { plainImport } from "../../../test/fakes/import-rows.ts";

let folder: string;
let workspace: Workspace;
let database: string;
let clock = 1_700_000_000_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-rebuild-"));
  mkdirSync(join(folder, ".perun"));
  database = join(folder, ".perun", "experiments.duckdb");
  const world = {
    directory: folder,
    environment: { HOME: folder, USER: "ann" },
    now: () => (clock += 1000),
    random: () => 0.5,
    command: "test",
  };
  workspace = new Workspace(world);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

async function importFile(
  name: string,
  text: string,
  fixed: readonly (readonly [string, string])[] = [],
): Promise<void> {
  await importFiles(workspace, {
    experiment: "ping",
    inputs: [
      { description: { file: write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n") }, files: [write(name, text)] },
    ],
    fixed,
  });
}

/** Creates a history with every kind of change. */
async function live(): Promise<void> {
  const now = (): number => workspace.world.now() * 1000;
  await createExperiment(workspace, {
    file: write(
      "ping.exp",
      "*experiment ping\n*parameter size int Byte\n*result time float us\n*parameter host string - none once\n",
    ),
  });
  await createExperiment(workspace, {
    file: write("gone.exp", "*experiment gone\n*parameter a int\n*result b float\n"),
  });
  await importFile("a.txt", "8 1.5\n16 2.5\n", [["host", "alpha"]]);
  await importFile("b.txt", "8 3.5\n");
  await importFile("c.txt", "8 4.5\n");
  const home = experimentHome(workspace);
  await withExperiments(workspace, home, "write", async (experiments) => {
    const stored = await experiments.find("ping");
    await experiments.update(
      stored,
      {
        experiment: "ping",
        about: { synopsis: "s" },
        access: [],
        changes: [
          { kind: "alter", name: "size", newName: "volume" },
          { kind: "drop", name: "host" },
        ],
      },
      now(),
    );
  });
  await withExperiments(workspace, home, "write", async (experiments) => {
    const stored = await experiments.find("ping");
    await experiments.removeRuns(stored, [1, 2], now());
    await experiments.restoreRuns(stored, [1], false, now());
    await experiments.purgeRuns(stored, now());
    const { digest } = home.objects.put("attachment", "input", new TextEncoder().encode("TABLE size pos=1\n"));
    for (const name of ["one", "two"]) await experiments.attach(stored, { name, kind: "input", object: digest }, now());
    await experiments.detach(stored, "one", now());
    await experiments.storeParameterSet(stored, "set", new Map(), now());
    await experiments.storeParameterSet(stored, "other", new Map(), now());
    await experiments.deleteParameterSet(stored, "other", now());
  });
  await deleteExperiment(workspace, { experiment: "gone", target: { whole: true }, purge: true });
  await deleteExperiment(workspace, { experiment: "ping", target: { whole: true }, purge: false });
  await undeleteExperiment(workspace, { experiment: "ping", name: "pong", force: false });
}

/** All rows of all tables, sorted. */
async function allRows(): Promise<Record<string, string[]>> {
  const engine = await duckdb.open(database, "read");
  const tables = await engine.query(
    "select table_name from information_schema.tables where table_schema = 'main' order by 1",
  );
  const found: Record<string, string[]> = {};
  for (const name of rowsOf(tables).map(([each]) => each as string)) {
    const table = await engine.query(`select * from ${name}`);
    const names = table.variables.map((variable) => variable.name).join();
    found[name] = [
      names,
      ...rowsOf(table)
        .map((row) => JSON.stringify(row, (_, cell: unknown) => (typeof cell === "bigint" ? `${cell}` : cell)))
        .sort(),
    ];
  }
  await engine.close();
  return found;
}

test("replays an import with the options of its format", async () => {
  const file = write("table.csv", "case,n,time_ms\na,1,2\nb,2,3\nc,3,4\n");
  await importReports(workspace, { experiment: "t", files: [file], params: new Map([["parameters", "n"]]) });
  const before = await allRows();
  expect(before["variable"]?.filter((row) => row.includes('"n"') && row.includes('"parameter"'))).toHaveLength(1);
  await rebuildExperiments(workspace, {});
  expect(await allRows()).toEqual(before);
  // Without the option the row would have another variable here.
  await expect(
    importReports(workspace, { experiment: "u", files: [file], params: new Map([["parameter", "n"]]) }),
  ).rejects.toMatchObject({
    message: "importer csv has no option 'parameter', did you mean parameters?",
  });
});

test("rebuilds the same database, whether it is intact, damaged, lost, or of a newer layout", async () => {
  await live();
  const before = await allRows();
  expect(before["run"]).toHaveLength(3);
  const whole = await rebuildExperiments(workspace, {});
  expect(whole.backup).toBe(join(folder, ".perun", "quarantine", "experiments.duckdb-0"));
  expect(await allRows()).toEqual(before);
  writeFileSync(database, "no database any more".repeat(1000));
  await rebuildExperiments(workspace, {});
  expect(await allRows()).toEqual(before);
  rmSync(database);
  const lost = await rebuildExperiments(workspace, {});
  expect(lost).toMatchObject({ database, changes: before["ledger"] ? before["ledger"].length - 1 : 0 });
  expect(lost.backup).toBeUndefined();
  expect(await allRows()).toEqual(before);
  const engine = await duckdb.open(database, "write");
  await engine.execute("update schema_version set version = 999");
  await engine.close();
  await expect(listExperiments(workspace, {})).rejects.toMatchObject({ code: "database-newer" });
  const newer = await rebuildExperiments(workspace, {});
  expect(existsSync(newer.backup ?? "")).toBe(true);
  expect(await allRows()).toEqual(before);
  expect(readdirSync(join(folder, ".perun")).filter((name) => name.includes("rebuilt"))).toEqual([]);
});

test("runs after a rebuild get new numbers", async () => {
  await live();
  await rebuildExperiments(workspace, {});
  expect(await nextNumber()).toBe(4);
});

/** Number of a newly imported run. */
function nextNumber(): Promise<number | undefined> {
  return withExperiments(workspace, experimentHome(workspace), "write", async (experiments) => {
    const stored = await experiments.find("pong");
    return experiments.import(stored, 1, plainImport, async (writer) => {
      writer.begin();
      await writer.end(new Map(), { created: 1, performed: 1 });
      return (await writer.finish())[0];
    });
  });
}

test("spent run numbers stay spent", async () => {
  await live();
  await withExperiments(workspace, experimentHome(workspace), "write", async (experiments) => {
    await experiments.spendRunNumbers(await experiments.find("pong"), 2, 5);
  });
  const before = await allRows();
  await rebuildExperiments(workspace, {});
  expect(await allRows()).toEqual(before);
  expect(await nextNumber()).toBe(6);
});

test("reports all missing objects and replaces nothing", async () => {
  await live();
  const before = await allRows();
  const home = experimentHome(workspace);
  const runs = await withExperiments(workspace, home, "read", async (all) => all.runs(await all.find("pong"), false));
  const objects = runs.flatMap(({ sources }) => sources.map(({ object }) => object));
  for (const object of objects) rmSync(join(folder, ".perun", "objects", object.slice(0, 2), object.slice(2)));
  const refused = rebuildExperiments(workspace, {});
  await expect(refused).rejects.toMatchObject({ code: "ledger-lost", exit: 1 });
  expect(objects).toHaveLength(2);
  for (const object of objects) await expect(refused).rejects.toThrow(object);
  expect(await allRows()).toEqual(before);
  expect(existsSync(join(folder, ".perun", "quarantine"))).toBe(false);
});

test("refuses to lose an experiment that is older than the ledger", async () => {
  await live();
  const engine = await duckdb.open(database, "write");
  await engine.execute("insert into experiment select * replace (70 as id, 'old' as name_key) from experiment limit 1");
  await engine.execute("create table data_70 (run bigint, ordinal bigint)");
  await engine.close();
  await expect(rebuildExperiments(workspace, {})).rejects.toThrow("experiment 'pong' is not in its ledger");
});

test("fails without a ledger, and with several unless one is selected", async () => {
  await expect(rebuildExperiments(workspace, {})).rejects.toMatchObject({ code: "ledger-lost" });
  await createExperiment(workspace, { file: write("a.exp", "*experiment a\n*parameter a int\n*result b float\n") });
  await createExperiment(workspace, { file: "a.exp", database: "other.duckdb" });
  for (const path of [database, `${database}.head`, join(dirname(database), "run", "heads")])
    rmSync(path, { recursive: true });
  await expect(rebuildExperiments(workspace, {})).rejects.toThrow(/several databases/);
  const id =
    /several databases: (\S+)/.exec(
      String(await rebuildExperiments(workspace, {}).catch((error: unknown) => error)),
    )?.[1] ?? "";
  expect(await rebuildExperiments(workspace, { ledger: id })).toMatchObject({ changes: 1 });
});

test("rebuilds a lost database although another one has replaced it", async () => {
  await createExperiment(workspace, { file: write("a.exp", "*experiment a\n*parameter a int\n*result b float\n") });
  rmSync(database);
  await createExperiment(workspace, { file: write("b.exp", "*experiment b\n*parameter a int\n*result b float\n") });
  const names = async (): Promise<string[]> => (await listExperiments(workspace, {})).map(({ name }) => name);
  expect(await names()).toEqual(["b"]);
  const refusal: unknown = await rebuildExperiments(workspace, { ledger: "nosuch" }).catch((error: unknown) => error);
  const [first, second] = (isFailure(refusal) ? `${refusal.message} ${refusal.remedy}` : "").match(
    /\b\S+(?= \(1 change of [ab], last \d{4}-)/g,
  ) as [string, string];
  const found: string[][] = [];
  for (const ledger of [first, second]) {
    expect(await rebuildExperiments(workspace, { ledger })).toMatchObject({
      changes: 1,
      backup: expect.stringContaining("quarantine"),
    });
    found.push(await names());
  }
  expect(found.flat().sort()).toEqual(["a", "b"]);
});

test("an update changes an experiment to its description unless it is a dry run", async () => {
  await createExperiment(workspace, {
    file: write("ping.exp", "*experiment ping\n*parameter size int Byte\n*result time float us\n"),
  });
  write(
    "new.exp",
    "*experiment ping\nround trips\n*parameter size int Byte\n*result time float us\n*result loss float\n",
  );
  const planned = await updateExperiment(workspace, { file: "new.exp", dryRun: true });
  expect([planned.stored, planned.after.variables.length]).toEqual([false, 3]);
  const find = (): Promise<number> =>
    withExperiments(
      workspace,
      experimentHome(workspace),
      "read",
      async (all) => (await all.find("ping")).experiment.variables.length,
    );
  expect(await find()).toBe(2);
  await updateExperiment(workspace, { file: "new.exp", dryRun: false });
  expect(await find()).toBe(3);
});

/** Flips a byte in the middle of a block. */
function tear(block: number): void {
  const bytes = readFileSync(database);
  const at = 3 * 4096 + block * 262_144 + 100;
  bytes[at] = ~(bytes[at] ?? 0);
  writeFileSync(database, bytes);
}

/** A workspace that rebuilds, and its warnings. */
function recovering(): { readonly warnings: string[]; open(): Workspace } {
  const warnings: string[] = [];
  const world = { ...workspace.world, warn: (text: string) => void warnings.push(text) };
  return { warnings, open: () => new Workspace(world, undefined, rebuildDamaged) };
}

test("a database that cannot be opened is rebuilt once, by the first of several commands", async () => {
  await live();
  const rows = await allRows();
  tear(0);
  expect((await fsck(workspace)).problems).toMatchObject([{ code: "database-damaged", path: "experiments.duckdb" }]);
  const { warnings, open } = recovering();
  const lists = await Promise.all([listExperiments(open(), {}), listExperiments(open(), {})]);
  expect(lists.map((list) => list.map(({ name }) => name))).toEqual([["pong"], ["pong"]]);
  expect(warnings).toEqual([expect.stringMatching(/was damaged and has been rebuilt from its ledger \(\d+ changes\)/)]);
  expect(readdirSync(join(folder, ".perun", "quarantine"))).toEqual(["experiments.duckdb-0"]);
  expect(await allRows()).toEqual(rows);
  expect((await fsck(workspace)).problems).toEqual([]);
});

test("recover rebuilds a database with damage that no statement reads", async () => {
  await live();
  const rows = await allRows();
  const last = Math.floor((readFileSync(database).length - 3 * 4096) / 262_144) - 1;
  tear(last);
  const { warnings, open } = recovering();
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  await recover(open());
  expect(warnings).toHaveLength(1);
  expect(await allRows()).toEqual(rows);
  await recover(open());
  expect(warnings).toHaveLength(1);
});

test("a damaged database without its ledger stays, and the reason is given", async () => {
  await live();
  rmSync(join(folder, ".perun", "objects"), { recursive: true });
  tear(0);
  const bytes = readFileSync(database);
  await expect(listExperiments(recovering().open(), {})).rejects.toMatchObject({
    code: "database-damaged",
    data: { reason: expect.stringContaining("cannot be rebuilt") },
  });
  expect(readFileSync(database).equals(bytes)).toBe(true);
});
