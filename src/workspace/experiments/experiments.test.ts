import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import type { EnginePlugin, Engine, Environment } from "../../plugins/engines/engine.ts";
import { layoutOf, newestLayout } from "../../store/schema/schema.ts";
import { makeDatabase, experimentHome, withExperiments } from "./experiments.ts";
import { openRegistry } from "../plugins/registry.ts";
import { Workspace } from "../workspace.ts";

test("passes the environment to the engine, and its warnings to the user", async () => {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-home-"));
  const opened: [string, Environment | undefined][] = [];
  const shared: EnginePlugin = {
    ...duckdb,
    name: "postgres",
    async open(url, mode, patience, environment): Promise<Engine> {
      opened.push([url, environment]);
      const engine = await duckdb.open(join(folder, "e.duckdb"), mode, patience);
      return Object.assign(engine, { warnings: ["not encrypted"] });
    },
  };
  const warnings: string[] = [];
  const environment = { HOME: folder, PERFKEEP_DB: "postgres://h/x", PGPASSWORD: "p" };
  const workspace = new Workspace(
    {
      directory: folder,
      environment,
      now: () => 0,
      random: () => 0,
      command: "",
      warn: (text) => void warnings.push(text),
    },
    openRegistry([{ kind: "engine", name: "postgres", schemes: ["postgres"], load: async () => shared }]),
  );
  try {
    await withExperiments(workspace, experimentHome(workspace), "write", async (experiments) => experiments.list());
    expect(opened).toEqual([["postgres://h/x", environment]]);
    expect(warnings).toEqual(["not encrypted"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-make-"));
  path = join(folder, "e.duckdb");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** DuckDB with a hook after opening a file. */
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

test("creates a database with its layout, and no other files", async () => {
  await makeDatabase(path, duckdb);
  expect(readdirSync(folder)).toEqual(["e.duckdb"]);
  const engine = await duckdb.open(path, "read");
  expect(await layoutOf(engine)).toBe(newestLayout);
  await engine.close();
});

test("creates the file only when it is complete", async () => {
  const failing = duckdbThat((file) => {
    expect(file).not.toBe(path);
    expect(readdirSync(folder)).not.toContain("e.duckdb");
    throw new Error("killed");
  });
  await expect(makeDatabase(path, failing)).rejects.toThrow("killed");
  expect(readdirSync(folder)).toEqual([]);
});

test("keeps an existing file, also a concurrently created one", async () => {
  await makeDatabase(
    path,
    duckdbThat(() => writeFileSync(path, "theirs")),
  );
  await makeDatabase(path, duckdb);
  expect(readFileSync(path, "utf8")).toBe("theirs");
  expect(readdirSync(folder)).toEqual(["e.duckdb"]);
});
