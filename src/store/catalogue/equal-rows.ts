import { variablesOf } from "../../core/experiments/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { isOneOf, recordsOf, columnName, dataTable, onceTable } from "../schema/index.ts";
import type { StoredExperiment } from "./catalogue.ts";

/** The rows of a run that earlier runs have, too. */
export interface EqualRows {
  readonly run: number;
  /** Number of rows of the run. */
  readonly rows: number;
  /** Earlier runs with equal rows, most rows first; a row counts for the first run that has it. */
  readonly others: readonly { readonly run: number; readonly rows: number }[];
  /** The first earlier run with the same rows in any order, and the same values of the run. */
  readonly same?: number;
}

/**
 * Rows of `runs` that are equal to rows of other active runs, or of an earlier one of `runs`. Rows are equal if all
 * their values and all parameters of their runs are. Rows are compared by 64-bit hashes in the database, with a scan of
 * the experiment if it has other runs. Runs without rows are compared by their values. undefined: unknown, since the
 * rows are on other servers.
 */
export async function equalRows(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
): Promise<EqualRows[] | undefined> {
  if (stored.shards !== undefined) return undefined;
  const sizes = await activeSizes(engine, stored.id);
  if (runs.length === 0 || sizes.size < 2) return [];
  const find = (): Promise<EqualRows[]> => findEqualRows(engine, stored, runs, sizes);
  return engine.joinsAsWritten?.(find) ?? find();
}

async function findEqualRows(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
  sizes: ReadonlyMap<number, number>,
): Promise<EqualRows[]> {
  const terms = new RowKeys(engine, stored);
  const found: EqualRows[] = [];
  const withRows = runs.filter((run) => (sizes.get(run) ?? 0) > 0);
  const others = await ownersOfRows(engine, terms, withRows);
  const covered = [...others].flatMap(([run, owners]) => (sumOf(owners) === sizes.get(run) ? [run] : []));
  const same = await sameRuns(engine, terms, covered, sizes);
  for (const [run, owners] of others) {
    const ordered = owners.toSorted((a, b) => b.rows - a.rows || a.run - b.run);
    const twin = same.get(run);
    found.push({ run, rows: sizes.get(run) ?? 0, others: ordered, ...(twin === undefined ? {} : { same: twin }) });
  }
  const rowless = runs.filter((run) => sizes.get(run) === 0);
  for (const [run, twin] of await sameValues(engine, terms, rowless))
    found.push({ run, rows: 0, others: [], same: twin });
  return found.toSorted((a, b) => a.run - b.run);
}

/** An active run, and how many of its rows other runs have. */
export interface MatchedRun {
  readonly run: number;
  readonly rows: number;
  readonly matched: number;
}

/**
 * The active runs, other than `runs`, that have rows equal to rows of `runs`. Parameters of the run count only where
 * `runs` have values. Fails for sharded experiments, whose rows are on other servers.
 */
export async function matchedRuns(
  engine: Engine,
  stored: StoredExperiment,
  runs: readonly number[],
): Promise<MatchedRun[]> {
  const terms = new RowKeys(engine, stored);
  const matches = terms.onceParameters.map((column) => `(n.${column} is null or n.${column} = o.${column})`);
  const joined = matches.length === 0 ? "" : ` and ${matches.join(" and ")}`;
  const found = await engine.query(
    `with mine as (select run, ${terms.valueKey} as k from ${terms.data} d where ${isOneOf("run", runs)} group by 1, 2),
     pairs as (select o.run as run, n.run as mine from ${terms.once} o join run r
       on r.experiment = ${stored.id} and r.number = o.run and r.active
       join ${terms.once} n on ${isOneOf("n.run", runs)}${joined} where not ${isOneOf("o.run", runs)}),
     rows as (select run, ordinal, ${terms.valueKey} as k from ${terms.data} d)
     select a.run as run, count(*) as rows, count(b.run) as matched from rows a
     left join (select distinct p.run as run, m.k as k from pairs p join mine m on m.run = p.mine) b
       on b.run = a.run and b.k = a.k
     where a.run in (select run from pairs) group by a.run having count(b.run) > 0 order by a.run`,
  );
  return recordsOf(found).map((row) => ({
    run: Number(row.get("run")),
    rows: Number(row.get("rows")),
    matched: Number(row.get("matched")),
  }));
}

type Owners = { readonly run: number; readonly rows: number }[];

function sumOf(owners: Owners): number {
  return owners.reduce((sum, { rows }) => sum + rows, 0);
}

/** Number of rows of each active run. */
async function activeSizes(engine: Engine, id: number): Promise<Map<number, number>> {
  const found = await engine.query("select number, data_sets from run where experiment = $1 and active", [id]);
  return new Map(recordsOf(found).map((row) => [Number(row.get("number")), Number(row.get("data_sets"))]));
}

/** Whether any row of `runs` is in another run: three times as fast as finding which, and usually false. */
async function hasOwners(engine: Engine, terms: RowKeys, runs: readonly number[]): Promise<boolean> {
  const isFound = async (sql: string): Promise<boolean> => (await engine.query(sql)).length > 0;
  const fresh = `select d.run as run, ${terms.rowKey} as k from ${terms.rows} where ${isOneOf("d.run", runs)}`;
  if (runs.length > 1 && (await isFound(`select k from (${fresh}) x group by k having min(run) <> max(run) limit 1`)))
    return true;
  return isFound(
    `select k from (select ${terms.rowKey} as k from ${terms.rows} where not ${isOneOf("d.run", runs)}) x
     where k in (select k from (${fresh}) y) limit 1`,
  );
}

