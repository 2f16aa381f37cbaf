import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import { appendChange } from "../../store/ledger/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { createExperiment } from "../experiments/create-experiment.ts";
import { importFiles } from "../import/import.ts";
import { checkDatabase } from "./check-database.ts";
import { rebuildDamaged } from "./rebuild-damaged.ts";
import { rebuildExperiments } from "./rebuild.ts";
import { recover } from "./store.ts";

let folder: string;
let workspace: Workspace;
let database: string;
let head: string;
let warnings: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-earlier-"));
  mkdirSync(join(folder, ".perun"));
  database = join(folder, ".perun", "experiments.duckdb");
  head = `${database}.head`;
  warnings = [];
  let clock = 1_700_000_000_000;
  const world = {
    directory: folder,
    environment: { HOME: folder, USER: "ann" },
    now: () => (clock += 1000),
    random: () => 0.5,
    command: "test",
    warn: (text: string) => void warnings.push(text),
  };
  workspace = new Workspace(world, undefined, rebuildDamaged);
  writeFileSync(join(folder, "ping.exp"), "*experiment ping\n*parameter size int Byte\n*result time float us\n");
  writeFileSync(join(folder, "ping.inp"), "TABLE size pos=1\nTABLE time pos=2\n");
  await createExperiment(workspace, { file: "ping.exp" });
  await importRows("a.txt", "8 0\n16 2.5\n");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function importRows(file: string, rows: string): Promise<void> {
  writeFileSync(join(folder, file), rows);
  const inputs = [{ description: { file: "ping.inp" }, files: [file] }];
  await importFiles(workspace, { experiment: "ping", inputs });
}

/** Imports another file, after which the database returns to the state before it. */
async function loseAnImport(): Promise<void> {
  copyFileSync(database, join(folder, "earlier"));
  await importRows("b.txt", "8 3.5\n");
  copyFileSync(join(folder, "earlier"), database);
}

async function runs(mode: "read" | "write" = "read"): Promise<number[]> {
  return withExperiments(workspace, experimentHome(workspace), mode, async (all) =>
    (await all.runs(await all.find("ping"), false)).map(({ number }) => number),
  );
}

async function found(): Promise<string[]> {
  return (await checkDatabase(workspace)).map(({ code, message }) => `${code}: ${message}`);
}

const lacksOne = [expect.stringMatching(/^changes-lost: it lacks 1 change .* up to number 3; perfkeep rebuild/)];

test.each(["read", "write"] as const)("opening an earlier state to %s rebuilds the database", async (mode) => {
  await loseAnImport();
  expect(await found()).toEqual(lacksOne);
  expect(await runs(mode)).toEqual([1, 2]);
  expect(warnings).toEqual([expect.stringMatching(/was damaged and has been rebuilt from its ledger \(3 changes\)/)]);
  expect(await runs()).toEqual([1, 2]);
  expect([await found(), warnings.length]).toEqual([[], 1]);
});

test("so do a rebuild and recover", async () => {
  await loseAnImport();
  expect(await rebuildExperiments(workspace, {})).toMatchObject({ changes: 3 });
  expect([await found(), await runs()]).toEqual([[], [1, 2]]);
  copyFileSync(join(folder, "earlier"), database);
  spawnSync("git", ["init", "--quiet", folder]);
  await recover(new Workspace(workspace.world, undefined, rebuildDamaged));
  expect([await found(), warnings.length]).toEqual([[], 1]);
});

test("a header that names the state before the last change is found", async () => {
  await importRows("b.txt", "8 3.5\n");
  const file = readFileSync(database);
  const [one, other] = [1, 2].map((at) => file.subarray(at * 4096, (at + 1) * 4096)) as [Buffer, Buffer];
  const [older, newer] = one.readBigUInt64LE(8) < other.readBigUInt64LE(8) ? [one, other] : [other, one];
  older.copy(newer);
  for (const [header, number] of [
    [older, 8n],
    [newer, 9n],
  ] as const) {
    header.writeBigUInt64LE(number, 8);
    let sum = 5381n;
    for (let word = 8; word < header.length; word += 8)
      sum ^= (header.readBigUInt64LE(word) * 0xbf58476d1ce4e5b9n) % 2n ** 64n;
    header.writeBigUInt64LE(sum, 0);
  }
  writeFileSync(database, file);
  expect(await found()).toEqual(lacksOne);
  expect(await runs()).toEqual([1, 2]);
});

