import type { Digest, VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import type { Experiment } from "../core/experiment.ts";
import type { Table } from "../core/table.ts";
import type { Value } from "../core/value.ts";
import { formatTimestamp } from "../core/time-text.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import type { Query } from "../query/query.ts";
import { dropExperiment, findExperiment, insertExperiment, withIds, type StoredExperiment } from "./catalogue.ts";
import { refuseDuplicate, RunWriter, type RunFacts, type Source } from "./insert.ts";
import { recordsOf, textAt, type Row } from "./rows.ts";
import { select } from "./select.ts";

/** What lists of experiments show. */
export interface ExperimentSummary {
  readonly name: string;
  readonly synopsis?: string;
  /** Active runs and their data sets. */
  readonly runs: number;
  readonly dataSets: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified: number;
}

/** A run as the database knows it. Times are microseconds since 1970-01-01T00:00:00Z. */
export interface RunSummary extends RunFacts {
  readonly number: number;
  readonly dataSets: number;
  readonly active: boolean;
  readonly sources: readonly Source[];
}

/** The experiments of one database. Names are found without regard to case; what is not there fails with `unknown-experiment`. */
export class Experiments {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** `now`: microseconds since 1970-01-01T00:00:00Z. Fails with `experiment-exists`. */
  create(experiment: Experiment, now: number): Promise<StoredExperiment> {
    return this.#engine.transaction(async () => {
      const stored = await withIds(this.#engine, experiment);
      await insertExperiment(this.#engine, stored, now);
      return stored;
    });
  }

  find(name: string): Promise<StoredExperiment> {
    return findExperiment(this.#engine, name);
  }

  /** All experiments in order of name. */
  async list(): Promise<ExperimentSummary[]> {
    const rows = await this.#engine.query(
      `select e.name as name, e.synopsis as synopsis, e.modified as modified, count(r.number) as runs, coalesce(sum(r.data_sets), 0) as data_sets
       from experiment e left join run r on r.experiment = e.id and r.active
       where e.deleted is null
       group by e.id, e.name, e.name_key, e.synopsis, e.modified order by e.name_key`,
    );
    return recordsOf(rows).map(summaryOf);
  }

  /** Runs in order of number, deleted ones only when asked for. */
  async runs({ id }: StoredExperiment, deleted: boolean): Promise<RunSummary[]> {
    const runs = await this.#engine.query("select * from run where experiment = $1 and (active or $2) order by number", [id, deleted]);
    const sources = recordsOf(await this.#engine.query("select * from source where experiment = $1 order by run, ordinal", [id]));
    return recordsOf(runs).map((run) =>
      runOf(
        run,
        sources.filter((source) => source.get("run") === run.get("number")),
      ),
    );
  }

  /** Removes the experiment with all its runs, for good. */
  async remove(stored: StoredExperiment): Promise<void> {
    await this.#engine.transaction(() => dropExperiment(this.#engine, stored.id));
  }

  /** Hides a run from every question; its files may be imported again. Fails with `unknown-run`. */
  async removeRun(stored: StoredExperiment, run: number, now: number): Promise<void> {
    const { id, experiment } = stored;
    await this.#engine.transaction(async () => {
      const found = await this.#engine.query("select number from run where experiment = $1 and number = $2 and active", [id, run]);
      if (found.length === 0) throw new Failure("unknown-run", { run, experiment: experiment.name });
      await this.#engine.execute("update run set active = false where experiment = $1 and number = $2", [id, run]);
      await this.#engine.execute(
        `delete from claim where experiment = $1 and sha256 not in
         (select s.sha256 from source s join run r on r.experiment = s.experiment and r.number = s.run where s.experiment = $1 and r.active)`,
        [id],
      );
      await this.#touch(id, now);
    });
  }

  /** One import: everything that `work` writes is stored, or nothing of it. */
  async import<T>(stored: StoredExperiment, now: number, work: (writer: RunWriter) => Promise<T>): Promise<T> {
    return this.#engine.transaction(async () => {
      const answer = await work(new RunWriter(this.#engine, stored));
      await this.#touch(stored.id, now);
      return answer;
    });
  }

  /** Fails with `already-imported` when an active run came from a file of this SHA-256. */
  refuseDuplicate(stored: StoredExperiment, path: string, sha256: string): Promise<void> {
    return refuseDuplicate(this.#engine, stored, path, sha256);
  }

  select(stored: StoredExperiment, query: Query): Promise<Table> {
    return select(this.#engine, stored, query);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #touch(id: number, now: number): Promise<void> {
    await this.#engine.execute("update experiment set modified = cast($1 as timestamp) where id = $2", [formatTimestamp(now), id]);
  }
}

function summaryOf(row: Row): ExperimentSummary {
  return {
    name: String(row.get("name")),
    ...textAt(row, "synopsis", "synopsis"),
    runs: Number(row.get("runs")),
    dataSets: Number(row.get("data_sets")),
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
    dataSets: Number(row.get("data_sets")),
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
  };
}
