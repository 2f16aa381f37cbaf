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
