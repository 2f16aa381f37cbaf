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
   * Reads the whole database at a path in another process, because damage with valid checksums may crash or hang the
   * reader; absent on servers. A locked or missing database passes. Fails with `database-damaged`.
   */
  tryReading?(path: string): Promise<void>;
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
 * `database-refused` (statement or data), `database-unwritable` (disk full, no permission), `database-damaged`, or
 * `cannot-read` (an error of the disk).
 *
 * Values are represented as in core/values/value.ts. SQL types: date DATE, timestamp TIMESTAMP (UTC), boolean BOOLEAN,
 * integer BIGINT, float DOUBLE PRECISION, binary `dialect.bytesType`; all other types are numbers or text. Dates and
 * timestamps are bound as ISO text with a cast. Text with a NUL fails with `text-not-storable`.
 */
export interface Engine {
  readonly dialect: Dialect;
  readonly catalogue: Catalogue;
  readonly rights: Rights;
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
   * Connects to the servers that hold the shards of `table`, for rows of the open transaction. undefined where rows
   * have to be appended through this engine, which is always possible: the user has no login there, a server does not
   * answer within two seconds or is not provably the one that this engine uses, or the transaction has changed the
   * columns of `table`. Absent if no table has shards.
   */
  openShards?(table: string): Promise<ShardConnections | undefined>;
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
  /**
   * Runs `work` without reordering the joins of its statements, which read their first table row by row and keep the
   * others in memory; absent if the planner knows the sizes of tables that the open transaction has filled.
   */
  joinsAsWritten?<T>(work: () => Promise<T>): Promise<T>;
  /**
   * `committed` runs after the commit of each transaction, before `transaction` resolves; absent on servers. It must
   * not fail.
   */
  onCommit?(committed: () => Promise<void>): void;
  /** Moves all commits into the file of the database; absent on servers, which do so themselves. */
  checkpoint?(): Promise<void>;
  /**
   * For a new file that gets many changes: rewrites its tables after 4 MiB of commits instead of almost every one.
   * Larger commits still need no more memory. Absent on servers.
   */
  checkpointSeldom?(): Promise<void>;
  /** Bars all later statements from reading files. */
  forbidFiles(): Promise<void>;
  /** Checks the checksums of all blocks; absent on servers, which do so themselves. Fails with `database-damaged`. */
  verify?(): Promise<void>;
  /** Fingerprints of everything that is stored, for comparison with another database; absent on servers. */
  fingerprints?(): Promise<Fingerprints>;
  /**
   * Cancels the running statement, which then fails; resolves once the request is sent. Has no effect on later
   * statements or when none runs.
   */
  cancel(): Promise<void>;
  /** Idempotent. Rolls back an open transaction. */
  close(): Promise<void>;
}

/**
 * Direct ways to the shards of a table, until the transaction ends. What is appended belongs to the transaction but is
 * not visible to its statements.
 */
export interface ShardConnections {
  /** Appends rows like `Engine.append`; the first column is the run, by which rows are assigned to shards. */
  append(columns: readonly string[], rows: Table): Promise<void>;
}

/** A table: how it was created, and a fingerprint of its rows by run; by null if its rows have no run. */
export interface TableFingerprint {
  readonly table: string;
  readonly definition: string;
  readonly rows: ReadonlyMap<number | null, string>;
}

export interface Fingerprints {
  readonly tables: readonly TableFingerprint[];
  /** The next number of each sequence. */
  readonly next: ReadonlyMap<string, number>;
}

/** What engines write differently in SQL. Shared code asks for these, never for the name of an engine. */
export interface Dialect {
  /** For tests and messages. */
  readonly name: string;
  /** The column type for bytes. */
  readonly bytesType: string;
  /** Appended to a query to lock its rows until the transaction ends; empty if only one process can write. */
  readonly rowLock: string;
  /** The operator of the quotient of two integers, without its fraction. */
  readonly wholeQuotient: string;
  /** The type of a sum of many row hashes. */
  readonly hashSumType: string;
  /** Decodes an SQL expression of base64 text, the form of bytes in values. */
  bytesOf(base64: string): string;
  /** The mean of the numbers `column` without the share `share` (below 0.5) of the least and of the greatest. */
  trimmedMean(column: string, share: number): string;
  /** The most frequent of the floating-point numbers `column`, where all NaN are equal; the least of several. */
  floatMode(column: string): string;
  /** The median of the absolute differences of the numbers `column` from their median. */
  medianDeviation(column: string): string;
  /** A 64-bit hash of one or more columns. */
  rowHash(columns: readonly string[]): string;
}

