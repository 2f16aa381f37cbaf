import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { columnValues, embeddedContract, engineContract, table } from "../../../test/contracts/engine.ts";
import { duckdb } from "./duckdb.ts";

async function makeScratch() {
  const folder = await mkdtemp(join(tmpdir(), "perfkeep-duckdb-"));
  return { url: join(folder, "experiments.duckdb"), remove: () => rm(folder, { recursive: true, force: true }) };
}

engineContract("duckdb", duckdb, makeScratch);
embeddedContract("duckdb", duckdb, makeScratch);

describe("a DuckDB database file", () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>>;
  beforeEach(async () => {
    scratch = await makeScratch();
  });
  afterEach(() => scratch.remove());

  it("is waited for while another process writes it, and names that process", async () => {
    const holder = await holdInAnotherProcess(scratch.url);
    await expect(duckdb.open(scratch.url, "read", 50)).rejects.toMatchObject({
      code: "database-busy",
      data: { pid: holder.pid },
    });
    const waiting = duckdb.open(scratch.url, "write");
    holder.kill("SIGKILL");
    const engine = await waiting;
    expect(columnValues(await engine.query("select n from t"), 0)).toEqual([1]);
    await engine.close();
  });

  it("keeps the small table of a join in memory, also in the transaction that fills the large one", async () => {
    const engine = await duckdb.open(scratch.url, "write");
    const plan = async (): Promise<string> => {
      const joined =
        "select large.b from large join small on small.a = large.a join runs on runs.a = large.a and runs.is_active";
      return JSON.stringify(columnValues(await engine.query(`explain (format json) ${joined}`), 1));
    };
    await engine.execute("create table runs as select i as a, true as is_active from range(20) r(i)");
    await engine.transaction(async () => {
      await engine.execute("create table large (a bigint, b double)");
      await engine.execute("create table small (a bigint)");
      await engine.execute("insert into large select i % 2, i from range(5000) r(i)");
      await engine.execute("insert into small values (0), (1)");
      // Of two joined tables the second one is kept.
      expect(await engine.joinsAsWritten?.(plan)).toMatch(/large.*small.*runs/);
    });
    await engine.close();
  });

  it("contains large commits immediately, without a write-ahead log", async () => {
    const engine = await duckdb.open(scratch.url, "write");
    await engine.execute("create table t (n bigint)");
    const numbers = Array.from({ length: 20_000 }, (_, n) => (n * 7919) % 10_007);
    await engine.transaction(() => engine.append("t", ["n"], table([["n", "integer", numbers]])));
    const copy = `${scratch.url}-copy`;
    await copyFile(scratch.url, copy);
    await engine.close();
    const reader = await duckdb.open(copy, "read");
    expect(columnValues(await reader.query("select count(*) as rows from t"), 0)).toEqual([20_000]);
    await reader.close();
  });

  it("stores tables of hundreds of columns", async () => {
    const engine = await duckdb.open(scratch.url, "write");
    const names = Array.from({ length: 300 }, (_, at) => `n${at}`);
    await engine.execute(`create table t (${names.map((name) => `${name} double`).join(", ")})`);
    const rows = table([["n", "float", Array.from({ length: 40_000 }, (_, n) => Math.sqrt(n))]]);
    const [variable, column] = [rows.variables[0]!, rows.columns[0]!];
    await engine.append("t", names, {
      ...rows,
      variables: names.map(() => variable),
      columns: names.map(() => column),
    });
    expect(columnValues(await engine.query("select count(*) as rows from t where n299 >= 199"), 0)).toEqual([399]);
    await engine.close();
  });

  it.each([
    ["garbage", "this is no database at all".repeat(1000)],
    ["a short text", "x"],
  ])("is called damaged when it holds %s", async (_, text) => {
    await writeFile(scratch.url, text);
    await expect(duckdb.open(scratch.url, "read")).rejects.toMatchObject({ code: "database-damaged" });
    await expect(duckdb.open(scratch.url, "write")).rejects.toMatchObject({ code: "database-damaged" });
  });

  it("has large changes in its file unless it checkpoints seldom, and all after a checkpoint", async () => {
    const engine = await duckdb.open(scratch.url, "write");
    const insert = (): Promise<void> => engine.execute("insert into t select range from range(10000)");
    const isLogged = (): boolean => existsSync(`${scratch.url}.wal`);
    await engine.execute("create table t (n bigint)");
    await insert();
    expect(isLogged()).toBe(false);
    await engine.checkpointSeldom?.();
    await insert();
    expect(isLogged()).toBe(true);
    await engine.checkpoint?.();
    expect(isLogged()).toBe(false);
    await engine.close();
  });

  it("finds damage in each block that it uses, indexes included, and none in free blocks", async () => {
    const engine = await duckdb.open(scratch.url, "write");
    for (const name of ["dropped", "kept"]) {
      await engine.execute(`create table ${name} (id bigint primary key, name varchar)`);
      await engine.execute(`insert into ${name} select range, md5(cast(range as varchar)) from range(30000)`);
      await engine.execute("checkpoint");
    }
    await engine.execute("drop table dropped");
    await engine.execute("checkpoint");
    await engine.verify?.();
    await engine.close();
    const counts = await query(
      scratch.url,
      "select used_blocks, free_blocks from pragma_database_size() where database_name = current_database()",
    );
    const intact = await readFile(scratch.url);
    const [headers, size] = [3 * 4096, 262_144];
    const found = { used: 0, free: 0 };
    for (let block = 0; headers + (block + 1) * size <= intact.length; block++) {
      const torn = Buffer.from(intact);
      const at = headers + block * size + 4096 + block;
      torn[at] = ~(torn[at] ?? 0);
      await writeFile(scratch.url, torn);
      const failure: unknown = await readAll(scratch.url).catch((error: unknown) => error);
      if (failure !== undefined) expect(failure, `block ${block}`).toMatchObject({ code: "database-damaged" });
      found[failure === undefined ? "free" : "used"] += 1;
    }
    expect(found.free).toBeGreaterThan(1);
    expect([[found.used], [found.free]]).toEqual([columnValues(counts, 0), columnValues(counts, 1)]);
  });

  it("is reported as damaged when truncated", async () => {
    const engine = await duckdb.open(scratch.url, "write");
    await engine.execute("create table t as select range as n from range(100000)");
    await engine.close();
    await truncate(scratch.url, 6000);
    await expect(duckdb.open(scratch.url, "read")).rejects.toMatchObject({ code: "database-damaged" });
  });
});

async function query(url: string, sql: string) {
  const engine = await duckdb.open(url, "read");
  try {
    return await engine.query(sql);
  } finally {
    await engine.close();
  }
}

async function readAll(url: string): Promise<void> {
  const engine = await duckdb.open(url, "read");
  try {
    await engine.verify?.();
  } finally {
    await engine.close();
  }
}

/** A process that created a table with one row and keeps the database open until killed. */
async function holdInAnotherProcess(url: string) {
  const script = `
    import duckdb from "@duckdb/node-bindings";
    const database = await duckdb.open(${JSON.stringify(url)});
    const connection = await duckdb.connect(database);
    await duckdb.query(connection, "create table t as select 1 as n");
    process.stdout.write("ready");
    setInterval(() => database, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve, reject) => {
    holder.stdout.once("data", resolve);
    holder.once("exit", () => reject(new Error("the holder ended")));
  });
  return holder;
}
