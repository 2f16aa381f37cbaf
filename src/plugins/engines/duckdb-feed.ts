import type { Bindings, Connection, DataChunk, LogicalType } from "./duckdb-bindings.ts";
import type { Store, Writer } from "./duckdb-write.ts";

/** Columns to be read by SQL: a type and a writer each. */
export interface FedColumns {
  readonly types: readonly LogicalType[];
  readonly writers: readonly Writer[];
  /** Rows of all of them. */
  readonly length: number;
}

/** Of all connections of this process: functions belong to the database, which they may share. */
let feeds = 0;

/**
 * A table function of one connection whose rows are columns of this program. DuckDB stores and packs them on a thread
 * of its own, and asks here for the next few when it wants them; its appender would do all of that on ours.
 */
export class Feed {
  readonly #duckdb: Bindings;
  readonly #connection: Connection;
  readonly #name = `fed_rows_${feeds++}`;
  #columns: FedColumns = { types: [], writers: [], length: 0 };
  #taken = 0;
  /** The next rows, made ready while DuckDB stored those before them. */
  #ready: readonly Store[] | undefined;
  #failure: unknown;

  /** To be made outside of transactions, which would take the function with them when they are rolled back. */
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
   * Runs `statement(source)`, in which `source` yields the columns as `c0`, `c1`, ...; nothing else may use the feed
   * meanwhile.
   */
  async run(columns: FedColumns, statement: (source: string) => string): Promise<void> {
    this.#columns = columns;
    this.#taken = 0;
    this.#ready = undefined;
    this.#failure = undefined;
    try {
      await this.#duckdb.query(this.#connection, statement(`${this.#name}()`));
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** What a writer fails with would come back as a text only. */
  #fill(chunk: DataChunk): void {
    const rows = this.#nextRows();
    this.#duckdb.data_chunk_set_size(chunk, rows);
    if (rows === 0) return;
    try {
      const stores = this.#ready ?? this.#prepared();
      stores.forEach((store, at) => store(this.#duckdb.data_chunk_get_vector(chunk, at)));
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#taken += rows;
    this.#ready = undefined;
    setImmediate(() => this.#prepareNext());
  }

  #nextRows(): number {
    return Math.min(this.#duckdb.vector_size(), this.#columns.length - this.#taken);
  }

  #prepared(): readonly Store[] {
    const rows = this.#nextRows();
    return this.#columns.writers.map((write) => write(this.#taken, rows));
  }

  #prepareNext(): void {
    if (this.#ready !== undefined || this.#nextRows() === 0) return;
    try {
      this.#ready = this.#prepared();
    } catch {
      // Told once DuckDB asks for these rows, which prepares them again.
    }
  }
}
