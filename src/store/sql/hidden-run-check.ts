import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/index.ts";

/**
 * How a statement excludes rows of deleted runs. `compare` joins each row with the active runs, which is wasted work if
 * none is deleted. `none if hidden` returns no rows at all if a run is deleted. `skip` omits the check, if no run is
 * known to be deleted.
 */
export type RunCheck = "compare" | "none if hidden" | "skip";

/** Results for constant databases, by experiment. */
const cachedResults = new WeakMap<Engine, Map<number, boolean>>();

/**
 * The check for statements over all active runs. On a server, where others may delete a run meanwhile, the statement
 * itself checks, which is fast there; DuckDB would compare every row.
 */
export async function activeRunCheck(
  engine: Engine,
  { id: experiment, shards }: Pick<StoredExperiment, "id" | "shards">,
): Promise<RunCheck> {
  // A data server may have rows of an unfinished import.
  if (shards !== undefined) return "compare";
  if (engine.catalogue.isShared) return "none if hidden";
  return (await hasDeletedRuns(engine, experiment)) ? "compare" : "skip";
}

async function hasDeletedRuns(engine: Engine, experiment: number): Promise<boolean> {
  const cached = cachedResults.get(engine)?.get(experiment);
  if (cached !== undefined) return cached;
  const { length } = await engine.query(
    `select 1 as hidden from run where experiment = ${experiment} and not active limit 1`,
  );
  if (engine.isConstant)
    cachedResults.set(engine, (cachedResults.get(engine) ?? new Map<number, boolean>()).set(experiment, length > 0));
  return length > 0;
}
