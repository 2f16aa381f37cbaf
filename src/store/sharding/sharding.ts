import { createHash } from "node:crypto";
import { Failure } from "../../core/failures/index.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { experimentById, type StoredExperiment } from "../catalogue/index.ts";
import {
  shardCondition,
  citusStatements,
  citusWorkerStatements,
  copyingStatements,
  definitionOf,
  digestSql,
  foreignServerStatements,
  optionOf,
  targetTable,
  commandTableStatements,
  shardedTables,
  stagingStatements,
  activationStatements,
  type Resharding,
  type NamedServer,
  type ShardedTable,
} from "./sharding-sql.ts";
import { isStaged, isShardedOver, requireRecent, requireShardable } from "./sharding-preconditions.ts";
import { recordsOf, type Row } from "../schema/index.ts";

export const shardingMethods = ["postgres_fdw", "citus"] as const;

export interface ShardingOptions {
  /** The servers of the shards, one each; none to store all rows with the catalogue. */
  readonly servers: readonly ShardServer[];
  readonly method: (typeof shardingMethods)[number];
  /** Returns the statements without running them. */
  readonly dryRun: boolean;
}

/** A statement and its server. Passwords are replaced with `…`. */
export interface ServerStatement {
  readonly location: string;
  readonly sql: string;
}

export interface ShardingResult {
  readonly statements: readonly ServerStatement[];
  /** Number of rows by shard; empty if no row was moved. */
  readonly rows: readonly number[];
  /** False if the rows were already there; only logins are updated. */
  readonly moved: boolean;
}

/**
 * Shards the rows of an experiment over data servers, or moves them back. Each shard is filled in its own transaction,
 * and complete shards are skipped, so that an interrupted run can be resumed. The last transaction blocks writers,
 * compares all shards again and activates them; until then the experiment is unchanged. Fails with `no-spreading`,
 * `parts-differ`.
 */
export async function shardExperiment(
  engine: Engine,
  stored: StoredExperiment,
  options: ShardingOptions,
): Promise<ShardingResult> {
  await requireShardable(engine, stored, options);
  return new Sharding(engine, stored, options, await nameServers(engine, options.servers)).run();
}

/** Derives deterministic names of the servers. */
async function nameServers(engine: Engine, servers: readonly ShardServer[]): Promise<NamedServer[]> {
  const [row] = recordsOf(await engine.query("select database from ledger_head"));
  const schema = `perfkeep_${String(row?.get("database")).replace(/[^0-9a-f]/g, "")}`;
  const nameOf = ({ user, options }: ShardServer): string =>
    `perfkeep_${createHash("sha256")
      .update(JSON.stringify([user, options]))
      .digest("hex")
      .slice(0, 16)}`;
  return servers.map((server) => ({ ...server, schema, name: nameOf(server) }));
}

class Sharding {
  readonly #engine: Engine;
  readonly #stored: StoredExperiment;
  readonly #options: ShardingOptions;
  readonly #servers: readonly NamedServer[];
  readonly #tables: readonly [once: ShardedTable, data: ShardedTable];
  readonly #statements: ServerStatement[] = [];

  constructor(engine: Engine, stored: StoredExperiment, options: ShardingOptions, servers: readonly NamedServer[]) {
    this.#engine = engine;
    this.#stored = stored;
    this.#options = options;
    this.#servers = servers;
    this.#tables = shardedTables(engine, stored);
  }