test("a change that was killed before its end is no loss", async () => {
  const engine = await duckdb.open(database, "write");
  const { objects } = experimentHome(workspace);
  const killed = engine.transaction(async () => {
    await appendChange(engine, objects, 1, { kind: "delete-experiment" }, 1_700_000_009_000_000);
    throw new Error("killed");
  });
  await expect(killed).rejects.toThrow("killed");
  await engine.close();
  expect([await found(), await runs()]).toEqual([[], [1]]);
  await importRows("b.txt", "8 3.5\n");
  // The entry of the killed change has the same number, and a later time.
  rmSync(database);
  expect(await rebuildExperiments(workspace, {})).toMatchObject({ changes: 3 });
  expect([await found(), await runs(), warnings]).toEqual([[], [1, 2], []]);
});

test("a database of an earlier version, which recorded nothing, is in order and gets a record", async () => {
  rmSync(head);
  expect([await found(), await runs()]).toEqual([[], [1]]);
  await loseAnImport();
  expect(await found()).toEqual(lacksOne);
});

test("a user may copy an earlier state of another database back", async () => {
  const other = { database: "other.duckdb" };
  await createExperiment(workspace, { file: "ping.exp", ...other });
  copyFileSync(join(folder, "other.duckdb"), join(folder, "earlier"));
  const inputs = [{ description: { file: "ping.inp" }, files: ["a.txt"] }];
  await importFiles(workspace, { experiment: "ping", inputs, ...other });
  copyFileSync(join(folder, "earlier"), join(folder, "other.duckdb"));
  const open = (): Promise<unknown> =>
    withExperiments(workspace, experimentHome(workspace, "other.duckdb"), "read", async (all) =>
      all.runs(await all.find("ping"), false),
    );
  expect(await open()).toEqual([]);
  await rebuildExperiments(workspace, other);
  expect([await open(), warnings]).toEqual([[], []]);
});

test("an earlier version may have changed the database since", async () => {
  const record = readFileSync(head);
  await importRows("b.txt", "8 3.5\n");
  writeFileSync(head, record);
  expect([await found(), await runs(), warnings]).toEqual([[], [1, 2], []]);
});

test("a change that others have replaced, and one whose entry is lost, are reported; the rest is usable", async () => {
  await loseAnImport();
  const record = readFileSync(head, "utf8");
  rmSync(head);
  await importRows("c.txt", "8 4.5\n");
  writeFileSync(head, record);
  expect(await found()).toEqual([expect.stringMatching(/^changes-lost: it lacks 1 change .* others followed/)]);
  writeFileSync(head, record.replace(" 3 ", " 9 "));
  expect(await found()).toEqual([
    expect.stringMatching(/^changes-lost: change 9, .* is lost: object .* another entry/),
  ]);
  writeFileSync(head, record.replace(/ 3 \w+/, ` 9 ${"0".repeat(40)}`));
  expect(await found()).toEqual([expect.stringMatching(/^changes-lost: change 9, .* is lost: .* not in the store/)]);
  expect([await runs(), warnings]).toEqual([[1, 2], []]);
  await rebuildExperiments(workspace, {});
  expect([await found(), await runs()]).toEqual([[], [1, 2]]);
});

test.each(["", "x 3", "a b c\n", "\0\0"])(
  "a damaged record %j is reported; the next change renews it",
  async (text) => {
    writeFileSync(head, text);
    expect(await found()).toEqual([expect.stringMatching(/^changes-lost: .*\.head.* is damaged/)]);
    expect(await runs()).toEqual([1]);
    await importRows("b.txt", "8 3.5\n");
    expect([await found(), warnings]).toEqual([[], []]);
  },
);

test("a change whose record cannot be written is stored, with a warning", async () => {
  rmSync(head);
  mkdirSync(head);
  await importRows("b.txt", "8 3.5\n");
  expect(await runs()).toEqual([1, 2]);
  expect(warnings).toEqual([expect.stringMatching(/^the change is stored, but .*\.head/)]);
});

test("of several ledgers, a rebuild of a lost or unreadable database takes the recorded one", async () => {
  const other = "other.duckdb";
  await createExperiment(workspace, { file: "ping.exp", database: other });
  expect(existsSync(join(folder, "other.duckdb.head"))).toBe(false);
  const damageAndOpen = async (): Promise<number[]> => {
    writeFileSync(join(folder, other), readFileSync(join(folder, other)).fill(1, 12_288));
    return withExperiments(workspace, experimentHome(workspace, other), "read", async (all) =>
      (await all.list()).map((each) => each.runs),
    );
  };
  const rebuilt = expect.stringMatching(/other.duckdb was damaged/);
  expect([await damageAndOpen(), warnings]).toEqual([[0], [rebuilt]]);
  // As if its first change had been killed before the record.
  rmSync(join(folder, ".perun", "run", "heads"), { recursive: true });
  expect([await damageAndOpen(), warnings]).toEqual([[0], [rebuilt, rebuilt]]);
  rmSync(database);
  expect(await rebuildExperiments(workspace, {})).toMatchObject({ changes: 2 });
  expect([await found(), await runs()]).toEqual([[], [1]]);
});
