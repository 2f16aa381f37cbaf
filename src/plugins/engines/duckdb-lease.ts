import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/failures/index.ts";
import type { Bindings, Connection } from "./duckdb-bindings.ts";
import { headerDamage } from "./duckdb-blocks.ts";
import { DatabaseInstance, isLocked, memoryFor } from "./duckdb-instance.ts";

/**
 * Open databases of this process by path. DuckDB's file lock does not protect two instances within one process: one's
 * commits are lost when the other checkpoints.
 */
const openFiles = new Map<string, OpenFile>();

interface OpenFile {
  readonly mode: "read" | "write";
  readonly instance: Promise<DatabaseInstance>;
  users: number;
  /** Settles once the file is closed; undefined while it has users. */
  closed: Promise<void> | undefined;
  /** Number of table columns that the memory limit allows for. */
  width: number;
}

/** A reference to an open database. `release` returns it, after its connections; the last release closes the file. */
export interface Lease {
  readonly path: string;
  /** Mode of the database, which may be "write" although "read" was requested. */
  readonly mode: "read" | "write";
  connect(): Promise<Connection>;
  /** Keeps other databases of this process free of settings that cannot be undone. */
  keepForThisFile(): void;
  /** The statement that raises the memory limit for a table of `columns` columns; undefined if unnecessary. */
  widen(columns: number): string | undefined;
  release(): Promise<void>;
}

/** Opens a database; waits up to `patience` ms while another process (or, to write, a reader here) holds it. */
export async function lease(duckdb: Bindings, url: string, mode: "read" | "write", patience: number): Promise<Lease> {
  const path = resolve(url);
  if (mode === "read" && !existsSync(path)) throw new Failure("no-database", { path: url });
  requireStorable(path);
  let pause = 20;
  for (let waited = 0; ; waited += pause) {
    const attempt = await tryLease(duckdb, path, mode);
    if ("release" in attempt) return attempt;
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
  await openFiles.get(path)?.closed;
  const known = openFiles.get(path);
  // Before DuckDB opens it: closing any descriptor of a file ends the locks that the process has on it.
  const damage = known === undefined && existsSync(path) ? headerDamage(path) : null;
  if (damage !== null) throw new Failure("database-damaged", { path, reason: damage });
  if (known !== undefined && known.mode === "read" && mode === "write") return { holder: process.pid };
  const file = known ?? startOpening(duckdb, path, mode);
  file.users++;
  try {
    return leaseOf(path, file, await file.instance);
  } catch (error) {
    file.users--;
    if (openFiles.get(path) === file) openFiles.delete(path);
    return busyOrFail(path, error);
  }
}

function startOpening(duckdb: Bindings, path: string, mode: "read" | "write"): OpenFile {
  const instance = DatabaseInstance.open(duckdb, path, mode);
  const file: OpenFile = { mode, instance, users: 0, closed: undefined, width: 0 };
  openFiles.set(path, file);
  return file;
}

/** DuckDB takes `?` for the start of options, and cuts the name of its log there. Fails with `database-path`. */
function requireStorable(path: string): void {
  const folder = dirname(path);
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  if (path.includes("?") || real.includes("?")) throw new Failure("database-path", { path: real });
}

function leaseOf(path: string, file: OpenFile, instance: DatabaseInstance): Lease {
  let released = false;
  return {
    path,
    mode: file.mode,
    connect: () => instance.connect(),
    keepForThisFile: () => instance.keepForThisFile(),
    widen(columns) {
      if (file.mode === "read" || columns <= file.width) return undefined;
      file.width = columns;
      return `set memory_limit = '${memoryFor(columns)}'`;
    },
    async release() {
      if (released) return;
      released = true;
      file.users--;
      if (file.users > 0) return;
      file.closed = instance.close().then(() => void openFiles.delete(path));
      await file.closed;
    },
  };
}

/** DuckDB's errors differ in their messages only. */
function busyOrFail(path: string, error: unknown): { holder: number | undefined } {
  const reason = error instanceof Error ? error.message : String(error);
  if (isLocked(error)) return { holder: Number(/PID (\d+)/.exec(reason)?.[1]) || undefined };
  const line = reason.split("\n", 1)[0] ?? "";
  if (/Could not read from file.*Input.output error/.test(line))
    throw new Failure("cannot-read", { path, reason: line }, error);
  const isRefused = /Permission denied|Cannot open file|No space left|Read-only file system/.test(line);
  if (isRefused || /Too many open files|Input.output error/.test(line))
    throw new Failure("database-unwritable", { reason: line }, error);
  throw new Failure("database-damaged", { path, reason: line }, error);
}
