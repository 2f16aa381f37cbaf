import { existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { inTransaction, type Engine, type EnginePlugin, type Environment, type ShardServer } from "./engine.ts";
import { readAddress, type Address, foreignServerOptions } from "./postgres-address.ts";
import { postgresDialect, PostgresCatalogue, PostgresRights } from "./postgres-catalogue.ts";
import { Client, type Bound, type ResultColumn, retryWhenFull } from "./postgres-client.ts";
import { binaryRows, type Target, readerFor, type Reader } from "./postgres-columns.ts";
import { failureOf } from "./postgres-failure.ts";
import { findPassword, type Password, type ServiceFiles } from "./postgres-login-files.ts";
import { openSocket, type Endpoint } from "./postgres-socket.ts";
import { typeNumber } from "./postgres-types.ts";

type Mode = "read" | "write";

/**
 * Schema of all perfkeep tables. PostgreSQL searches pg_catalog first implicitly, and creates objects in the first
 * schema of search_path.
 */
const schema = "perfkeep";

/**
 * A shared database on a server, with any number of readers and writers. `patience` applies to layout changes only.
 */
export const postgres: EnginePlugin = Object.freeze({
  kind: "engine",
  name: "postgres",
  synopsis: "shared database on a PostgreSQL server",
  options: [],
  async open(
    url: string,
    mode: Mode,
    patience?: number,
    environment: Environment = {},
    random = () => 0.5,
  ): Promise<Engine> {
    const address = readAddress(url, environment, files, userInfo().username);
    const password = findPassword(address, address.servicePassword, environment, files);
    return retryWhenFull(
      () => enter(new PostgresEngine(address, mode, patience ?? 30_000, connect(address, password, mode)), password),
      Math.min(patience ?? address.lockTimeout, address.lockTimeout),
      random,
    );
  },
  openShardServer(url: string, environment: Environment): ShardServer {
    const address = readAddress(url, environment, files, userInfo().username);
    const password = findPassword(address, address.servicePassword, environment, files);
    const { user } = address;
    const location = `${address.host}:${address.port}/${address.database}`;
    if ("refused" in password) throw password.refused;
    if (password.text === "") throw new Failure("data-server-password", { location, user });
    const engine = new PostgresEngine(address, "write", 30_000, connect(address, password, "write"));
    return { location, user, password: password.text, options: foreignServerOptions(address), engine };
  },
});

async function enter(engine: PostgresEngine, password: Password): Promise<Engine> {
  try {
    await engine.enter();
    return engine;
  } catch (error) {
    await engine.close();
    throw isFailure(error, "database-denied") && "refused" in password ? password.refused : error;
  }
}

const files: ServiceFiles = {
  exists: existsSync,
  read(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
  isShared: (path) => (statSync(path).mode & 0o077) !== 0,
};

function connect(address: Address, password: Password, mode: Mode): Client {
  const open = async (): ReturnType<typeof openSocket> => {
    try {
      return await openSocket(endpointOf(address), address.connectTimeout);
    } catch (error) {
      throw failureOf(error, address, false);
    }
  };
  const text = "text" in password ? password.text : "";
  return new Client(open, { ...address, password: text, settings: settingsFor(address, mode) }, address.connectTimeout);
}

function endpointOf({ host, port, tls, authorities, certificate, key }: Address): Endpoint {
  const pem = (name: "ca" | "cert" | "key", path: string | undefined): Partial<Record<typeof name, string>> => {
    if (path === undefined || tls === "none") return {};
    const text = files.read(path);
    if (text === undefined) throw new Failure("cannot-read", { path, reason: "TLS needs it" });
    return { [name]: text };
  };
  return { host, port, tls, ...pem("ca", authorities), ...pem("cert", certificate), ...pem("key", key) };
}

/**
 * Session settings that override those of the server, database and user: text formats of values and the search path
 * (CVE-2018-1058).
 */
function settingsFor({ lockTimeout, statementTimeout }: Address, mode: Mode): Record<string, string> {
  return {
    search_path: `${schema}, pg_temp`,
    TimeZone: "UTC",
    DateStyle: "ISO, YMD",
    bytea_output: "hex",
    extra_float_digits: "1",
    standard_conforming_strings: "on",
    default_transaction_isolation: mode === "read" ? "repeatable read" : "read committed",
    lock_timeout: String(lockTimeout),
    ...(mode === "read" ? { default_transaction_read_only: "on" } : {}),
    ...(statementTimeout === undefined ? {} : { statement_timeout: String(statementTimeout) }),
  };
}

class PostgresEngine implements Engine {
  readonly dialect = postgresDialect;
  readonly catalogue = new PostgresCatalogue(this);
  readonly rights = new PostgresRights(this);
  readonly isConstant = false;
  readonly warnings: readonly string[];
  readonly #address: Address;
  readonly #mode: Mode;
  readonly #patience: number;
  readonly #client: Client;
  /** Settles with the last statement; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #connected = false;
  #closed = false;

  constructor(address: Address, mode: Mode, patience: number, client: Client) {
    this.#address = address;
    this.#mode = mode;
    // The server interprets 0 as no timeout.
    this.#patience = Math.max(1, Math.ceil(patience));
    this.#client = client;
    this.warnings = address.warnings;
  }

  /** Connects and creates the schema if needed. Fails with `no-database` in mode "read" when it does not exist. */
  async enter(): Promise<void> {
    if (await this.#hasSchema()) return;
    const { host, port, database } = this.#address;
    if (this.#mode === "read")
      throw new Failure("no-database", { path: `${host}:${port}/${database}`, engine: "postgres" });
    await this.exclusive(async () => {
      if (!(await this.#hasSchema())) await this.execute(`create schema ${schema}`);
    });
  }

  /** Also connects. The catalogue query needs no permissions. */
  async #hasSchema(): Promise<boolean> {
    const found = await this.query("select nspname from pg_catalog.pg_namespace where nspname = $1", [schema]);
    this.#connected = true;
    return found.length > 0;
  }

  async execute(sql: string, params: readonly Value[] = []): Promise<void> {
    await this.#guard(async () => this.#client.run(sql, params.map(bound)));
  }

  query(sql: string, params: readonly Value[] = []): Promise<Table> {
    return this.#guard(async () => {
      const rows = new ResultRows();
      const columns = await this.#client.run(sql, params.map(bound), (cells, all) => rows.take(cells, all));
      return rows.finish(columns);
    });
  }

  async append(table: string, columns: readonly string[], rows: Table): Promise<void> {
    if (rows.length === 0) return;
    const names = columns.map(quoted).join(", ");
    await this.#guard(async () => {
      const found = await this.#client.run(`select ${names} from ${quoted(table)} limit 0`);
      const targets = found.map(({ name, type }, index): Target => ({
        name,
        type,
        column: rows.columns[index] ?? emptyColumn,
      }));
      await this.#client.copy(
        `copy ${quoted(table)} (${names}) from stdin (format binary)`,
        binaryRows(targets, rows.length),
      );
    });
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return inTransaction((sql) => this.execute(sql), work);
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction(async () => {
      await this.execute(`set local lock_timeout = ${Math.min(this.#patience, this.#address.lockTimeout)}`);
      await this.execute("select pg_advisory_xact_lock(hashtext('perfkeep layout'))");
      return work();
    });
  }

  /** Only superusers and their delegates can read files of a server. */
  async forbidFiles(): Promise<void> {}

  async cancel(): Promise<void> {
    if (!this.#closed) await this.#client.cancel();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#client.end();
  }

  /** Runs work sequentially, even if a caller does not await it. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#closed) throw new Failure("database-refused", { reason: "the database is closed" });
      return work();
    });
    this.#last = result.catch(() => {});
    try {
      return await result;
    } catch (error) {
      throw failureOf(error, this.#address, this.#connected);
    }
  }
}

const emptyColumn = { kind: "text", dictionary: [], codes: new Int32Array() } as const;

/** Quotes a table or column name, which may be an SQL keyword. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text has no declared type, so the statement infers it like for a literal. */
function bound(value: Value): Bound {
  if (value === null) return { text: null, type: 0 };
  if (typeof value === "string") {
    if (value.includes("\0")) throw new Failure("text-not-storable");
    return { text: value, type: 0 };
  }
  if (typeof value === "boolean") return { text: String(value), type: typeNumber.bool };
  if (typeof value === "bigint")
    return { text: String(value), type: BigInt.asIntN(64, value) === value ? typeNumber.int8 : typeNumber.numeric };
  return {
    text: Object.is(value, -0) ? "-0" : String(value),
    type: Number.isSafeInteger(value) && !Object.is(value, -0) ? typeNumber.int8 : typeNumber.float8,
  };
}

/**
 * Collects the rows of one result. Reports an error in `finish`, since the driver's row callback must not throw.
 */
class ResultRows {
  #readers: readonly Reader[] | undefined;
  #length = 0;
  #problem: unknown;

  take(cells: readonly (Uint8Array | null)[], columns: readonly ResultColumn[]): void {
    if (this.#problem !== undefined) return;
    try {
      this.#readers ??= readersFor(columns);
      for (let at = 0; at < this.#readers.length; at++) this.#readers[at]?.take(cells[at] ?? null, this.#length);
      this.#length += 1;
    } catch (error) {
      this.#problem = error;
    }
  }

  finish(columns: readonly ResultColumn[]): Table {
    if (this.#problem !== undefined) throw this.#problem;
    const done = (this.#readers ?? readersFor(columns)).map((reader) => reader.finish(this.#length));
    const variables = done.map(({ type }, at): Variable => ({
      name: columns[at]?.name ?? "",
      role: "result",
      occurrence: "multiple",
      type,
    }));
    return { variables, columns: done.map(({ column }) => column), length: this.#length };
  }
}

function readersFor(columns: readonly ResultColumn[]): readonly Reader[] {
  return columns.map(({ name, type }) => {
    const reader = readerFor(type);
    if (reader === undefined) throw new Failure("column-not-readable", { column: name });
    return reader;
  });
}
