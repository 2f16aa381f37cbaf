import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { columnValues } from "../../../test/contracts/engine.ts";
import { duckdb } from "./duckdb.ts";
import type { Engine } from "./engine.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-instance-"));
  path = join(folder, "experiments.duckdb");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = "select current_setting('memory_limit') || ' ' || current_setting('temp_directory') as settings";

async function using<T>(mode: "read" | "write", work: (engine: Engine) => Promise<T>, url = path): Promise<T> {
  const engine = await duckdb.open(url, mode);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

const settingsOf = (mode: "read" | "write") =>
  using(mode, async (engine) => columnValues(await engine.query(settings), 0)[0]);

const insert = (engine: Engine) => engine.execute("create or replace table t as select 1 as n");

it("gives a reader and a writer their own settings, in any order", async () => {
  const writing = await settingsOf("write");
  const reading = await settingsOf("read");
  expect(writing).toMatch(/^4\d\.\d MiB .*experiments\.duckdb\.tmp$/);
  expect(reading).not.toMatch(/^4\d\.\d MiB/);
  expect([await settingsOf("write"), await settingsOf("read"), await settingsOf("read")]).toEqual([
    writing,
    reading,
    reading,
  ]);
});

it("unlocks a file when it is closed", async () => {
  await using("write", insert);
  const script = `
    import duckdb from "@duckdb/node-bindings";
    const database = await duckdb.open(${JSON.stringify(path)});
    await duckdb.query(await duckdb.connect(database), "insert into t values (2)");`;
  const other = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(other.stderr).toBe("");
  const sum = await using("read", (engine) => engine.query("select sum(n) as sum from t"));
  expect(columnValues(sum, 0)).toEqual([3]);
});

it("opens a file after one whose statements must not read files", async () => {
  await using("write", insert);
  await using("read", (engine) => engine.forbidFiles());
  await using("write", insert);
});

it("opens a file that is being closed", async () => {
  await using("write", insert);
  const first = await duckdb.open(path, "read");
  const closing = first.close();
  await using("write", insert);
  await closing;
});

it("removes the folder of rows that did not fit into memory", async () => {
  const spill = async (engine: Engine): Promise<void> => {
    await insert(engine);
    await engine.execute("set memory_limit = '24MB'");
    const sorted = "select md5(cast(range as varchar)) as h from range(1000000) order by h";
    await engine.execute(`create temp table sorted as ${sorted}`);
    expect(readdirSync(folder)).toContain("experiments.duckdb.tmp");
  };
  await using("write", spill);
  expect(readdirSync(folder)).toEqual(["experiments.duckdb"]);
});

it("keeps files apart that are open at once", async () => {
  const other = join(folder, "other.duckdb");
  await using("write", async (one) => {
    await insert(one);
    await using("write", (two) => two.execute("create table u as select 2 as n"), other);
    await using("read", (two) => expect(two.query("select n from t")).rejects.toThrow(/does not exist/), other);
  });
});
