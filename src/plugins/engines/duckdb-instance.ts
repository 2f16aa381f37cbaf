import { existsSync } from "node:fs";
import type { Bindings, Connection, Database } from "./duckdb-bindings.ts";

/** The name of the attached file within its instance, where DuckDB itself uses `memory`, `system` and `temp`. */
const attached = "experiments";

/**
 * An instance without a file, for the next one: creating an instance takes five times as long as attaching a file,
 * since DuckDB registers thousands of functions.
 */
let idle: Database | undefined;

/** An instance of DuckDB with one attached file. */
export class DatabaseInstance {
  readonly #duckdb: Bindings;
  readonly #database: Database;
  readonly #path: string;
  #isReusable = true;

  private constructor(duckdb: Bindings, database: Database, path: string) {
    this.#duckdb = duckdb;
    this.#database = database;
    this.#path = path;
  }

  /** Attaches the file, which "write" creates. Fails with DuckDB's error. */
  static async open(duckdb: Bindings, path: string, mode: "read" | "write"): Promise<DatabaseInstance> {
    const known = idle;
    idle = undefined;
    const database = known ?? (await createInstance(duckdb));
    const instance = new DatabaseInstance(duckdb, database, path);
    try {
      await instance.#withConnection(async (connection) => {
        await duckdb.query(connection, settingsFor(path, mode));
        await duckdb.query(connection, `attach ${quoted(path)} as ${attached} (${optionsOf[mode]})`);
      });
    } catch (error) {
      // The next attempt needs one.
      if (isLocked(error) && idle === undefined) idle = database;
      else duckdb.close_sync(database);
      // What earlier files have left in the instance must not decide.
      if (known !== undefined && !isLocked(error)) return DatabaseInstance.open(duckdb, path, mode);
      throw error;
    }
    return instance;
  }

  /** A connection whose statements use the file. */
  async connect(): Promise<Connection> {
    const connection = await this.#duckdb.connect(this.#database);
    await this.#duckdb.query(connection, `use ${attached}`);
    return connection;
  }

  /** The instance gets settings that the next file must not find. */
  keepForThisFile(): void {
    this.#isReusable = false;
  }

  /** Closes the file, after all connections. Never fails: what is committed is in the file or its log. */
  async close(): Promise<void> {
    if (await this.#detach()) idle = this.#database;
    else this.#duckdb.close_sync(this.#database);
  }

  /** Whether the instance can be used for another file: DuckDB refuses everything after a fatal error. */
  async #detach(): Promise<boolean> {
    // DuckDB removes the folder of spilled rows with the instance only.
    if (!this.#isReusable || idle !== undefined || existsSync(spillFolder(this.#path))) return false;
    try {
      await this.#withConnection((connection) => this.#duckdb.query(connection, `detach ${attached}`));
      return idle === undefined;
    } catch {
      return false;
    }
  }

  async #withConnection(work: (connection: Connection) => Promise<unknown>): Promise<void> {
    const connection = await this.#duckdb.connect(this.#database);
    try {
      await work(connection);
    } finally {
      this.#duckdb.disconnect_sync(connection);
    }
  }
}

/** Whether another process has the file open: DuckDB's errors differ in their messages only. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("Could not set lock on file");
}

/** Disables extensions, so that an unknown function name never triggers a download. */
function createInstance(duckdb: Bindings): Promise<Database> {
  const config = duckdb.create_config();
  duckdb.set_config(config, "autoinstall_known_extensions", "false");
  duckdb.set_config(config, "autoload_known_extensions", "false");
  return duckdb.open(":memory:", config);
}

const optionsOf = {
  read: "type duckdb, read_only",
  // New files require DuckDB 1.3: repeated text uses one compression method instead of trying three.
  write: "type duckdb, storage_version 'v1.3.0'",
};

function settingsFor(path: string, mode: "read" | "write"): string {
  const spill = `set temp_directory = ${quoted(spillFolder(path))}`;
  if (mode === "read") return `${spill}; reset memory_limit; reset threads`;
  return `
    ${spill};
    -- Without a limit all blocks that an import writes stay in memory, up to most of the machine's.
    set memory_limit = '${memoryFor(0)}';
    -- Larger commits are written directly to the database instead of through the write-ahead log.
    set checkpoint_threshold = '64KB';
    -- Appending takes twice as long with several threads.
    set threads = 1`;
}

/** Where DuckDB puts rows that do not fit into memory: next to the file, as without attaching. */
function spillFolder(path: string): string {
  return `${path}.tmp`;
}

/**
 * Per column DuckDB buffers a full row group, 122,880 cells of mostly 8 bytes, and compresses it while filling the
 * next.
 */
export function memoryFor(columns: number): string {
  return `${48 + 3 * columns}MB`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
