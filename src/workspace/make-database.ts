import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EnginePlugin } from "../plugins/engines/engine.ts";
import { appearDurably, makeFolder, removeDurably } from "../store/durable-file.ts";
import { sweepFolder, temporaryName } from "../store/leftovers.ts";
import { migrate } from "../store/schema.ts";

/**
 * Makes an embedded database without experiments at `path`, unless there is one. It is made beside its place and put there whole: an engine
 * that is killed while it begins a file leaves one that nobody can open. What another process put there meanwhile stays.
 */
export async function makeDatabase(path: string, plugin: EnginePlugin): Promise<void> {
  if (existsSync(path)) return;
  const folder = dirname(path);
  makeFolder(folder);
  sweepFolder(folder);
  const beside = join(folder, temporaryName());
  try {
    const engine = await plugin.open(beside, "write");
    try {
      await migrate(engine);
      await engine.execute("checkpoint");
    } finally {
      await engine.close();
    }
    appearDurably(beside, path);
  } finally {
    for (const each of [beside, `${beside}.wal`]) removeDurably(each);
  }
}
