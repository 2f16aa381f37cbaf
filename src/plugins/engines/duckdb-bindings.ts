import type * as bindings from "@duckdb/node-bindings";

/**
 * DuckDB's C API for Node. The native library has about 70 MB, so it is loaded when a database is opened.
 */
export type Bindings = (typeof bindings)["default"];

export type Connection = bindings.Connection;
export type DataChunk = bindings.DataChunk;
export type Database = bindings.Database;
export type LogicalType = bindings.LogicalType;
export type PreparedStatement = bindings.PreparedStatement;
export type Result = bindings.Result;
export type Vector = bindings.Vector;

export async function loadBindings(): Promise<Bindings> {
  return (await import("@duckdb/node-bindings")).default;
}
