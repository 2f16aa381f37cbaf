import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Workspace } from "../workspace.ts";

/**
 * An embedded database for as long as `work` takes. It lies in `folder`, which is removed afterwards with all that is
 * in it.
 */
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
