import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";

/**
 * How a statement sees to it that rows of hidden runs have no part in it: by comparing each row with the runs, which is
 * for nothing where none is hidden; by having no row at all where one is hidden; not at all, where it is known that
 * none is.
 */
export type RunCheck = "compare" | "none if hidden" | "skip";

/** What was found in databases that nobody changes, by experiment. */
const known = new WeakMap<Engine, Map<number, boolean>>();

/**
 * The check for statements that want the rows of all active runs. A server, where others may hide a run meanwhile, is
 * asked within the statement; it knows that at once, while DuckDB compares each row with what it finds.
 */
export async function quickCheck(
  engine: Engine,
  { id: experiment, shards: parts }: Pick<StoredExperiment, "id" | "shards">,
): Promise<RunCheck> {
  // A data server may know rows of an import that is not over.
  if (parts !== undefined) return "compare";
  if (engine.dialect === "postgres") return "none if hidden";
  return (await hasHidden(engine, experiment)) ? "compare" : "skip";
}

async function hasHidden(engine: Engine, experiment: number): Promise<boolean> {
  const found = known.get(engine)?.get(experiment);
  if (found !== undefined) return found;
  const { length } = await engine.query(
    `select 1 as hidden from run where experiment = ${experiment} and not active limit 1`,
  );
  if (engine.isConstant)
    known.set(engine, (known.get(engine) ?? new Map<number, boolean>()).set(experiment, length > 0));
  return length > 0;
}
