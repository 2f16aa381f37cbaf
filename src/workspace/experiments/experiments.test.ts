import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import type { Engine, EnginePlugin, Environment } from "../../plugins/engines/engine.ts";
import { experimentHome, withExperiments } from "./experiments.ts";
import { openRegistry } from "../plugins/registry.ts";
import { Workspace } from "../workspace.ts";

test("a server is told who the user is, and the user what the engine warns of", async () => {
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-home-"));
  const asked: [string, Environment | undefined][] = [];
  const shared: EnginePlugin = {
    ...duckdb,
    name: "postgres",
    async open(url, mode, patience, environment): Promise<Engine> {
      asked.push([url, environment]);
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
    openRegistry([{ kind: "engine", name: "postgres", load: async () => shared }]),
  );
  try {
    await withExperiments(workspace, experimentHome(workspace), "write", async (experiments) => experiments.list());
    expect(asked).toEqual([["postgres://h/x", environment]]);
    expect(warnings).toEqual(["not encrypted"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
