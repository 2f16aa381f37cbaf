import type { Digest, VersionId } from "../../core/versions/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { RunMetadata, Source } from "./run-metadata.ts";
import { recordsOf, textAt, type Row } from "../schema/index.ts";

/** An experiment in lists. */
export interface ExperimentSummary {
  readonly name: string;
  readonly synopsis?: string;
  /** Number of active runs and of their rows. */
  readonly runs: number;
  readonly rows: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified: number;
}

/** A run in the database. Times are microseconds since 1970-01-01T00:00:00Z. */
export interface RunSummary extends RunMetadata {
  readonly number: number;
  readonly rows: number;
  readonly active: boolean;
  readonly sources: readonly Source[];
}

/** All experiments that are not deleted, sorted by name. */
export async function listExperiments(engine: Engine): Promise<ExperimentSummary[]> {
  const rows = await engine.query(
    `select e.name as name, e.synopsis as synopsis, e.modified as modified, count(r.number) as runs,
       coalesce(sum(r.data_sets), 0) as data_sets
     from experiment e left join run r on r.experiment = e.id and r.active
     where e.deleted is null
     group by e.id, e.name, e.name_key, e.synopsis, e.modified order by e.name_key`,
  );
  return recordsOf(rows).map(summaryOf);
}

/** Runs sorted by number; `deleted` includes deleted ones. */
export async function listRuns(engine: Engine, id: number, deleted: boolean): Promise<RunSummary[]> {
  const runs = await engine.query("select * from run where experiment = $1 and (active or $2) order by number", [
    id,
    deleted,
  ]);
  const sources = new Map<unknown, Row[]>();
  for (const source of recordsOf(
    await engine.query("select * from source where experiment = $1 order by run, ordinal", [id]),
  )) {
    const known = sources.get(source.get("run"));
    if (known === undefined) sources.set(source.get("run"), [source]);
    else known.push(source);
  }
  return recordsOf(runs).map((run) => runOf(run, sources.get(run.get("number")) ?? []));
}

function summaryOf(row: Row): ExperimentSummary {
  return {
    name: String(row.get("name")),
    ...textAt(row, "synopsis", "synopsis"),
    runs: Number(row.get("runs")),
    rows: Number(row.get("data_sets")),
    modified: Number(row.get("modified")),
  };
}

function runOf(row: Row, sources: readonly Row[]): RunSummary {
  const version: Value | undefined = row.get("version");
  const dirty = row.get("dirty");
  return {
    number: Number(row.get("number")),
    ...(typeof version === "string" ? { version: version as VersionId } : {}),
    ...(typeof dirty === "boolean" ? { dirty } : {}),
    created: Number(row.get("created")),
    performed: Number(row.get("performed")),
    ...textAt(row, "performer", "performer"),
    ...textAt(row, "label", "label"),
    ...textAt(row, "synopsis", "synopsis"),
    ...(textAt(row, "description", "description") as { description?: Digest }),
    rows: Number(row.get("data_sets")),
    active: row.get("active") === true,
    sources: sources.map(sourceOf),
  };
}

function sourceOf(row: Row): Source {
  const modified = row.get("modified");
  return {
    path: String(row.get("path")),
    sha256: String(row.get("sha256")),
    object: String(row.get("object")) as Digest,
    bytes: Number(row.get("bytes")),
    ...(typeof modified === "number" ? { modified } : {}),
    ...(textAt(row, "description", "description") as { description?: Digest }),
  };
}
