import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../src/core/failures/failure.ts";
import type { BuiltIn } from "../../src/plugins/builtin.ts";
import { loadBindings, type Bindings, type Database } from "../../src/plugins/engines/duckdb-bindings.ts";
import type { Lease } from "../../src/plugins/engines/duckdb-lease.ts";
import { connect } from "../../src/plugins/engines/duckdb.ts";
import type { Engine, EnginePlugin } from "../../src/plugins/engines/engine.ts";

/** A database of this process. As with a file, it has either one or more writers, or readers only. */
interface MemoryDatabase {
  readonly database: Promise<Database>;
  mode: "read" | "write";
  users: number;
}

const databases = new Map<string, MemoryDatabase>();

/** Milliseconds between two attempts of a writer to open a database that has readers. */
const pause = 5;

/** Databases in the memory of this process, by address (memory://NAME), until they are forgotten. */
export const memory: EnginePlugin = Object.freeze({
  kind: "engine",
  name: "memory",
  synopsis: "databases in the memory of this process, for tests",
  options: [],
  async open(url: string, mode: "read" | "write", patience = 30_000): Promise<Engine> {
    const bindings = await loadBindings();
    const known = databases.get(url) ?? createDatabase(bindings, url, mode);
    for (let waited = 0; !enter(known, mode); waited += pause) {
      if (waited >= patience)
        throw new Failure("database-busy", { path: url, pid: process.pid, seconds: Math.round(waited / 1000) });
      await sleep(pause);
    }
    const engine = await connect(bindings, leaseOf(bindings, url, known, await known.database));
    // There are no blocks with checksums.
    Object.assign(engine, { verify: undefined });
    return known.mode === "read" ? readOnly(engine) : engine;
  },
});

/** The entry for a list of built-in plug-ins. */
export const memoryEngine: BuiltIn<"engine"> = {
  kind: "engine",
  name: "memory",
  schemes: ["memory"],
  load: async () => memory,
};

let created = 0;

/** An address where no database is yet. */
export const memoryAddress = (): string => `memory://${++created}`;

/** Opens a new database, which is freed when it is closed. */
export async function openInMemory(): Promise<Engine> {
  const url = memoryAddress();
  const engine = await memory.open(url, "write");
  const close = engine.close.bind(engine);
  return Object.assign(engine, {
    async close() {
      await close();
      await forgetDatabase(url);
    },
  });
}

/** Frees a database, which nobody uses any more. */
export async function forgetDatabase(url: string): Promise<void> {
  const known = databases.get(url);
  databases.delete(url);
  if (known === undefined) return;
  (await loadBindings()).close_sync(await known.database);
}

function createDatabase(duckdb: Bindings, url: string, mode: "read" | "write"): MemoryDatabase {
  if (mode === "read") throw new Failure("no-database", { path: url });
  const config = duckdb.create_config();
  duckdb.set_config(config, "autoinstall_known_extensions", "false");
  duckdb.set_config(config, "autoload_known_extensions", "false");
  duckdb.set_config(config, "threads", "1");
  const known: MemoryDatabase = { database: duckdb.open(":memory:", config), mode, users: 0 };
  databases.set(url, known);
  return known;
}

/** Counts a user in; false for a writer while there are readers. */
function enter(known: MemoryDatabase, mode: "read" | "write"): boolean {
  if (known.users === 0) known.mode = mode;
  if (mode === "write" && known.mode === "read") return false;
  known.users++;
  return true;
}

function leaseOf(bindings: Bindings, path: string, known: MemoryDatabase, database: Database): Lease {
  let released = false;
  return {
    path,
    mode: known.mode,
    connect: () => bindings.connect(database),
    keepForThisFile() {},
    widen: () => undefined,
    async release() {
      if (!released) known.users--;
      released = true;
    },
  };
}

/** DuckDB has no read-only mode in memory. Temporary tables are allowed, as with a file. */
function readOnly(engine: Engine): Engine {
  const execute = engine.execute.bind(engine);
  const query = engine.query.bind(engine);
  return Object.assign(engine, {
    async execute(...statement: Parameters<Engine["execute"]>): Promise<void> {
      requireReading(statement[0]);
      await execute(...statement);
    },
    async query(...statement: Parameters<Engine["query"]>) {
      requireReading(statement[0]);
      return query(...statement);
    },
    async append(table: string) {
      requireReading(`insert into ${table}`);
    },
  });
}

function requireReading(sql: string): void {
  const isWriting = /^\s*(?:insert|update|delete|truncate|alter|drop|create(?!\s+temp))\b/i.test(sql);
  if (isWriting) throw new Failure("database-unwritable", { reason: "the database is opened in read-only mode" });
}
