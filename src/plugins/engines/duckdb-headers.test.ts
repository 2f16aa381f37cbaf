import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { damagedBlocks, headerDamage } from "./duckdb-blocks.ts";
import { duckdb } from "./duckdb.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-headers-"));
  path = join(folder, "e.duckdb");
  await change("create table t as select range as n from range(100000)");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function change(statement: string): Promise<void> {
  const engine = await duckdb.open(path, "write");
  await engine.execute(statement);
  await engine.execute("checkpoint");
  await engine.close();
}

/** Sets a number of header 1 or 2, with a checksum that fits. */
function setNumber(header: number, at: number, value: bigint): void {
  const file = readFileSync(path);
  const bytes = file.subarray(header * 4096, (header + 1) * 4096);
  bytes.writeBigUInt64LE(value, at);
  let sum = 5381n;
  for (let word = 8; word < bytes.length; word += 8)
    sum ^= (bytes.readBigUInt64LE(word) * 0xbf58476d1ce4e5b9n) % 2n ** 64n;
  bytes.writeBigUInt64LE(sum, 0);
  writeFileSync(path, file);
}

test("headers follow each other through all changes, and those of a new file are equal", async () => {
  for (const statement of ["insert into t values (1)", "drop table t", "create table u (n bigint)"]) {
    expect([headerDamage(path), await damagedBlocks(path)]).toEqual([null, []]);
    await change(statement);
  }
  expect([headerDamage(path), await damagedBlocks(path)]).toEqual([null, []]);
  const empty = join(folder, "empty.duckdb");
  const engine = await duckdb.open(empty, "write");
  expect(headerDamage(empty)).toBe(null);
  await engine.close();
});

test("a header that would count as the newer one is damage, also to those who open the file", async () => {
  await change("drop table t");
  const older = readFileSync(path).readBigUInt64LE(4096 + 8) < readFileSync(path).readBigUInt64LE(8192 + 8) ? 1 : 2;
  setNumber(older, 8, 2n ** 40n);
  expect(headerDamage(path)).toBe("its headers do not follow each other");
  for (const mode of ["read", "write"] as const)
    await expect(duckdb.open(path, mode)).rejects.toMatchObject({ code: "database-damaged" });
});

test("a torn header, as after a power cut, is left to the database", () => {
  const file = readFileSync(path);
  file[2 * 4096 + 100] = 1;
  writeFileSync(path, file);
  expect(headerDamage(path)).toBe(null);
});

test("blocks that the file does not hold are damaged, unless they are free", async () => {
  await change("create table u as select range as n from range(500000)");
  cpSync(path, join(folder, "copy.duckdb"));
  truncateSync(path, 3 * 4096 + 262_144);
  expect((await damagedBlocks(path))[0]).toBe(1);
  cpSync(join(folder, "copy.duckdb"), path);
  for (const header of [1, 2]) setNumber(header, 32, 2n ** 50n);
  expect(await damagedBlocks(path)).toHaveLength(1);
});

test("files that cannot be read have no damaged headers", () => {
  expect(headerDamage(folder)).toBe(null);
  writeFileSync(path, "x");
  expect(headerDamage(path)).toBe(null);
});
