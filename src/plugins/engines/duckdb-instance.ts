import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/failures/failure.ts";
import type { Bindings, Config, Database } from "./duckdb-bindings.ts";

/**
 * Open databases of this process by path. DuckDB's file lock does not guard two instances within one process: both
 * open, and what one commits is lost when the other checkpoints. So there is never more than one.
 */
const instances = new Map<string, Instance>();

interface Instance {
  readonly mode: "read" | "write";
  readonly database: Promise<Database>;
  users: number;
  /** Columns that the widest table may have for which there is memory. */
  width: number;
}

/** A share of an open database. `release` gives it back; the last one closes the file. */
export interface Lease {
  readonly database: Database;
  /** Of the database, which may be open to be written although only reading was asked for. */
  readonly mode: "read" | "write";
  /** A statement that gives DuckDB the memory to write a table of so many columns; undefined: it has that. */
  widen(columns: number): string | undefined;
  release(): void;
}

/** Waits while another process (or a reader of this one, when writing) holds the file. */
export async function lease(duckdb: Bindings, url: string, mode: "read" | "write", patience: number): Promise<Lease> {
  const path = resolve(url);
  if (mode === "read" && !existsSync(path)) throw new Failure("no-database", { path: url });
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
  if (known !== undefined && known.mode === "read" && mode === "write") return { holder: process.pid };
  const instance = known ?? { mode, database: openFile(duckdb, path, mode), users: 0, width: 0 };
  if (known === undefined) instances.set(path, instance);
  instance.users++;
  try {
    return leaseOf(duckdb, path, instance, await instance.database);
  } catch (error) {
    giveBack(path, instance);
    return busyOrFail(path, error);
  }
}

function leaseOf(duckdb: Bindings, path: string, instance: Instance, database: Database): Lease {
  let released = false;
  return {
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
      if (giveBack(path, instance)) duckdb.close_sync(database);
    },
  };
}

/** True when that was the last user. */
function giveBack(path: string, instance: Instance): boolean {
  instance.users--;
  if (instance.users > 0) return false;
  if (instances.get(path) === instance) instances.delete(path);
  return true;
}

/** A mistyped function name must never make DuckDB reach for the network, hence no extensions. */
function openFile(duckdb: Bindings, path: string, mode: "read" | "write"): Promise<Database> {
  const config = duckdb.create_config();
  duckdb.set_config(config, "access_mode", mode === "read" ? "READ_ONLY" : "READ_WRITE");
  duckdb.set_config(config, "autoinstall_known_extensions", "false");
  duckdb.set_config(config, "autoload_known_extensions", "false");
  if (mode === "write") setForWriting(duckdb, config);
  return duckdb.open(path, config);
}

function setForWriting(duckdb: Bindings, config: Config): void {
  // Otherwise every block that an import writes stays in memory, up to most of the machine's.
  duckdb.set_config(config, "memory_limit", memoryFor(0));
  // What is larger goes into the database with its commit, instead of into the log and from there into the database
  // when that is closed.
  duckdb.set_config(config, "checkpoint_threshold", "64KB");
  // Of new files, which DuckDB 1.3 and later open: texts that repeat are packed in one way instead of being tried in
  // three.
  duckdb.set_config(config, "storage_compatibility_version", "v1.3.0");
  // Appending takes twice as long with several.
  duckdb.set_config(config, "threads", "1");
}

/**
 * Of every column DuckDB holds a whole row group, 122,880 cells of mostly 8 bytes, and packs it while the next is
 * begun.
 */
function memoryFor(columns: number): string {
  return `${48 + 3 * columns}MB`;
}

/** DuckDB tells its errors apart by their words only. */
function busyOrFail(path: string, error: unknown): { holder: number | undefined } {
  const reason = error instanceof Error ? error.message : String(error);
  const lock = /Could not set lock on file/.test(reason);
  if (lock) return { holder: Number(/PID (\d+)/.exec(reason)?.[1]) || undefined };
  const line = reason.split("\n", 1)[0] ?? "";
  if (/Permission denied|Cannot open file|No space left|Read-only file system/.test(line))
    throw new Failure("database-unwritable", { reason: line }, error);
  throw new Failure("database-damaged", { path, reason: line }, error);
}
