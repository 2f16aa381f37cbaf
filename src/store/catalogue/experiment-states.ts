import { formatTimestamp } from "../../core/values/date-time.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { refuseTaken } from "./catalogue.ts";

/** Marks an experiment deleted; no name that users can give has the key it gets, so that its own is free. */
export async function hideExperiment(engine: Engine, id: number, now: number): Promise<void> {
  await engine.execute("update experiment set deleted = cast($1 as timestamp), name_key = $2 where id = $3", [
    formatTimestamp(now),
    `\u0001${id}`,
    id,
  ]);
}

/** Brings it back under `name`. Fails with `experiment-exists`. */
export async function showExperiment(engine: Engine, id: number, name: string): Promise<void> {
  await refuseTaken(engine, name);
  await engine.execute("update experiment set deleted = null, name = $1, name_key = $2 where id = $3", [
    name,
    name.toLowerCase(),
    id,
  ]);
}

/** Notes when an experiment changed. */
export async function touch(engine: Engine, id: number, now: number): Promise<void> {
  if (engine.dialect === "postgres")
    return engine.execute("select touch($1, cast($2 as timestamp))", [id, formatTimestamp(now)]);
  await engine.execute("update experiment set modified = cast($1 as timestamp) where id = $2", [
    formatTimestamp(now),
    id,
  ]);
}
