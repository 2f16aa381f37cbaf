import { formatTimestamp } from "../../core/values/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { requireFreeName } from "./catalogue.ts";

/** Marks an experiment deleted. Its new name key is invalid as a name, so that its own name becomes free. */
export async function markExperimentDeleted(engine: Engine, id: number, now: number): Promise<void> {
  await engine.execute("update experiment set deleted = cast($1 as timestamp), name_key = $2 where id = $3", [
    formatTimestamp(now),
    `\u0001${id}`,
    id,
  ]);
}

/** Restores a deleted experiment as `name`. Fails with `experiment-exists`. */
export async function undeleteExperiment(engine: Engine, id: number, name: string): Promise<void> {
  await requireFreeName(engine, name);
  await engine.execute("update experiment set deleted = null, name = $1, name_key = $2 where id = $3", [
    name,
    name.toLowerCase(),
    id,
  ]);
}

/** Sets the modification time of an experiment. */
export async function touch(engine: Engine, id: number, now: number): Promise<void> {
  await engine.catalogue.setModified(id, formatTimestamp(now));
}
