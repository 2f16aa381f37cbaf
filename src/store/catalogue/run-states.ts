import { Failure } from "../../core/failures/failure.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { recordsOf } from "../schema/result-rows.ts";
import { dataTable, onceTable } from "../schema/schema.ts";

/** Hides runs from every question; their files may be imported again then. Fails with `unknown-run`. */
export async function hideRuns(engine: Engine, stored: StoredExperiment, runs: readonly number[]): Promise<void> {
  for (const run of runs) await requireRun(engine, stored, run, true);
  await setActive(engine, stored.id, runs, false);
  await releaseClaims(engine, stored.id);
}

/** Files that no active run came from may be imported again. */
async function releaseClaims(engine: Engine, id: number): Promise<void> {
  await engine.execute(
    `delete from claim where experiment = $1 and sha256 not in
     (select s.sha256 from source s join run r on r.experiment = s.experiment and r.number = s.run where s.experiment = $1 and r.active)`,
    [id],
  );
}

/**
 * Brings deleted runs back. Fails with `unknown-run`, and unless forced with `already-imported` when an active run came
 * from one of their files meanwhile. Runs of one import are no duplicates of each other: they have the moment of it in
 * common.
 */
export async function showRuns(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
  force: boolean,
): Promise<void> {
  for (const run of runs) {
    await requireRun(engine, stored, run, false);
    if (!force) await refuseClaimed(engine, stored, run);
  }
  await setActive(engine, stored.id, runs, true);
  await engine.execute(
    `insert into claim (experiment, sha256)
     select distinct s.experiment, s.sha256 from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = $1 and r.active and s.sha256 not in (select sha256 from claim where experiment = $1)`,
    [stored.id],
  );
}

async function refuseClaimed(engine: Engine, { id, experiment }: StoredExperiment, run: number): Promise<void> {
  const found = await engine.query(
    `select s.path as path, min(o.run) as other from source s
     join run own on own.experiment = s.experiment and own.number = s.run
     join source o on o.experiment = s.experiment and o.sha256 = s.sha256
     join run r on r.experiment = o.experiment and r.number = o.run
     where s.experiment = $1 and s.run = $2 and r.active and r.created <> own.created group by s.path order by s.path limit 1`,
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

/** Numbers of the active runs that came from these bytes, else from a file recorded under this path. */
export async function runsFrom(
  engine: Engine,
  id: number,
  column: "sha256" | "path",
  content: string,
): Promise<number[]> {
  const found = await engine.query(
    `select distinct s.run as run from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = $1 and r.active and s.${column} = $2 order by 1`,
    [id, content],
  );
  return recordsOf(found).map((row) => Number(row.get("run")));
}

/** Numbers of the deleted runs. */
export async function hiddenRuns(engine: Engine, id: number): Promise<number[]> {
  const found = await engine.query("select number from run where experiment = $1 and not active order by number", [id]);
  return recordsOf(found).map((row) => Number(row.get("number")));
}

/** Drops deleted runs for good. Fails with `unknown-deleted-run`. */
export async function dropRuns(engine: Engine, stored: StoredExperiment, runs: readonly number[]): Promise<void> {
  const { id } = stored;
  for (const run of runs) {
    await requireRun(engine, stored, run, false);
    for (const table of [dataTable(id), onceTable(id)])
      await engine.execute(`delete from ${table} where run = $1`, [run]);
    await engine.execute("delete from source where experiment = $1 and run = $2", [id, run]);
    await engine.execute("delete from run where experiment = $1 and number = $2", [id, run]);
  }
}
