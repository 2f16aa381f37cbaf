import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import { migrate } from "../../store/schema/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { attach } from "../experiments/attach.ts";
import { createExperiment } from "../experiments/create-experiment.ts";
import { importFiles } from "../import/import.ts";
import { checkDatabase } from "./check-database.ts";
import { rebuildDamaged } from "./rebuild-damaged.ts";
import { rebuildExperiments } from "./rebuild.ts";

let folder: string;
let workspace: Workspace;
let database: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-check-"));
  mkdirSync(join(folder, ".perun"));
  database = join(folder, ".perun", "experiments.duckdb");
  let clock = 1_700_000_000_000;
  workspace = new Workspace({
    directory: folder,
    environment: { HOME: folder, USER: "ann" },
    now: () => (clock += 1000),
    random: () => 0.5,
    command: "test",
  });
  const file = write("ping.exp", "*experiment ping\n*parameter size int Byte\n*result time float us\n");
  await createExperiment(workspace, { file });
  const description = write("ping.inp", "TABLE size pos=1\nTABLE time pos=2\n");
  const files = [write("a.txt", "8 0\n16 2.5\n"), write("b.txt", "8 3.5\n")];
  await importFiles(workspace, { experiment: "ping", inputs: [{ description: { file: description }, files }] });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

async function execute(...statements: readonly string[]): Promise<void> {
  const engine = await duckdb.open(database, "write");
  for (const statement of statements) await engine.execute(statement);
  await engine.close();
}

async function messages(): Promise<string[]> {
  return (await checkDatabase(workspace)).map(({ message }) => message);
}

const anyTime = "update experiment set modified = modified + interval 1 microsecond";

test.each([
  ["a value", "update data_1 set p_2 = 4 where run = 2", /data_1 of 'ping' has other rows .* for 1 run: 2 /],
  [
    "a sign of zero",
    "update data_1 set p_2 = 7 where p_2 = 0; update data_1 set p_2 = cast('-0' as double) where p_2 = 7",
    /data_1 of 'ping' .* 1 run: 1 /,
  ],
  ["a missing row", "delete from data_1 where p_1 = 16", /data_1 of 'ping' .* 1 run: 1 /],
  ["a run of another number", "update once_1 set run = 9 where run = 2", /once_1 of 'ping' .* 2 runs: 2, 9 /],
  ["the catalogue", anyTime, /the table experiment has other rows than its ledger gives/],
  ["a unit", "update variable set unit = 'Bype' where name = 'size'", /the table variable has other rows/],
  ["a run without its experiment", "update run set experiment = 7 where number = 1", /the table run has other rows/],
  ["a column", "alter table data_1 add column p_9 bigint", /data_1 of 'ping' has other columns/],
  ["a table", "create table data_8 (run bigint)", /the table data_8 is not in its ledger/],
  ["a missing table", "drop table claim", /the table claim is missing/],
])("finds damage of %s, and a rebuild repairs it", async (_, statement, message) => {
  expect(await messages()).toEqual([]);
  await execute(...statement.split("; "));
  expect(await messages()).toEqual([expect.stringMatching(message)]);
  await rebuildExperiments(workspace, {});
  expect(await messages()).toEqual([]);
});

test("finds a sequence that would repeat numbers, and accepts one that skips some", async () => {
  await execute("drop sequence run_numbers_1", "create sequence run_numbers_1 start with 2");
  expect(await messages()).toEqual([expect.stringContaining("run_numbers_1 would give numbers again")]);
  await execute("drop sequence run_numbers_1", "create sequence run_numbers_1 start with 20");
  expect(await messages()).toEqual([]);
});

