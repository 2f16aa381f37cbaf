import { userInfo } from "node:os";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import {
  inTransaction,
  type Engine,
  type EnginePlugin,
  type Environment,
  type ShardConnections,
  type ShardServer,
} from "./engine.ts";
import { readAddress, type Address, foreignServerOptions } from "./postgres-address.ts";
import { postgresDialect, PostgresCatalogue, PostgresRights } from "./postgres-catalogue.ts";
import { retryWhenFull } from "./postgres-client.ts";
import { Connection, files, schema, type Mode } from "./postgres-connection.ts";
import { findPassword, type Password } from "./postgres-login-files.ts";
import { PostgresShards } from "./postgres-shards.ts";

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
      () => enter(new PostgresEngine(address, mode, patience ?? 30_000, textOf(password)), password),
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
    const engine = new PostgresEngine(address, "write", 30_000, password.text);
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

/** A connection without a password fails if the server asks for one. */
function textOf(password: Password): string {
  return "text" in password ? password.text : "";
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
  readonly #connection: Connection;
  /** Of the open transaction. */
  #shards: PostgresShards | undefined;

  constructor(address: Address, mode: Mode, patience: number, password: string) {
    this.#address = address;
    this.#mode = mode;
    // The server interprets 0 as no timeout.
    this.#patience = Math.max(1, Math.ceil(patience));
    this.#connection = new Connection(address, password, mode);
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
    return found.length > 0;
  }

  execute(sql: string, params?: readonly Value[]): Promise<void> {
    return this.#connection.execute(sql, params);
  }

  query(sql: string, params?: readonly Value[]): Promise<Table> {
    return this.#connection.query(sql, params);
  }

  append(table: string, columns: readonly string[], rows: Table): Promise<void> {
    return this.#connection.append(table, columns, rows);
  }

  async openShards(table: string): Promise<ShardConnections | undefined> {
    this.#shards ??= await PostgresShards.open(this.#connection, this.#address, table);
    return this.#shards;
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    const withShards = async (): Promise<T> => {
      try {
        const result = await work();
        await this.#shards?.commit();
        return result;
      } finally {
        await this.#shards?.close();
        this.#shards = undefined;
      }
    };
    return inTransaction((sql) => this.execute(sql), withShards);
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
    await Promise.all([this.#connection.cancel(), this.#shards?.cancel()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#shards?.close()]);
  }
}
