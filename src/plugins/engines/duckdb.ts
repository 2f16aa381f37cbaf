import { Failure } from "../../core/failures/index.ts";
import type { Column, Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import {
  loadBindings,
  type Bindings,
  type Connection,
  type LogicalType,
  type PreparedStatement,
  type Result,
} from "./duckdb-bindings.ts";
import { duckdbDialect, DuckdbCatalogue, DuckdbRights, withoutReordering } from "./duckdb-catalogue.ts";
import { damagedBlocks, trialDamage } from "./duckdb-blocks.ts";
import { fingerprintsOf } from "./duckdb-fingerprints.ts";
import { Feed } from "./duckdb-feed.ts";
import { lease, type Lease } from "./duckdb-lease.ts";
import { readTable } from "./duckdb-read.ts";
import { emptyWriter, isAbsent, writerFor, type Writer } from "./duckdb-write.ts";
import { inTransaction, type Engine, type EnginePlugin, type Fingerprints } from "./engine.ts";
import { StatementQueue } from "./statement-queue.ts";

/** Settings that align DuckDB's results with PostgreSQL's on any machine. */
const settings = `
  set TimeZone = 'UTC';
  set integer_division = true;
  set default_null_order = 'postgres';
  set enable_progress_bar = false`;

/** Maximum rows to append with the appender: the minimum capacity of a chunk. */
const appenderRows = 1024;

/** The embedded database: one file, read by any number of processes or written by one. */
export const duckdb: EnginePlugin = Object.freeze({
  kind: "engine",
  name: "duckdb",
  synopsis: "embedded database in one file",
  options: [],
  async open(url: string, mode: "read" | "write", patience = 30_000): Promise<Engine> {
    const bindings = await loadBindings();
    return connect(bindings, await lease(bindings, url, mode, patience));
  },
  async tryReading(path: string): Promise<void> {
    const reason = await trialDamage(path);
    if (reason !== null) throw new Failure("database-damaged", { path, reason });
  },
});

/** A connection to an open database; releases `reference` when it is closed, or if it cannot be made. */
export async function connect(bindings: Bindings, reference: Lease): Promise<Engine> {
  try {
    const connection = await reference.connect();
    await bindings.query(connection, settings);
    return new DuckdbEngine(bindings, reference, connection);
  } catch (error) {
    await reference.release();
    throw refusal(error, reference.path);
  }
}

class DuckdbEngine implements Engine {
  readonly dialect = duckdbDialect;
  readonly catalogue = new DuckdbCatalogue(this);
  readonly rights = new DuckdbRights(this);
  readonly warnings = [];
  readonly isConstant: boolean;
  readonly #duckdb: Bindings;
  readonly #lease: Lease;
  readonly #connection: Connection;
  readonly #feed: Feed;
  readonly #statements = new StatementQueue((error) => refusal(error, this.#lease.path));
  #committed: () => Promise<void> = async () => {};

  constructor(bindings: Bindings, reference: Lease, connection: Connection) {
    this.isConstant = reference.mode === "read";
    this.#duckdb = bindings;
    this.#lease = reference;
    this.#connection = connection;
    this.#feed = new Feed(bindings, connection);
  }

  async execute(sql: string, params: readonly Value[] = []): Promise<void> {
    await this.#run(sql, params, async () => {});
  }

  async query(sql: string, params: readonly Value[] = []): Promise<Table> {
    return this.#run(sql, params, (result) => readTable(this.#duckdb, result));
  }

  async append(table: string, columns: readonly string[], rows: Table): Promise<void> {
    if (rows.length === 0) return;
    await this.#statements.run(async () => {
      const widen = this.#lease.widen(columns.length);
      if (widen !== undefined) await this.#duckdb.query(this.#connection, widen);
      await (rows.length <= appenderRows
        ? this.#appendChunk(table, columns, rows)
        : this.#insert(table, columns, rows));
    });
  }

  async #appendChunk(table: string, appended: readonly string[], { columns, variables, length }: Table): Promise<void> {
    const { names } = await this.#columnsOf(table, "*");
    const unknown = appended.find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Failure("database-refused", { reason: `table ${table} has no column ${unknown}` });
    const writerOf = (name: string, type: LogicalType): Writer => {
      const at = appended.indexOf(name);
      const column = columns[at];
      return column === undefined
        ? emptyWriter(this.#duckdb)
        : writerFor(this.#duckdb, type, variables[at]?.name ?? "", column);
    };
    appendChunk(this.#duckdb, this.#connection, table, names, writerOf, length);
  }

  /** Inserts columns without any value as NULL literals, which cost almost nothing. */
  async #insert(table: string, names: readonly string[], { columns, variables, length }: Table): Promise<void> {
    const { types } = await this.#columnsOf(table, names.join(", "));
    const indexes = columns.flatMap((column, at) => (at > 0 && isAbsent(column, length) ? [] : [at]));
    const writers = indexes.map((at) =>
      writerFor(this.#duckdb, types[at] as LogicalType, variables[at]?.name ?? "", columns[at] as Column),
    );
    const selected = names.map((_, at) => (indexes.includes(at) ? `c${indexes.indexOf(at)}` : "null"));
    const columnsToInsert = { types: indexes.map((at) => types[at] as LogicalType), writers, length };
    await this.#feed.run(
      columnsToInsert,
      (source) => `insert into ${table} (${names.join(", ")}) select ${selected.join(", ")} from ${source}`,
    );
  }

  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const result = await inTransaction((sql) => this.execute(sql), work);
    await this.#committed();
    return result;
  }

  onCommit(committed: () => Promise<void>): void {
    this.#committed = committed;
  }

  /** DuckDB allows one writing process at a time. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  joinsAsWritten = <T>(work: () => Promise<T>): Promise<T> => withoutReordering((sql) => this.execute(sql), work);

  checkpoint(): Promise<void> {
    return this.execute("checkpoint");
  }

  /** Commits above the threshold are written directly to the file. */
  checkpointSeldom(): Promise<void> {
    return this.execute("set checkpoint_threshold = '4MB'");
  }

  async forbidFiles(): Promise<void> {
    this.#lease.keepForThisFile();
    await this.execute("set enable_external_access = false");
  }

  async verify(): Promise<void> {
    const { path } = this.#lease;
    const [first] = await damagedBlocks(path);
    if (first !== undefined)
      throw new Failure("database-damaged", { path, reason: `the checksum of block ${first} is wrong` });
  }

  fingerprints(): Promise<Fingerprints> {
    return fingerprintsOf((sql) => this.query(sql));
  }

  async cancel(): Promise<void> {
    if (!this.#statements.isClosed) this.#duckdb.interrupt(this.#connection);
  }

  async close(): Promise<void> {
    if (this.#statements.isClosed) return;
    await this.#statements.close();
    this.#duckdb.disconnect_sync(this.#connection);
    await this.#lease.release();
  }

  /** Prepares a statement without running it, which is ten times faster than querying the catalogue. */
  async #columnsOf(
    table: string,
    selected: string,
  ): Promise<{ names: readonly string[]; types: readonly LogicalType[] }> {
    const statement = await this.#duckdb.prepare(this.#connection, `select ${selected} from ${table}`);
    const indexes = Array.from({ length: this.#duckdb.prepared_statement_column_count(statement) }, (_, at) => at);
    const names = indexes.map((at) => this.#duckdb.prepared_statement_column_name(statement, at));
    const types = indexes.map((at) => this.#duckdb.prepared_statement_column_logical_type(statement, at));
    this.#duckdb.destroy_prepare_sync(statement);
    return { names, types };
  }

  async #run<T>(sql: string, params: readonly Value[], use: (result: Result) => Promise<T>): Promise<T> {
    return this.#statements.run(async () => {
      const statement = await this.#duckdb.prepare(this.#connection, sql);
      try {
        bind(this.#duckdb, statement, params);
        return await use(await this.#duckdb.execute_prepared(statement));
      } finally {
        this.#duckdb.destroy_prepare_sync(statement);
      }
    });
  }
}

function bind(duckdb: Bindings, statement: PreparedStatement, params: readonly Value[]): void {
  params.forEach((value, index) => {
    const at = index + 1;
    if (value === null) duckdb.bind_null(statement, at);
    else if (typeof value === "boolean") duckdb.bind_boolean(statement, at, value);
    else if (typeof value === "bigint") duckdb.bind_hugeint(statement, at, value);
    else if (typeof value === "string") bindText(duckdb, statement, at, value);
    else if (Number.isSafeInteger(value)) duckdb.bind_int64(statement, at, BigInt(value));
    else duckdb.bind_double(statement, at, value);
  });
}

function bindText(duckdb: Bindings, statement: PreparedStatement, at: number, text: string): void {
  if (text.includes("\0")) throw new Failure("text-not-storable");
  duckdb.bind_varchar(statement, at, text);
}

/** The first line of DuckDB's message; what follows it quotes the statement. */
function refusal(error: unknown, path: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const reason = (error.message.split("\n", 1)[0] ?? "").slice(0, 300);
  const isDamaged = /Corrupt database file|appears to be corrupted|Corrupted \w+ segment|Invalid bitpacking mode/.test(
    reason,
  );
  if (isDamaged) return new Failure("database-damaged", { path, reason }, error);
  if (/Could not read from file|Input.output error/.test(reason))
    return new Failure("cannot-read", { path, reason }, error);
  const unwritable =
    /No space left|IO Error|Could not write file|Read-only file system|read-only mode|Permission denied/.test(reason);
  return new Failure(unwritable ? "database-unwritable" : "database-refused", { reason }, error);
}

/** Creates the writer of a table column from its name and type. */
type WriterOf = (name: string, type: LogicalType) => Writer;

/**
 * Appends one chunk of rows with DuckDB's appender, several times faster than an insert statement for few rows.
 * `names`: all columns of the table in order.
 */
function appendChunk(
  duckdb: Bindings,
  connection: Connection,
  table: string,
  names: readonly string[],
  writerOf: WriterOf,
  rows: number,
): void {
  const appender = duckdb.appender_create(connection, null, table);
  try {
    const types = names.map((_, at) => duckdb.appender_column_type(appender, at));
    const chunk = duckdb.create_data_chunk(types);
    duckdb.data_chunk_set_size(chunk, rows);
    for (const [at, type] of types.entries())
      writerOf(names[at] as string, type)(0, rows)(duckdb.data_chunk_get_vector(chunk, at));
    duckdb.append_data_chunk(appender, chunk);
  } catch (error) {
    duckdb.appender_clear(appender);
    duckdb.appender_close_sync(appender);
    throw error;
  }
  duckdb.appender_close_sync(appender);
}
