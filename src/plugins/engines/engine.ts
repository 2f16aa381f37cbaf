import { Failure } from "../../core/failures/failure.ts";
import type { Table } from "../../core/tables/table.ts";
import type { Value } from "../../core/values/value.ts";
import type { PluginInfo } from "../plugin.ts";

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A kind of SQL database. All speak the same subset of SQL (docs/design.md); identifiers never come from users, values
 * are always bound as $1, $2, ….
 */
export interface EnginePlugin extends PluginInfo {
  readonly kind: "engine";
  /**
   * Opens the database at `url` (a path, or postgres://…). mode "read" never writes and fails with `no-database` when
   * there is none; "write" creates it. Fails with `database-busy` (naming the holder) when another process keeps it
   * longer than `patience` milliseconds (default 30,000; of a server: its layout, in `exclusive` too), and with
   * `database-damaged` when what is there is no such database. A server besides fails with `database-unreachable`,
   * `database-denied` (who logs in), `database-forbidden` (what the user may do), or `database-full` when it has no
   * connection left for as long (default: how long its address says to wait for others). `environment` is where it
   * finds who logs in: passwords never come from `url`. `random` draws numbers in [0, 1), by which the pauses of those
   * who wait for room differ (default: they do not).
   */
  open(
    url: string,
    mode: "read" | "write",
    patience?: number,
    environment?: Environment,
    random?: () => number,
  ): Promise<Engine>;
  /**
   * The database at `url` as a place for parts of experiments of another one; absent where there is no such thing. It
   * is gone to with the first statement. Fails as `open` does, and with `data-server-password` where no password is
   * known for it.
   */
  openPart?(url: string, environment: Environment): PartServer;
}

/** A database of another server that holds parts of experiments. */
export interface PartServer {
  /** `host:port/database`, for messages. */
  readonly place: string;
  readonly user: string;
  readonly password: string;
  /** How postgres_fdw gets there: options of a foreign server. */
  readonly options: readonly (readonly [name: string, value: string])[];
  /** No layout of ours is there, and none is made. */
  readonly engine: Engine;
}

/**
 * One connection. Statements of one engine run one after the other, also where nobody waits for them; what fails, fails
 * with `database-refused` (the statement or its data) or `database-unwritable` (disk full, no permission).
 *
 * Values travel as core/value.ts says. In SQL a date, a timestamp and a boolean are DATE, TIMESTAMP (UTC) and BOOLEAN
 * columns, an integer is BIGINT, a float DOUBLE PRECISION, a binary the engine's `binaryType`; every other type is a
 * number or a text. Bound dates and timestamps are ISO texts behind a cast. A text with a NUL is refused
 * (`text-not-storable`).
 */
export interface Engine {
  readonly dialect: "duckdb" | "postgres";
  /** The SQL name of the column type for bytes. */
  readonly binaryType: "BLOB" | "BYTEA";
  /** Nobody can change what is there while it is open. */
  readonly isConstant: boolean;
  /** What the user must be told of, such as a connection that nothing protects: one line each. */
  readonly warnings: readonly string[];
  /** Runs one statement and forgets its rows. */
  execute(sql: string, params?: readonly Value[]): Promise<void>;
  /**
   * Runs one query; the whole result as a columnar Table. Variables carry name and type only; columns are boolean,
   * integer, float, string, binary, date or timestamp, and anything else is refused (cast it to VARCHAR). Exact
   * decimals are integers or floats by what they hold where the engine does not tell; a cast makes sure.
   */
  query(sql: string, params?: readonly Value[]): Promise<Table>;
  /**
   * Appends rows in bulk. `columns` names the SQL columns in the order of the table's columns; columns of `table` not
   * named become NULL. Rows per call: as many as there are, the more the better.
   */
  append(table: string, columns: readonly string[], rows: Table): Promise<void>;
  /**
   * All or nothing; rolls back when `work` fails. Not nested, and nothing else may use the engine meanwhile. Two that
   * stand in each other's way wait; where that cannot end well, one fails with `database-conflict`, and all of its work
   * may be done again.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * A transaction beside which no other exclusive one runs in the same database, of whatever process: for changes of
   * its layout.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Ends the statement that runs now, so that it fails, and waits until that was asked for. To be called beside it;
   * does nothing where no statement runs, and nothing to those that come later.
   */
  cancel(): Promise<void>;
  /** Idempotent. An open transaction is rolled back. */
  close(): Promise<void>;
}

/**
 * The `transaction` of an engine whose statements `execute` runs: all or nothing of `work`, whose failure is told
 * whatever becomes of the rollback: the transaction may have ended by itself, or the connection.
 */
export async function inTransaction<T>(execute: (sql: string) => Promise<void>, work: () => Promise<T>): Promise<T> {
  await execute("begin");
  try {
    const answer = await work();
    await execute("commit");
    return answer;
  } catch (error) {
    await execute("rollback").catch(unlessFailure);
    throw error;
  }
}

function unlessFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
