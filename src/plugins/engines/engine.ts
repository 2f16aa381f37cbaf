import { Failure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A kind of SQL database. All engines support the same subset of SQL (docs/design.md); identifiers never come from
 * users, values are always bound as $1, $2, ….
 */
export interface EnginePlugin extends PluginInfo {
  readonly kind: "engine";
  /**
   * Opens the database at `url` (a path, or postgres://…). Mode "read" never writes and fails with `no-database` when
   * there is none; "write" creates it. `patience` is the time to wait for a lock in milliseconds (default 30,000); a
   * server applies it to its layout lock, also in `exclusive`. `environment` holds the login: passwords never come from
   * `url`. `random` returns numbers in [0, 1) for the jitter of retries (default: no jitter). Fails with
   * `database-busy` (naming the lock holder) or `database-damaged`; a server also with `database-unreachable`,
   * `database-denied` (login), `database-forbidden` (permissions) or `database-full` (no connection available within
   * `patience`, default: the address's lock timeout).
   */
  open(
    url: string,
    mode: "read" | "write",
    patience?: number,
    environment?: Environment,
    random?: () => number,
  ): Promise<Engine>;
  /**
   * Opens the database at `url` as a server for shards of another database; absent if unsupported. Connects lazily, on
   * the first statement. Fails like `open`, and with `data-server-password` when no password is known.
   */
  openShardServer?(url: string, environment: Environment): ShardServer;
}

/** A database on another server that stores shards of experiments. */
export interface ShardServer {
  /** `host:port/database`, for messages. */
  readonly location: string;
  readonly user: string;
  readonly password: string;
  /** Options of the foreign server for postgres_fdw. */
  readonly options: readonly (readonly [name: string, value: string])[];
  /** Contains no perfkeep layout and creates none. */
  readonly engine: Engine;
}

/**
 * One connection. Statements run sequentially, even if the caller does not await them. They fail with
 * `database-refused` (statement or data), `database-unwritable` (disk full, no permission) or `database-damaged`.
 *
 * Values are represented as in core/values/value.ts. SQL types: date DATE, timestamp TIMESTAMP (UTC), boolean BOOLEAN,
 * integer BIGINT, float DOUBLE PRECISION, binary `binaryType`; all other types are numbers or text. Dates and
 * timestamps are bound as ISO text with a cast. Text with a NUL fails with `text-not-storable`.
 */
export interface Engine {
  readonly dialect: "duckdb" | "postgres";
  /** The SQL name of the column type for bytes. */
  readonly binaryType: "BLOB" | "BYTEA";
  /** True when no process can change the database while it is open. */
  readonly isConstant: boolean;
  /** Warnings for the user, such as an unencrypted connection, one line each. */
  readonly warnings: readonly string[];
  /** Runs one statement and discards its rows. */
  execute(sql: string, params?: readonly Value[]): Promise<void>;
  /**
   * Runs one query and returns the complete result. Variables carry name and type only. Columns are boolean, integer,
   * float, string, binary, date or timestamp; other types fail (cast them to VARCHAR). An exact decimal without a scale
   * becomes integer or float depending on its values; a cast fixes the type.
   */
  query(sql: string, params?: readonly Value[]): Promise<Table>;
  /**
   * Appends rows in bulk. `columns` names the SQL columns in the order of the table's columns; omitted columns of
   * `table` become NULL. Fastest with many rows per call.
   */
  append(table: string, columns: readonly string[], rows: Table): Promise<void>;
  /**
   * Runs `work` in a transaction and rolls back when it fails. Not nested; nothing else may use the engine meanwhile.
   * Concurrent transactions wait for each other's locks; on a deadlock or serialization failure one fails with
   * `database-conflict` and may be retried.
   */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction that excludes all other exclusive ones on the database, of any process; for changes of
   * the layout.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Reads everything that is stored; absent on servers, which check it themselves. Fails with `database-damaged`. */
  verify?(): Promise<void>;
  /**
   * Cancels the running statement, which then fails; resolves once the request is sent. Has no effect on later
   * statements or when none runs.
   */
  cancel(): Promise<void>;
  /** Idempotent. Rolls back an open transaction. */
  close(): Promise<void>;
}

/**
 * Implements `Engine.transaction` with `execute`. Throws the failure of `work` even if the rollback fails, since the
 * transaction or the connection may already be closed.
 */
export async function inTransaction<T>(execute: (sql: string) => Promise<void>, work: () => Promise<T>): Promise<T> {
  await execute("begin");
  try {
    const result = await work();
    await execute("commit");
    return result;
  } catch (error) {
    await execute("rollback").catch(rethrowUnlessFailure);
    throw error;
  }
}

function rethrowUnlessFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
