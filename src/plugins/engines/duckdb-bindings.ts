import type * as bindings from "@duckdb/node-bindings";
import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/failures/index.ts";
import { headerDamage } from "./duckdb-blocks.ts";

/**
 * DuckDB's C API for Node. The native library has about 70 MB, so it is loaded when a database is opened.
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

/**
 * Open databases of this process by path, one instance each. DuckDB's file lock does not protect two instances within
 * one process: one's commits are lost when the other checkpoints.
 */
const instances = new Map<string, Instance>();

interface Instance {
  readonly mode: "read" | "write";
  readonly database: Promise<Database>;
  users: number;
  /** Number of table columns that the memory limit allows for. */
  width: number;
}

/** A reference to an open database. `release` returns it; the last release closes the file. */
export interface Lease {
  readonly path: string;
  readonly database: Database;
  /** Mode of the database, which may be "write" although "read" was requested. */
  readonly mode: "read" | "write";
  /** The statement that raises the memory limit for a table of `columns` columns; undefined if unnecessary. */
  widen(columns: number): string | undefined;
  release(): void;
}

/** Opens a database; waits up to `patience` ms while another process (or, to write, a reader here) holds it. */
export async function lease(duckdb: Bindings, url: string, mode: "read" | "write", patience: number): Promise<Lease> {
  const path = resolve(url);
  if (mode === "read" && !existsSync(path)) throw new Failure("no-database", { path: url });
  requireStorable(path);
  let pause = 20;
  for (let waited = 0; ; waited += pause) {
    const attempt = await tryLease(duckdb, path, mode);
    if ("database" in attempt) return attempt;
    if (waited >= patience)
      throw new Failure("database-busy", { path: url, pid: attempt.holder, seconds: Math.round(waited / 1000) });
    pause = Math.min(pause * 1.5, 500, patience - waited);
    await sleep(pause);
  }
}

async function tryLease(
  duckdb: Bindings,
  path: string,
  mode: "read" | "write",
): Promise<Lease | { holder: number | undefined }> {
  const known = instances.get(path);
  // Before DuckDB opens it: closing any descriptor of a file ends the locks that the process has on it.
  const damage = known === undefined && existsSync(path) ? headerDamage(path) : null;
  if (damage !== null) throw new Failure("database-damaged", { path, reason: damage });
  if (known !== undefined && known.mode === "read" && mode === "write") return { holder: process.pid };
  const instance = known ?? { mode, database: openFile(duckdb, path, mode), users: 0, width: 0 };
  if (known === undefined) instances.set(path, instance);
  instance.users++;
  try {
    return leaseOf(duckdb, path, instance, await instance.database);
  } catch (error) {
    releaseInstance(path, instance);
    return busyOrFail(path, error);
  }
}

/** DuckDB takes `?` for the start of options, and cuts the name of its log there. Fails with `database-path`. */
function requireStorable(path: string): void {
  const folder = dirname(path);
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  if (path.includes("?") || real.includes("?")) throw new Failure("database-path", { path: real });
}

function leaseOf(duckdb: Bindings, path: string, instance: Instance, database: Database): Lease {
  let released = false;
  return {
    path,
    database,
    mode: instance.mode,
    widen(columns) {
      if (instance.mode === "read" || columns <= instance.width) return undefined;
      instance.width = columns;
      return `set memory_limit = '${memoryFor(columns)}'`;
    },
    release() {
      if (released) return;
      released = true;
      if (releaseInstance(path, instance)) duckdb.close_sync(database);
    },
  };
}

/** Returns true for the last user. */
function releaseInstance(path: string, instance: Instance): boolean {
  instance.users--;
  if (instance.users > 0) return false;
  if (instances.get(path) === instance) instances.delete(path);
  return true;
}

/** Disables extensions, so that an unknown function name never triggers a download. */
function openFile(duckdb: Bindings, path: string, mode: "read" | "write"): Promise<Database> {
  const config = duckdb.create_config();
  duckdb.set_config(config, "access_mode", mode === "read" ? "READ_ONLY" : "READ_WRITE");
  duckdb.set_config(config, "autoinstall_known_extensions", "false");
  duckdb.set_config(config, "autoload_known_extensions", "false");
  if (mode === "write") setForWriting(duckdb, config);
  return duckdb.open(path, config);
}

function setForWriting(duckdb: Bindings, config: Config): void {
  // Without a limit all blocks that an import writes stay in memory, up to most of the machine's.
  duckdb.set_config(config, "memory_limit", memoryFor(0));
  // Larger commits are written directly to the database instead of through the write-ahead log.
  duckdb.set_config(config, "checkpoint_threshold", "64KB");
  // New files require DuckDB 1.3: repeated text uses one compression method instead of trying three.
  duckdb.set_config(config, "storage_compatibility_version", "v1.3.0");
  // Appending takes twice as long with several threads.
  duckdb.set_config(config, "threads", "1");
}

/**
 * Per column DuckDB buffers a full row group, 122,880 cells of mostly 8 bytes, and compresses it while filling the
 * next.
 */
function memoryFor(columns: number): string {
  return `${48 + 3 * columns}MB`;
}

/** DuckDB's errors differ in their messages only. */
function busyOrFail(path: string, error: unknown): { holder: number | undefined } {
  const reason = error instanceof Error ? error.message : String(error);
  const lock = /Could not set lock on file/.test(reason);
  if (lock) return { holder: Number(/PID (\d+)/.exec(reason)?.[1]) || undefined };
  const line = reason.split("\n", 1)[0] ?? "";
  if (/Could not read from file.*Input.output error/.test(line))
    throw new Failure("cannot-read", { path, reason: line }, error);
  const isRefused = /Permission denied|Cannot open file|No space left|Read-only file system/.test(line);
  if (isRefused || /Too many open files|Input.output error/.test(line))
    throw new Failure("database-unwritable", { reason: line }, error);
  throw new Failure("database-damaged", { path, reason: line }, error);
}
