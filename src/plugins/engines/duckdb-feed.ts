import type { Bindings, Connection, DataChunk, LogicalType } from "./duckdb-bindings.ts";
import type { Store, Writer } from "./duckdb-write.ts";

/** Columns to expose to SQL, each with a type and a writer. */
export interface SourceColumns {
  readonly types: readonly LogicalType[];
  readonly writers: readonly Writer[];
  /** Number of rows. */
  readonly length: number;
}

/** Number of feeds in this process, for unique names: functions belong to the database, which connections may share. */
let feeds = 0;

/**
 * A table function of one connection that returns in-memory columns. DuckDB pulls chunks of rows, and compresses and
 * stores them on its own thread; its appender does this on the main thread.
 */
export class Feed {
  readonly #duckdb: Bindings;
  readonly #connection: Connection;
  readonly #name = `fed_rows_${feeds++}`;
  #columns: SourceColumns = { types: [], writers: [], length: 0 };
  #nextRow = 0;
  /** The next rows, prepared while DuckDB stores the previous ones. */
  #ready: readonly Store[] | undefined;
  #failure: unknown;

  /** Call outside of transactions: a rollback would drop the function. */
  constructor(duckdb: Bindings, connection: Connection) {
    this.#duckdb = duckdb;
    this.#connection = connection;
    const table = duckdb.create_table_function();
    duckdb.table_function_set_name(table, this.#name);
    duckdb.table_function_set_bind(table, (info) =>
      this.#columns.types.forEach((type, at) => duckdb.bind_add_result_column(info, `c${at}`, type)),
    );
    duckdb.table_function_set_init(table, (info) => duckdb.init_set_max_threads(info, 1));
    duckdb.table_function_set_function(table, (_, chunk) => this.#fill(chunk));
    duckdb.register_table_function(connection, table);
  }

  /**
   * Runs `statement(source)`, where `source` is a table expression with the columns `c0`, `c1`, .... Not reentrant.
   */
  async run(columns: SourceColumns, statement: (source: string) => string): Promise<void> {
    this.#columns = columns;
    this.#nextRow = 0;
    this.#ready = undefined;
    this.#failure = undefined;
    try {
      await this.#duckdb.query(this.#connection, statement(`${this.#name}()`));
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** Records a writer's error: DuckDB passes on only its message. */
  #fill(chunk: DataChunk): void {
    const rows = this.#nextRows();
    this.#duckdb.data_chunk_set_size(chunk, rows);
    if (rows === 0) return;
    try {
      const stores = this.#ready ?? this.#prepare();
      stores.forEach((store, at) => store(this.#duckdb.data_chunk_get_vector(chunk, at)));
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#nextRow += rows;
    this.#ready = undefined;
    setImmediate(() => this.#prepareNext());
  }

  #nextRows(): number {
    return Math.min(this.#duckdb.vector_size(), this.#columns.length - this.#nextRow);
  }

  #prepare(): readonly Store[] {
    const rows = this.#nextRows();
    return this.#columns.writers.map((write) => write(this.#nextRow, rows));
  }

  #prepareNext(): void {
    if (this.#ready !== undefined || this.#nextRows() === 0) return;
    try {
      this.#ready = this.#prepare();
    } catch {
      // Reported when DuckDB requests these rows, which prepares them again.
    }
  }
}
