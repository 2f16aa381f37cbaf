import { Failure } from "../../core/failures/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { recordsOf, dataTable, onceTable } from "../schema/index.ts";

/**
 * Marks runs deleted, which hides them from queries and allows importing their files again. Fails with `unknown-run`.
 */
export async function markRunsDeleted(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
): Promise<void> {
  for (const run of runs) await requireRun(engine, stored, run, true);
  await setActive(engine, stored.id, runs, false);
  await releaseClaims(engine, stored.id);
}

/** Allows importing files again that no active run came from. */
async function releaseClaims(engine: Engine, id: number): Promise<void> {
  await engine.execute(
    `delete from claim where experiment = $1 and sha256 not in
     (select s.sha256 from source s join run r on r.experiment = s.experiment and r.number = s.run
      where s.experiment = $1 and r.active)`,
    [id],
  );
}

/**
 * Restores deleted runs. Fails with `unknown-run`, and unless forced with `already-imported` if an active run came from
 * one of their files. Runs of one import, which share their creation time, are not duplicates of each other.
 */
export async function undeleteRuns(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
  force: boolean,
): Promise<void> {
  for (const run of runs) {
    await requireRun(engine, stored, run, false);
    if (!force) await requireUnclaimed(engine, stored, run);
  }
  await setActive(engine, stored.id, runs, true);
  await engine.execute(
    `insert into claim (experiment, sha256)
     select distinct s.experiment, s.sha256 from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = $1 and r.active and s.sha256 not in (select sha256 from claim where experiment = $1)`,
    [stored.id],
  );
}

async function requireUnclaimed(engine: Engine, { id, experiment }: StoredExperiment, run: number): Promise<void> {
  const found = await engine.query(
    `select s.path as path, min(o.run) as other from source s
     join run own on own.experiment = s.experiment and own.number = s.run
     join source o on o.experiment = s.experiment and o.sha256 = s.sha256
     join run r on r.experiment = o.experiment and r.number = o.run
     where s.experiment = $1 and s.run = $2 and r.active and r.created <> own.created
     group by s.path order by s.path limit 1`,
    [id, run],
  );
  const [row] = recordsOf(found);
  if (row === undefined) return;
  throw new Failure("already-imported", {
    path: String(row.get("path")),
    experiment: experiment.name,
    run: String(row.get("other")),
  });
}

async function requireRun(
  engine: Engine,
  { id, experiment }: StoredExperiment,
  run: number,
  active: boolean,
): Promise<void> {
  const found = await engine.query("select number from run where experiment = $1 and number = $2 and active = $3", [
    id,
    run,
    active,
  ]);
  if (found.length > 0) return;
  throw new Failure(active ? "unknown-run" : "unknown-deleted-run", { run, experiment: experiment.name });
}

async function setActive(engine: Engine, id: number, runs: readonly number[], active: boolean): Promise<void> {
  for (const run of runs)
    await engine.execute("update run set active = $1 where experiment = $2 and number = $3", [active, id, run]);
}

/** Numbers of the active runs imported from the file with this `sha256` or `path`. */
export async function runsFrom(
  engine: Engine,
  id: number,
  column: "sha256" | "path",
  value: string,
): Promise<number[]> {
  const found = await engine.query(
    `select distinct s.run as run from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = $1 and r.active and s.${column} = $2 order by 1`,
    [id, value],
  );
  return recordsOf(found).map((row) => Number(row.get("run")));
}

/** Numbers of the deleted runs. */
export async function deletedRuns(engine: Engine, id: number): Promise<number[]> {
  const found = await engine.query("select number from run where experiment = $1 and not active order by number", [id]);
  return recordsOf(found).map((row) => Number(row.get("number")));
}

/** Permanently removes deleted runs. Fails with `unknown-deleted-run`. */
export async function purgeRuns(engine: Engine, stored: StoredExperiment, runs: readonly number[]): Promise<void> {
  const { id } = stored;
  for (const run of runs) {
    await requireRun(engine, stored, run, false);
    for (const table of [dataTable(id), onceTable(id)])
      await engine.execute(`delete from ${table} where run = $1`, [run]);
    await engine.execute("delete from source where experiment = $1 and run = $2", [id, run]);
    await engine.execute("delete from run where experiment = $1 and number = $2", [id, run]);
  }
}
