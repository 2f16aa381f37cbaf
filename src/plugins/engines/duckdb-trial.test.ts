import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { trialDamage } from "./duckdb-blocks.ts";
import { duckdb } from "./duckdb.ts";

const blockSize = 262_144;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-trial-"));
  path = join(folder, "some.duckdb");
  const engine = await duckdb.open(path, "write");
  await engine.execute(
    `create table "a""b" as select concat('text', cast(i * 7919 as varchar)) as t from range(999) r(i)`,
  );
  await engine.execute("checkpoint");
  await engine.close();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Changes bytes of a block, and gives it the checksum that fits. */
function damage(number: number, from: number, to: number): void {
  const file = readFileSync(path);
  const block = file.subarray(12_288 + number * blockSize, 12_288 + (number + 1) * blockSize);
  block.fill(0xff, from, to);
  let sum = 5381n;
  for (let at = 8; at < block.length; at += 8)
    sum ^= BigInt.asUintN(64, block.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n);
  block.writeBigUInt64LE(sum);
  writeFileSync(path, file);
}

test("a sound or missing database passes", async () => {
  expect(await trialDamage(path)).toBeNull();
  expect(await trialDamage(join(folder, "none.duckdb"))).toBeNull();
});

test("a database with columns of all types and odd names passes, also when it is empty", async () => {
  const engine = await duckdb.open(path, "write");
  const types = [
    "bigint",
    "double precision",
    "boolean",
    "date",
    "timestamp",
    "varchar",
    "blob",
    "hugeint",
    "numeric(9, 2)",
  ];
  const columns = types.map((type, at) => `"a 'b' ""${at}""" ${type}`);
  await engine.execute(`create table "t 'x'" (${columns.join(", ")})`);
  await engine.execute(`create table wide (${Array.from({ length: 500 }, (_, at) => `c${at} double`).join(", ")})`);
  await engine.execute("create view v as select 1 as one");
  await engine.execute("checkpoint");
  await engine.close();
  expect(await trialDamage(path)).toBeNull();
  const again = await duckdb.open(path, "write");
  await again.execute(`insert into "t 'x'" values (1, 2, true, '2024-01-01', '2024-01-01 10:00', 'é', 'x', 3, 1.5)`);
  await again.execute("checkpoint");
  await again.close();
  expect(await trialDamage(path)).toBeNull();
});

test("a database that another process writes passes", async () => {
  const engine = await duckdb.open(path, "write");
  expect(await trialDamage(path)).toBeNull();
  await engine.close();
});

test("damage that crashes or stops the reader is reported", async () => {
  damage(0, 8, 64);
  expect(await trialDamage(path)).toMatch(/^reading it ends the process with SIG|Error/);
  await expect(duckdb.tryReading?.(path)).rejects.toMatchObject({ code: "database-damaged" });
});
