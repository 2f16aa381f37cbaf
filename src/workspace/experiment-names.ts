import { newestLayout, layoutOf } from "../store/schema.ts";
import { Experiments } from "../store/experiments.ts";
import { experimentHome } from "./experiments.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Names of the experiments of a database that is a file. None where that needs more than a look: a server that has to be reached, a database that
 * somebody writes, one of an older layout that would be renewed. Fails with `no-database`, `database-busy`, `database-damaged`.
 */
export async function experimentNames(workspace: Workspace): Promise<readonly string[]> {
  const { database, objects } = experimentHome(workspace);
  if (database.includes("://")) return [];
  const engine = await (await workspace.registry.get("engine", "duckdb")).open(database, "read", 0);
  try {
    if ((await layoutOf(engine)) !== newestLayout) return [];
    return (await new Experiments(engine, objects).list()).map(({ name }) => name);
  } finally {
    await engine.close();
  }
}