/** For each of `runs`, the other runs that have its rows first. */
async function ownersOfRows(engine: Engine, terms: RowKeys, runs: readonly number[]): Promise<Map<number, Owners>> {
  const owners = new Map<number, Owners>();
  if (runs.length === 0 || !(await hasOwners(engine, terms, runs))) return owners;
  const found = await engine.query(
    `with fresh as (select d.run as run, ${terms.rowKey} as k, count(*) as copies from ${terms.rows}
       where ${isOneOf("d.run", runs)} group by 1, 2),
     firsts as (select k, min(run) as run from fresh group by k),
     olds as (select k, min(run) as run from (select d.run as run, ${terms.rowKey} as k from ${terms.rows}
       where not ${isOneOf("d.run", runs)}) x where k in (select k from firsts) group by k)
     select f.run as run, coalesce(olds.run, firsts.run) as other, cast(sum(f.copies) as bigint) as rows
     from fresh f join firsts on firsts.k = f.k left join olds on olds.k = f.k
     where coalesce(olds.run, firsts.run) <> f.run group by 1, 2 order by 1, 2`,
  );
  for (const row of recordsOf(found)) {
    const run = Number(row.get("run"));
    const owner = { run: Number(row.get("other")), rows: Number(row.get("rows")) };
    owners.set(run, [...(owners.get(run) ?? []), owner]);
  }
  return owners;
}

/** For each of `runs`, the first other run with the same rows and values. */
async function sameRuns(
  engine: Engine,
  terms: RowKeys,
  runs: readonly number[],
  sizes: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const lengths = new Set(runs.map((run) => sizes.get(run)));
  const candidates = [...sizes].flatMap(([run, rows]) => (lengths.has(rows) ? [run] : []));
  if (runs.length === 0) return new Map();
  const found = await engine.query(
    `select d.run as run, cast(sum(cast(${terms.rowKey} as ${terms.sumType})) as varchar) as digest,
     count(*) as rows, min(${terms.onceKey}) as once
     from ${terms.rows} where ${isOneOf("d.run", candidates)} group by d.run order by d.run`,
  );
  const first = new Map<string, number>();
  const same = new Map<number, number>();
  for (const row of recordsOf(found)) {
    const run = Number(row.get("run"));
    const digest = ["digest", "rows", "once"].map((name) => String(row.get(name))).join(" ");
    const earlier = first.get(digest);
    if (earlier === undefined) first.set(digest, run);
    else if (runs.includes(run)) same.set(run, earlier);
  }
  return same;
}

/** For each of `runs`, which have no rows, the first other such run with the same values. */
async function sameValues(engine: Engine, terms: RowKeys, runs: readonly number[]): Promise<Map<number, number>> {
  if (runs.length === 0 || !terms.hasOnce) return new Map();
  const found = await engine.query(
    `with valued as (select o.run as run, ${terms.onceKey} as k from ${terms.once} o join run r
       on r.experiment = ${terms.id} and r.number = o.run and r.active and r.data_sets = 0),
     firsts as (select k, min(run) as run from valued group by k)
     select v.run as run, firsts.run as other from valued v join firsts on firsts.k = v.k
     where firsts.run <> v.run and ${isOneOf("v.run", runs)} order by 1`,
  );
  return new Map(recordsOf(found).map((row) => [Number(row.get("run")), Number(row.get("other"))]));
}

/** SQL of rows d of runs o, and of hashes of their values. */
class RowKeys {
  readonly id: number;
  readonly data: string;
  readonly once: string;
  readonly hasOnce: boolean;
  /** Columns of parameters with one value per run. */
  readonly onceParameters: readonly string[];
  readonly #engine: Engine;
  readonly #multiple: readonly string[];
  readonly #once: readonly string[];

  constructor(engine: Engine, { id, experiment, variableIds }: StoredExperiment) {
    const column = (variable: Variable): string => columnName(variableIds[experiment.variables.indexOf(variable)] ?? 0);
    const once = variablesOf(experiment, "once");
    this.#engine = engine;
    this.id = id;
    this.data = dataTable(id);
    this.once = onceTable(id);
    this.#multiple = variablesOf(experiment, "multiple").map((variable) => `d.${column(variable)}`);
    this.#once = once.map((variable) => `o.${column(variable)}`);
    this.onceParameters = once.filter(({ role }) => role === "parameter").map(column);
    this.hasOnce = once.length > 0;
  }

  /** The largest table comes first: see `joinsAsWritten`. */
  get rows(): string {
    return `${this.data} d join ${this.once} o on o.run = d.run
      join run r on r.experiment = ${this.id} and r.number = d.run and r.active`;
  }

  /** Of the values of a row and the parameters of its run. */
  get rowKey(): string {
    return this.#hash([...this.#multiple, ...this.onceParameters.map((name) => `o.${name}`)]);
  }

  get valueKey(): string {
    return this.#hash(this.#multiple);
  }

  get onceKey(): string {
    return this.#hash(this.#once);
  }

  /** Holds the sum of many hashes. */
  get sumType(): string {
    return this.#engine.dialect.hashSumType;
  }

  #hash(columns: readonly string[]): string {
    return columns.length === 0 ? "0" : this.#engine.dialect.rowHash(columns);
  }
}
