import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../plugins/engines/engine.ts";
import { layoutOf, migrate, newestLayout } from "../../store/schema/index.ts";
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
      await engine.checkpointSeldom?.();
      return await work(engine, folder);
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Calls `read` with an embedded database of the newest layout. Migrates a copy if the layout is older, so that the file
 * stays as it is. Fails like `EnginePlugin.open`, and with `database-newer`.
 */
export async function readUnchanged<T>(
  workspace: Workspace,
  database: string,
  read: (engine: Engine) => Promise<T>,
): Promise<T> {
  const plugin = await workspace.registry.get("engine", "duckdb");
  const engine = await plugin.open(database, "read");
  try {
    if ((await layoutOf(engine)) === newestLayout) return await read(engine);
    return await withScratchDatabase(workspace, async (_, folder) => {
      const copy = await plugin.open(copyOf(database, folder), "write");
      try {
        await migrate(copy);
        return await read(copy);
      } finally {
        await copy.close();
      }
    });
  } finally {
    await engine.close();
  }
}

/** Copies a database, with its write-ahead log, into `folder`. */
function copyOf(database: string, folder: string): string {
  const copy = join(folder, "copy.duckdb");
  for (const suffix of ["", ".wal"])
    if (existsSync(`${database}${suffix}`)) copyFileSync(`${database}${suffix}`, `${copy}${suffix}`);
  return copy;
}
