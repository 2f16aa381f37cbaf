import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import type { EnginePlugin } from "../../plugins/engines/engine.ts";
import { layoutOf, newestLayout } from "../../store/schema/schema.ts";
import { makeDatabase } from "./experiments.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-make-"));
  path = join(folder, "e.duckdb");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** DuckDB that does something else once it has opened a file. */
function duckdbThat(opened: (file: string) => void): EnginePlugin {
  return {
    ...duckdb,
    async open(file, mode) {
      const engine = await duckdb.open(file, mode);
      try {
        opened(file);
      } catch (error) {
        await engine.close();
        throw error;
      }
      return engine;
    },
  };
}

test("a database appears with its layout, and nothing beside it", async () => {
  await makeDatabase(path, duckdb);
  expect(readdirSync(folder)).toEqual(["e.duckdb"]);
  const engine = await duckdb.open(path, "read");
  expect(await layoutOf(engine)).toBe(newestLayout);
  await engine.close();
});

test("no file stands in its place before it is whole", async () => {
  const failing = duckdbThat((file) => {
    expect(file).not.toBe(path);
    expect(readdirSync(folder)).not.toContain("e.duckdb");
    throw new Error("killed");
  });
  await expect(makeDatabase(path, failing)).rejects.toThrow("killed");
  expect(readdirSync(folder)).toEqual([]);
});

test("what is there stays, also when it came meanwhile", async () => {
  await makeDatabase(
    path,
    duckdbThat(() => writeFileSync(path, "theirs")),
  );
  await makeDatabase(path, duckdb);
  expect(readFileSync(path, "utf8")).toBe("theirs");
  expect(readdirSync(folder)).toEqual(["e.duckdb"]);
});