  async run(): Promise<ShardingResult> {
    if (this.#options.method === "citus") return this.#delegateToCitus();
    await this.#lock();
    if (!this.#options.dryRun) for (const server of this.#servers) await requireRecent(server, this.#stored);
    for (const { location, engine, schema } of this.#servers)
      await this.#within(engine, () => this.#execute(commandTableStatements(schema), engine, location));
    await this.#within(this.#engine, () => this.#nameServers());
    if (await isShardedOver(this.#engine, this.#tables, this.#servers, this.#stored.shards)) return this.#keepRows();
    if (this.#options.dryRun || !(await isStaged(this.#engine, this.#tables, this.#servers)))
      await this.#asOwner(async () =>
        this.#execute(stagingStatements(this.#stored.id, this.#tables, this.#servers, await this.#attemptId())),
      );
    for (const at of this.#shardNumbers) await this.#asOwner(() => this.#fillShard(at));
    const rows = await this.#asOwner(() => this.#activate());
    await this.#asOwner(() => this.#execute([`select drop_aside(${this.#stored.id}, 'old')`]));
    return { statements: this.#statements, rows: rows, moved: true };
  }

  /** Removes leftovers of attempts to reshard. */
  async #keepRows(): Promise<ShardingResult> {
    await this.#asOwner(() =>
      this.#execute(["new", "old"].map((age) => `select drop_aside(${this.#stored.id}, '${age}')`)),
    );
    return { statements: this.#statements, rows: [], moved: false };
  }

  /** Citus requires the same database name on all workers. */
  async #delegateToCitus(): Promise<ShardingResult> {
    const [row] = recordsOf(await this.#engine.query("select cast(current_database() as varchar) as name"));
    for (const { location, options } of this.#servers) {
      if (optionOf(options, "dbname") === row?.get("name")) continue;
      const reason = `Citus requires the database '${row?.get("name")}' on every server, but ${location} is another`;
      throw new Failure("no-spreading", {
        experiment: this.#stored.experiment.name,
        reason,
        advice: "use databases with the same name",
      });
    }
    for (const { location, engine } of this.#servers) await this.#execute(citusWorkerStatements, engine, location);
    await this.#execute(citusStatements(this.#stored.id, this.#servers));
    return { statements: this.#statements, rows: [], moved: true };
  }

  get #move(): Resharding {
    return { from: this.#stored.shards ?? 0, to: this.#servers.length };
  }

  /** Numbers of the shards; without servers, 0 for the local tables. */
  get #shardNumbers(): number[] {
    return this.#servers.length === 0 ? [0] : this.#servers.map((_, at) => at);
  }

  /** Takes a lock on resharding the experiment until the connection ends. */
  async #lock(): Promise<void> {
    if (this.#options.dryRun) return;
    const sql = "select pg_try_advisory_lock(hashtext('perfkeep spreading'), cast($1 as integer)) as held";
    if (recordsOf(await this.#engine.query(sql, [this.#stored.id]))[0]?.get("held") === true) return;
    const { name } = this.#stored.experiment;
    throw new Failure("no-spreading", {
      experiment: name,
      reason: "another process is sharding it",
      advice: "wait until it has finished",
    });
  }

  async #execute(
    statements: readonly string[],
    engine: Engine = this.#engine,
    location = "coordinator",
  ): Promise<void> {
    for (const sql of statements) {
      this.#statements.push({ location, sql });
      if (!this.#options.dryRun) await engine.execute(sql);
    }
  }

  #within<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
    return this.#options.dryRun ? work() : engine.transaction(work);
  }

  #asOwner<T>(work: () => Promise<T>): Promise<T> {
    return this.#within(this.#engine, async () => {
      await this.#becomeOwner();
      return work();
    });
  }

  /** Makes the schema's owner the owner of created objects. */
  async #becomeOwner(): Promise<void> {
    const sql =
      "select set_config('role', pg_get_userbyid(nspowner), true) from pg_namespace where nspname = 'perfkeep'";
    if (!this.#options.dryRun) await this.#engine.execute(sql);
  }

  async #nameServers(): Promise<void> {
    if (this.#servers.length === 0) return;
    await this.#allowWrapper();
    await this.#becomeOwner();
    for (const server of this.#servers) {
      const { server: statements, login } = foreignServerStatements(server, "…");
      await this.#execute(statements);
      this.#statements.push({ location: "coordinator", sql: login });
      if (!this.#options.dryRun) await this.#logIn(server);
    }
  }

  /** Only superusers can create the extension and grant its use. */
  async #allowWrapper(): Promise<void> {
    const schemaOwner = "(select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'perfkeep')";
    const [row] = recordsOf(await this.#engine.query(`select cast(quote_ident(${schemaOwner}) as varchar) as owner`));
    const create = "create extension if not exists postgres_fdw with schema public";
    const grant = `grant usage on foreign data wrapper postgres_fdw to ${row?.get("owner")}`;
    try {
      await this.#execute([create]);
      if (this.#options.dryRun) return;
      const usable = `select has_foreign_data_wrapper_privilege(${schemaOwner}, 'postgres_fdw', 'usage') as usable`;
      if (recordsOf(await this.#engine.query(usable))[0]?.get("usable") === false) await this.#execute([grant]);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "database-forbidden") throw error;
      throw new Failure("wrapper-forbidden", { ...error.data, statements: `${create}; ${grant}` }, error);
    }
  }

  /** Binds the password, because servers log statement texts. */
  async #logIn({ name, user, password }: NamedServer): Promise<void> {
    await this.#engine.execute(
      "select set_config('perfkeep.user', $1, true), set_config('perfkeep.password', $2, true)",
      [user, password],
    );
    await this.#engine.execute(
      `do $$ begin execute format('create user mapping for public server ${name} options (user %L, password %L)',
        current_setting('perfkeep.user'), current_setting('perfkeep.password')); end $$`,
    );
    await this.#engine.execute("select set_config('perfkeep.password', '', true)");
  }

  async #attemptId(): Promise<string> {
    if (this.#options.dryRun) return "x";
    const [row] = recordsOf(await this.#engine.query("select cast(pg_current_xact_id() as varchar) as attempt"));
    return `x${row?.get("attempt")}`;
  }

  /** Copies the rows of a shard unless they are there. Returns the number of rows. */
  async #fillShard(at: number): Promise<number> {
    let rows = 0;
    for (const table of this.#tables) {
      if (this.#options.dryRun) {
        await this.#execute(copyingStatements(table, this.#move, at));
        continue;
      }
      const expected = await this.#digest(table, table.name, shardCondition(table, this.#move, at));
      if (!sameCells(expected, await this.#storedDigest(table, at))) {
        await this.#execute(copyingStatements(table, this.#move, at));
        const actual = await this.#storedDigest(table, at);
        if (!sameCells(expected, actual)) throw this.#mismatch(table, at, expected, actual);
      }
      rows = Number(expected.get("c0"));
    }
    return rows;
  }

  #storedDigest(table: ShardedTable, at: number): Promise<Row> {
    return this.#digest(table, targetTable(table, this.#move, at), "true");
  }

  async #digest(table: ShardedTable, from: string, where: string): Promise<Row> {
    const [row] = recordsOf(await this.#engine.query(digestSql(table, from, where)));
    return row as Row;
  }

  #mismatch(table: ShardedTable, at: number, expected: Row, actual: Row): Failure {
    const rowsText = (row: Row): string => `${row.get("c0")} rows of ${table.name}`;
    return new Failure("parts-differ", {
      experiment: this.#stored.experiment.name,
      part: at + 1,
      found: rowsText(actual),
      wanted: `${rowsText(expected)}, or others`,
    });
  }

  /** Replaces the tables; blocks writers until the end of the transaction. */
  async #activate(): Promise<number[]> {
    const { id, experiment } = this.#stored;
    const rows: number[] = [];
    await this.#execute([
      "select hold_rights()",
      `lock table ${this.#tables.map(({ name }) => name).join(", ")} in share row exclusive mode`,
    ]);
    if (!this.#options.dryRun) {
      const current = shardedTables(this.#engine, await experimentById(this.#engine, id));
      if (
        current.some((table, at) => definitionOf(table, true) !== definitionOf(this.#tables[at] as ShardedTable, true))
      )
        throw new Failure("no-spreading", {
          experiment: experiment.name,
          reason: "its variables changed meanwhile",
          advice: "retry",
        });
      for (const at of this.#shardNumbers) rows.push(await this.#fillShard(at));
    }
    await this.#execute(activationStatements(id, this.#tables, this.#servers));
    return rows;
  }
}

function sameCells(a: Row, b: Row): boolean {
  return [...a].every(([name, cell]) => b.get(name) === cell);
}
