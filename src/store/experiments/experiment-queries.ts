import { Failure, isFailure } from "../../core/failures/index.ts";
import { tableOf, type Table } from "../../core/tables/index.ts";
import { formatUnit, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { type Predicate, type LogicalPlan, runVariables } from "../../query/plan/index.ts";
import type { SourceRows } from "../../query/description/index.ts";
import { type StoredExperiment, findExperiment, listExperiments } from "../catalogue/index.ts";
import {
  valuesPerRun,
  type DistinctValues,
  type Statement,
  planStatement,
  select,
  distinctValues,
  sourceRows,
} from "../sql/index.ts";
import { exportRuns, exportSlices, ordinalSpans, type ExportPiece, type ExportPlan } from "../export/index.ts";
import { experimentState } from "../ledger/index.ts";
import { runDigests, type DigestedValues } from "./run-digests.ts";
import { columnName, dataTable, onceTable } from "../schema/index.ts";

/** A view for SQL statements of users. Views exclude deleted runs and experiments. */
interface View {
  readonly name: string;
  readonly sql: string;
}

const activeExperiments = "(select * from experiment where deleted is null)";

/** The views that every database has (docs/sql.md). */
const catalogueViews: readonly View[] = [
  {
    name: "experiments",
    sql: `select e.name, e.synopsis, e.description, e.performed_by, e.organization, e.project, e.created, e.modified,
      (select count(*) from run r where r.experiment = e.id and r.active) as runs from ${activeExperiments} e`,
  },
  {
    name: "variables",
    sql: `select e.name as experiment, v.ordinal as place, v.name, v.role, v.occurrence, v.type, v.unit, v.synopsis
      from variable v join ${activeExperiments} e on e.id = v.experiment`,
  },
  {
    name: "runs",
    sql: `select e.name as experiment, r.number as run, r.version as "commit", r.dirty, r.performed, r.created,
      r.performer, r.label,
      r.synopsis, r.data_sets from run r join ${activeExperiments} e on e.id = r.experiment where r.active`,
  },
  {
    name: "files",
    sql: `select e.name as experiment, s.run, s.path, s.sha256, s.bytes, s.modified
      from source s join ${activeExperiments} e on e.id = s.experiment
      join run r on r.experiment = s.experiment and r.number = s.run where r.active`,
  },
];

/**
 * The rows of an experiment: run columns (`run`, `commit`, …), then its variables by name. A run column with the name
 * of a variable becomes `@name`.
 */
function experimentView({ id, experiment, variableIds }: StoredExperiment): View {
  const taken = new Set(experiment.variables.map(({ name }) => name.toLowerCase()));
  const facts = runVariables.map(
    ({ name }) => `r.${runColumns[name] ?? name} as ${quoted(taken.has(name) ? `@${name}` : name)}`,
  );
  const multiple = experiment.variables.some(({ occurrence }) => occurrence === "multiple");
  const own = experiment.variables.map(
    (variable, at) => `${columnSql(variable, variableIds[at] ?? 0)} as ${quoted(variable.name)}`,
  );
  const data = multiple ? ` join ${dataTable(id)} d on d.run = r.number` : "";
  return {
    name: catalogueViews.some((view) => view.name === experiment.name.toLowerCase())
      ? `experiment.${experiment.name}`
      : experiment.name,
    sql: `select ${[...facts, ...own].join(", ")} from run r join ${onceTable(id)} o on o.run = r.number${data}
      where r.experiment = ${id} and r.active`,
  };
}

/** Run columns with another name in table `run`. */
const runColumns: Readonly<Record<string, string>> = { run: "number", commit: "version" };

/** Versions are stored as sortable keys, which have the text after the first chr(1). */
function columnSql(variable: Variable, id: number): string {
  const column = `${variable.occurrence === "once" ? "o" : "d"}.${columnName(id)}`;
  return variable.type === "version" ? `split_part(${column}, chr(1), 2)` : column;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Wraps a statement in a query that defines the views. Parentheses restrict it to SELECT. */
function withViews(views: readonly View[], statement: string): string {
  const defined = views.map(({ name, sql }) => `${quoted(name)} as (${sql})`).join(",\n");
  return `with ${defined}\nselect * from (\n${statement.replace(/[\s;]+$/, "")}\n) as answer`;
}

/** Most runs of a part: a statement lists their numbers. */
const runsOfPart = 10_000;

/** Read-only queries on experiments. */
export class ExperimentQueries {
  protected readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /**
   * Runs `work` on one snapshot of the database. If others may change it, a failed statement makes all later ones fail,
   * too. Not for `export`, `runDigests` and changes.
   */
  inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.engine.isConstant ? work() : this.engine.transaction(work);
  }

  select(stored: StoredExperiment, query: LogicalPlan): Promise<Table> {
    return select(this.engine, stored, query);
  }

  /**
   * Passes the rows of a query on rows to `consume` in parts of at most `maxRows` rows, ordered by run and as imported,
   * so that the database does not hold all of them.
   */
  async selectInParts(
    stored: StoredExperiment,
    query: LogicalPlan & { readonly runs: readonly number[] },
    maxRows: number,
    consume: (part: Table) => void,
  ): Promise<void> {
    const spans = await ordinalSpans(this.engine, stored);
    const runs = query.runs.toSorted((a, b) => a - b);
    for (const slice of exportSlices(runs, spans, () => maxRows, runsOfPart)) {
      const { runs: own, ordinals } = slice;
      consume(await this.select(stored, { ...query, runs: own, ...(ordinals === undefined ? {} : { ordinals }) }));
    }
  }

  /** Runs an SQL statement of the user over the views; for databases opened for reading. */
  ask(statement: string): Promise<Table> {
    return askSql(this.engine, statement);
  }

  /** The columns of all views: view, column, type, unit, synopsis. */
  views(): Promise<Table> {
    return viewColumns(this.engine);
  }

  /** Distinct values of a variable by run, at most `maxValues` per run; see `valuesPerRun`. */
  valuesPerRun(stored: StoredExperiment, query: LogicalPlan, maxValues: number): Promise<Map<number, DistinctValues>> {
    return valuesPerRun(this.engine, stored, query, maxValues);
  }

  /** Exports runs from one snapshot in pieces of bounded size, ordered by run and import. */
  export(
    stored: StoredExperiment,
    plan: ExportPlan,
    consume: (piece: ExportPiece) => void | Promise<void>,
  ): Promise<void> {
    return this.engine.transaction(() => exportRuns(this.engine, stored, plan, consume));
  }

  /** A cache key for results: the engine and the state of the experiment; undefined if the state is unknown. */
  async state(stored: StoredExperiment): Promise<readonly string[] | undefined> {
    const state = await experimentState(this.engine, stored.id);
    return state && [this.engine.dialect.name, ...state];
  }

  /** SHA-256 of values by run number; see `runDigests`. */
  runDigests(stored: StoredExperiment, runs: readonly number[], values: DigestedValues): Promise<Map<number, string>> {
    return this.engine.transaction(() => runDigests(this.engine, stored, runs, values));
  }

  /** The rows of a source of a described query. */
  sourceRows(stored: StoredExperiment, plan: LogicalPlan): Promise<SourceRows> {
    return sourceRows(this.engine, stored, plan);
  }

  /** The statement that `select` and `sourceRows` would run. */
  statement(stored: StoredExperiment, plan: LogicalPlan): Promise<Statement> {
    return planStatement(this.engine, stored, plan);
  }

  /** The distinct values of a variable in active runs that satisfy the condition, ascending. */
  distinct(stored: StoredExperiment, variable: Variable, condition: Predicate): Promise<Value[]> {
    return distinctValues(this.engine, stored, variable, condition);
  }
}

/** Fails with `statement-refused`. Defines views only for experiments whose names occur in the statement, for speed. */
async function askSql(engine: Engine, statement: string): Promise<Table> {
  const text = statement.toLowerCase();
  const named = await experimentsWhere(engine, (name) => text.includes(name.toLowerCase()));
  // The statement may be untrusted: it must not read files.
  await engine.forbidFiles();
  try {
    return await engine.query(withViews([...catalogueViews, ...named.map(experimentView)], statement));
  } catch (error) {
    if (isFailure(error, "database-refused"))
      throw new Failure("statement-refused", { reason: error.data["reason"] }, error);
    throw error;
  }
}

/** The columns of all views: view, column, type, unit, synopsis. */
async function viewColumns(engine: Engine): Promise<Table> {
  const experiments = await experimentsWhere(engine, () => true);
  const catalogue = catalogueViews.map((view) => ({ view, of: [] as readonly Variable[] }));
  const own = experiments.map((stored) => ({ view: experimentView(stored), of: stored.experiment.variables }));
  const rows: (string | null)[][] = [];
  for (const { view, of } of [...catalogue, ...own]) {
    const { variables } = await engine.query(
      withViews([view], `select * from "${view.name.replaceAll('"', '""')}" limit 0`),
    );
    rows.push(...variables.map((column) => columnRow(view.name, column, of)));
  }
  return tableOf(["view", "column", "type", "unit", "synopsis"].map(textColumn), rows);
}

function columnRow(view: string, { name, type }: Variable, of: readonly Variable[]): (string | null)[] {
  const variable = of.find((each) => each.name === name);
  return [view, name, type, formatUnit(variable?.unit) || null, variable?.synopsis ?? null];
}

function textColumn(name: string): Variable {
  return { name, role: "parameter", occurrence: "multiple", type: "text" };
}

async function experimentsWhere(engine: Engine, matches: (name: string) => boolean): Promise<StoredExperiment[]> {
  const experiments: StoredExperiment[] = [];
  for (const { name } of await listExperiments(engine))
    if (matches(name)) experiments.push(await findExperiment(engine, name));
  return experiments;
}
