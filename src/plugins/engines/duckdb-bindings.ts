import type * as bindings from "@duckdb/node-bindings";

/**
 * DuckDB's C interface as Node sees it. The native library is some 70 MB: it is loaded only when a database is opened.
 */
export type Bindings = (typeof bindings)["default"];

export type Config = bindings.Config;
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
