import type { Bindings, Connection, LogicalType } from "./duckdb-bindings.ts";
import type { Writer } from "./duckdb-write.ts";

/** Makes the writer of a column of the table, by its name and type. */
export type WriterOf = (name: string, type: LogicalType) => Writer;

/**
 * Appends so few rows that they fit into one chunk, by DuckDB's appender on our own thread: a statement that asks for them takes several times as long.
 * `names`: all columns of the table in its order.
 */
export function appendFew(
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
