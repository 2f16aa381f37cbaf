import type { Bindings, Connection, DataChunk, LogicalType } from "./duckdb-bindings.ts";
import type { Writer } from "./duckdb-write.ts";

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
 * A table function of one connection whose rows are columns of this program. DuckDB stores and packs them on a thread of its own, and asks here for the next
 * few when it wants them; its appender would do all of that on ours.
 */
export class Feed {
  readonly #duckdb: Bindings;
  readonly #connection: Connection;
  readonly #name = `fed_rows_${feeds++}`;
  #columns: FedColumns = { types: [], writers: [], length: 0 };
  #taken = 0;
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

  /** Runs `statement(source)`, in which `source` yields the columns as `c0`, `c1`, ...; nothing else may use the feed meanwhile. */
  async run(columns: FedColumns, statement: (source: string) => string): Promise<void> {
    this.#columns = columns;
    this.#taken = 0;
    this.#failure = undefined;
    try {
      await this.#duckdb.query(this.#connection, statement(`${this.#name}()`));
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** What a writer fails with would come back as a text only. */
  #fill(chunk: DataChunk): void {
    const { writers, length } = this.#columns;
    const rows = Math.min(this.#duckdb.vector_size(), length - this.#taken);
    this.#duckdb.data_chunk_set_size(chunk, rows);
    if (rows === 0) return;
    try {
      writers.forEach((write, at) => write(this.#duckdb.data_chunk_get_vector(chunk, at), this.#taken, rows));
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#taken += rows;
  }
}
