import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Workspace } from "../workspace.ts";

/** Calls `work` with a temporary embedded database in `folder`, which is removed afterwards. */
export async function withScratchDatabase<T>(
  workspace: Workspace,
  work: (engine: Engine, folder: string) => Promise<T>,
): Promise<T> {
  const plugin = await workspace.registry.get("engine", "duckdb");
  const folder = mkdtempSync(join(tmpdir(), "perfkeep-scratch-"));
  try {
    const engine = await plugin.open(join(folder, "scratch.duckdb"), "write");
    try {
      return await work(engine, folder);
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