/** Groups of statements that only servers with users need; the store's layout says when each applies. */
export type LayoutExtension = "rights" | "sharding" | "own-runs";

/** Whether a variable has one value per run or one per row; each has a table. */
export type Occurrence = "once" | "multiple";

/** The id of a variable and the SQL type of its column. */
export type ColumnDefinition = readonly [variable: number, type: string];

/** An entry of the ledger as stored in the database; `time`: ISO 8601. */
export interface LedgerRow {
  readonly number: number;
  readonly experiment: number;
  readonly kind: string;
  readonly object: string;
  readonly time: string;
}

/** Changes of perfkeep's own tables, as far as engines make them differently: a server checks rights in functions. */
export interface Catalogue {
  /** Whether other users can change the database while it is open for writing. */
  readonly isShared: boolean;
  /** Whether this database can shard experiments over other servers. */
  readonly canShard: boolean;
  /** Whether numbers of sequences that a failed transaction took are lost. */
  readonly losesNumbers: boolean;
  /** Whether perfkeep's tables exist. Fails with `database-closed` if the user has no rights on them. */
  hasLayout(): Promise<boolean>;
  /** The statements of an extension; empty if this engine does not need it. */
  extension(name: LayoutExtension): readonly string[];
  /** Creates the tables and the run sequence of experiment `id`. */
  createTables(id: number, once: readonly ColumnDefinition[], multiple: readonly ColumnDefinition[]): Promise<void>;
  /** The statement that adds a column, filled with nulls. */
  columnAddition(id: number, occurrence: Occurrence, [variable, type]: ColumnDefinition): string;
  dropColumn(id: number, occurrence: Occurrence, variable: number): Promise<void>;
  /** Removes an experiment with its tables and all its rows of the catalogue. */
  dropExperiment(id: number): Promise<void>;
  /** Sets the number of the next run. */
  restartRuns(id: number, next: number): Promise<void>;
  /** `time`: ISO 8601. */
  setModified(id: number, time: string): Promise<void>;
  /** Also considers experiments that the user cannot see. `key`: the name in lower case. */
  isNameTaken(key: string): Promise<boolean>;
  /** Appends rows to a table of the catalogue. */
  append(table: string, columns: readonly string[], rows: Table): Promise<void>;
  /** The row of ledger_head, locked until the transaction ends. */
  lockLedger(): Promise<Table>;
  /** Appends consecutive entries and makes the last one the head. */
  appendLedger(entries: readonly LedgerRow[]): Promise<void>;
}

/** The rights of users on experiments. A file relies on its permissions: everything is granted to everyone. */
export interface Rights {
  /** Whether the database enforces rights. */
  readonly areEnforced: boolean;
  /** The user logged in; undefined for a file. */
  user(): Promise<string | undefined>;
  /** Who may grant the right to create experiments. */
  keeper(): Promise<string>;
  /** Whether the user sees the experiments of all users. */
  seesAll(): Promise<boolean>;
  mayCreate(): Promise<boolean>;
  isGranted(experiment: number, right: string): Promise<boolean>;
  /** Whether the user imported all these runs. */
  importedAll(experiment: number, runs: readonly number[]): Promise<boolean>;
  /** The users and groups of the server; undefined for a file, where any name is accepted. */
  roles(): Promise<readonly string[] | undefined>;
  /** Serializes changes of descriptions and rights; within a transaction of the caller. */
  lock(): Promise<void>;
  /** Replaces the rights on an experiment; experiment 0 stands for the right to create experiments. */
  replace(experiment: number, names: readonly (readonly [right: string, who: string])[]): Promise<void>;
}

/** SQL names of the tables of experiment `id`: one row per run, and the rows of all runs. */
export const onceTable = (id: number): string => `once_${id}`;
export const dataTable = (id: number): string => `data_${id}`;
export const runSequence = (id: number): string => `run_numbers_${id}`;
export const columnName = (variable: number): string => `p_${variable}`;

export function tableOf(id: number, occurrence: Occurrence): string {
  return occurrence === "once" ? onceTable(id) : dataTable(id);
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
