import type { Table } from "../core/table.ts";
import type { Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import type { Predicate } from "../query/graph/predicate.ts";
import type { RowPlan } from "../query/graph/source-plan.ts";
import type { SourceRows } from "../query/graph/source-vector.ts";
import type { Query } from "../query/query.ts";
import { askSql, viewColumns } from "./ask-sql.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { contentsPerRun, type DistinctContents } from "./contents-per-run.ts";
import { exportRuns, type ExportPiece, type ExportPlan } from "./export-runs.ts";
import { stateOf } from "./ledger.ts";
import { runDigests, type DigestedContents } from "./run-digests.ts";
import type { Statement } from "./query-sql.ts";
import { select, selectStatement } from "./select.ts";
import { distinctContents, rowStatement, sourceRows } from "./source-rows.ts";

/** What the contents of experiments can be asked; nothing is changed. */
export class ExperimentQuestions {
  protected readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /**
   * Whatever `work` asks, it sees the database as it is at one moment. Where others may change it, a statement that is refused ends the
   * moment: whatever is asked then is refused, too. Not with `export`, `runDigests` and what changes something.
   */
  atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    return this.engine.isConstant ? work() : this.engine.transaction(work);
  }

  select(stored: StoredExperiment, query: Query): Promise<Table> {
    return select(this.engine, stored, query);
  }

  /** The answer to people's own SQL over the views of `sql-views.ts`; for databases opened to read. */
  ask(statement: string): Promise<Table> {
    return askSql(this.engine, statement);
  }

  /** The columns of all views: view, column, type, unit, synopsis. */
  views(): Promise<Table> {
    return viewColumns(this.engine);
  }

  /** By run the different contents of a variable, at most `most` of each; see `contentsPerRun`. */
  contentsPerRun(stored: StoredExperiment, query: Query, most: number): Promise<Map<number, DistinctContents>> {
    return contentsPerRun(this.engine, stored, query, most);
  }

  /** Contents of runs in pieces of bounded size, in order of run and import; all of them as they are at one moment. */
  export(
    stored: StoredExperiment,
    plan: ExportPlan,
    take: (piece: ExportPiece) => void | Promise<void>,
  ): Promise<void> {
    return this.engine.transaction(() => exportRuns(this.engine, stored, plan, take));
  }

  /** What an answer depends on besides the question: the engine, and the experiment as it is; undefined where that cannot be told. */
  async state(stored: StoredExperiment): Promise<readonly string[] | undefined> {
    const state = await stateOf(this.engine, stored.id);
    return state && [this.engine.dialect, ...state];
  }

  /** SHA-256 of contents by number of run; see `runDigests`. */
  runDigests(
    stored: StoredExperiment,
    runs: readonly number[],
    contents: DigestedContents,
  ): Promise<Map<number, string>> {
    return this.engine.transaction(() => runDigests(this.engine, stored, runs, contents));
  }

  /** The rows of a source of a query; see `RowPlan`. */
  sourceRows(stored: StoredExperiment, plan: RowPlan): Promise<SourceRows> {
    return sourceRows(this.engine, stored, plan);
  }

  /** The statement that `sourceRows` would run. */
  rowStatement(stored: StoredExperiment, plan: RowPlan): Promise<Statement> {
    return rowStatement(this.engine, stored, plan);
  }

  /** The statement that `select` would run. */
  selectStatement(stored: StoredExperiment, query: Query): Promise<Statement> {
    return selectStatement(this.engine, stored, query);
  }

  /** The contents of a variable that active runs have and that fulfil the condition, each once, ascending. */
  distinct(stored: StoredExperiment, variable: Variable, condition: Predicate): Promise<Value[]> {
    return distinctContents(this.engine, stored, variable, condition);
  }
}
