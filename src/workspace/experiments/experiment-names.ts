import type { Variable } from "../../core/variables/variable.ts";
import { newestLayout, layoutOf } from "../../store/schema/schema.ts";
import { Experiments } from "../../store/experiments/experiments.ts";
import { experimentHome } from "./experiments.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Names of the experiments of a database that is a file. None where that needs more than a look: a server that has to
 * be reached, a database that somebody writes, one of an older layout that would be renewed. Fails with `no-database`,
 * `database-busy`, `database-damaged`.
 */
export async function experimentNames(workspace: Workspace): Promise<readonly string[]> {
  return (await glance(workspace, (experiments) => experiments.list()))?.map(({ name }) => name) ?? [];
}

/** Variables of an experiment, as far as a look tells as above. Fails with `unknown-experiment` as well. */
export async function experimentVariables(workspace: Workspace, name: string): Promise<readonly Variable[]> {
  return (await glance(workspace, (experiments) => experiments.find(name)))?.experiment.variables ?? [];
}

async function glance<T>(workspace: Workspace, look: (experiments: Experiments) => Promise<T>): Promise<T | undefined> {
  const { database, objects } = experimentHome(workspace);
  if (database.includes("://")) return undefined;
  const engine = await (await workspace.registry.get("engine", "duckdb")).open(database, "read", 0);
  try {
    if ((await layoutOf(engine)) !== newestLayout) return undefined;
    return await look(new Experiments(engine, objects));
  } finally {
    await engine.close();
  }
}