test.each([
  [
    "an object",
    "update ledger set object = concat(if(object like 'a%', 'b', 'a'), substr(object, 2)) where number = 1",
    /entry of its ledger is lost/,
  ],
  ["the order", "update ledger set number = 3 - number", /entry 1 .* is not object|last change/],
  [
    "a time",
    "update ledger set created = created + interval 1 microsecond where number = 2",
    /entry 2 .* is not object/,
  ],
  ["an entry", "delete from ledger where number = 2", /lists 1 of 2 changes/],
  ["the head", "update ledger_head set object = null", /the last change of its ledger is not/],
  ["the id", "update ledger_head set database = 'x'", /entry 1 .* is not object/],
])("finds damage of the ledger's list in %s, and a rebuild repairs it", async (_, statement, message) => {
  await execute(statement);
  const found = await checkDatabase(workspace);
  expect(found[0]).toMatchObject({ code: "ledger-broken", message: expect.stringMatching(message) });
  expect(await rebuildExperiments(workspace, {})).toMatchObject({
    changes: 2,
    listDamage: expect.stringMatching(message),
  });
  expect(await messages()).toEqual([]);
});

test("prefers the last entry of a damaged list to one that a failed change has left", async () => {
  await execute("create table kept as select * from ledger", "create table kept_head as select * from ledger_head");
  await withExperiments(workspace, experimentHome(workspace), "write", async (all) =>
    all.remove(await all.find("ping"), workspace.world.now() * 1000),
  );
  await execute(
    "delete from ledger",
    "insert into ledger select * from kept",
    "update ledger set kind = 'x' where number = 1",
    "delete from ledger_head",
    "insert into ledger_head select * from kept_head",
    "update experiment set deleted = null, name_key = 'ping'",
    "drop table kept",
    "drop table kept_head",
  );
  rmSync(`${database}.head`);
  expect(await rebuildExperiments(workspace, {})).toMatchObject({ changes: 2 });
});

test("finds objects that a rebuild would lack", async () => {
  await attach(workspace, { experiment: "ping", file: "ping.inp", name: "one" });
  expect(await messages()).toEqual([]);
  const { objects } = experimentHome(workspace);
  const engine = await duckdb.open(database, "read");
  const listed = await engine.query("select object from source union all select object from attachment");
  await engine.close();
  const { dictionary } = listed.columns[0] as { readonly dictionary: readonly string[] };
  for (const object of dictionary) rmSync(join(objects.folder, object.slice(0, 2), object.slice(2)));
  expect(await checkDatabase(workspace)).toMatchObject([{ code: "ledger-lost" }]);
});

test("compares a copy of a database with an older layout, which stays as it is", async () => {
  await execute("update schema_version set version = version - 1", "checkpoint");
  const bytes = readFileSync(database);
  expect(await messages()).toEqual([]);
  await execute("update data_1 set p_2 = 4 where run = 2");
  expect(await messages()).toEqual([expect.stringContaining("for 1 run: 2")]);
  await execute("update data_1 set p_2 = 3.5 where run = 2");
  expect(readFileSync(database).length).toBe(bytes.length);
  expect(readdirSync(join(folder, ".perun")).sort()).toEqual([
    "experiments.duckdb",
    "experiments.duckdb.head",
    "objects",
  ]);
});

test.each([
  ["unit", "Bype"],
  ["type", "flodt"],
  ["role", "rfsult"],
  ["occurrence", "multiplf"],
  ["fallback", "nonf"],
  ["better", "lowes"],
])("the %s '%s' of a variable is damage, and the database is rebuilt", async (column, word) => {
  await execute(`update variable set ${column} = '${word}' where name = 'time'`);
  const warnings: string[] = [];
  const world = { ...workspace.world, warn: (text: string) => void warnings.push(text) };
  const recovering = new Workspace(world, undefined, rebuildDamaged);
  const find = (): Promise<unknown> =>
    withExperiments(recovering, experimentHome(recovering), "read", (all) => all.find("ping"));
  await expect(find()).rejects.toMatchObject({ code: "database-rebuilt" });
  await find();
  expect(warnings).toHaveLength(1);
  expect(await messages()).toEqual([]);
});

test("a database without changes is no damage", async () => {
  rmSync(database);
  rmSync(join(folder, ".perun", "objects"), { recursive: true });
  const engine = await duckdb.open(database, "write");
  await migrate(engine);
  await engine.close();
  expect(await messages()).toEqual([]);
});
