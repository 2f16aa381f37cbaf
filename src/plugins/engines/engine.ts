import type { Table } from "../../core/table.ts";
import type { Value } from "../../core/value.ts";
import type { PluginInfo } from "../plugin.ts";

/**
 * A kind of SQL database. Both speak the same subset of SQL (docs/design.md); identifiers never come from users, values are always bound
 * as $1, $2, ….
 */
export interface EnginePlugin extends PluginInfo {
  readonly kind: "engine";
  /**
   * Opens the database at `url` (a path, or postgres://…). mode "read" never writes and fails with `no-database` when there is none;
   * "write" creates it. Fails with `database-busy` (naming the holder) when another process keeps it too long.
   */
  open(url: string, mode: "read" | "write"): Promise<Engine>;
}

export interface Engine {
  readonly dialect: "duckdb" | "postgres";
  /** Runs one statement and forgets its rows. */
  execute(sql: string, params?: readonly Value[]): Promise<void>;
  /** Runs one query; the whole result as a columnar Table (variables carry name and type only). */
  query(sql: string, params?: readonly Value[]): Promise<Table>;
  /** Appends rows in bulk. `columns` names the SQL columns in the order of the table's columns. Rows per call: as many as there are. */
  append(table: string, columns: readonly string[], rows: Table): Promise<void>;
  /** All or nothing; rolls back when `work` fails. Not nested. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
