import { createHash } from "node:crypto";
import { Failure } from "../../core/failures/failure.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { experimentById, type StoredExperiment } from "../catalogue/catalogue.ts";
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
import { isStaged, isShardedOver } from "./foreign-shards.ts";
import { recordsOf, type Row } from "../schema/result-rows.ts";
import { requireRecent, requireShardable } from "./sharding-requirements.ts";

export const shardingMethods = ["postgres_fdw", "citus"] as const;

export interface ShardingOptions {
  /** Where the parts are to be, one each; none: all rows lie beside the catalogue again. */
  readonly servers: readonly ShardServer[];
  readonly method: (typeof shardingMethods)[number];
  /** Tells the statements and runs none of them. */
  readonly dryRun: boolean;
}

/** A statement and the server that it is for. Passwords are `…` in it. */
export interface ServerStatement {
  readonly place: string;
  readonly sql: string;
}

export interface ShardingResult {
  readonly statements: readonly ServerStatement[];
  /** Data sets by part; none where no row was moved. */
  readonly dataSets: readonly number[];
  /** False where the rows lay there before: only logins are told anew. */
  readonly moved: boolean;
}

/**
 * Spreads the rows of an experiment over data servers, or brings them back. Parts are filled one transaction each,
 * which is left out where a part is right already: what was interrupted goes on where it was. Until the last
 * transaction, which compares all of them once more while nobody writes, the experiment is as it was. Fails with
 * `no-spreading`, `parts-differ`.
 */
export async function shardExperiment(
  engine: Engine,
  stored: StoredExperiment,
  options: ShardingOptions,
): Promise<ShardingResult> {
  await requireShardable(engine, stored, options);
  return new Sharding(engine, stored, options, await nameServers(engine, options.servers)).run();
}

/** Names that are the same whenever the same server is meant. */
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
  readonly #told: ServerStatement[] = [];

  constructor(engine: Engine, stored: StoredExperiment, options: ShardingOptions, servers: readonly NamedServer[]) {
    this.#engine = engine;
    this.#stored = stored;
    this.#options = options;
    this.#servers = servers;
    this.#tables = tablesOf(engine, stored);
  }

  async run(): Promise<ShardingResult> {
    if (this.#options.method === "citus") return this.#leaveToCitus();
    await this.#hold();
    if (!this.#options.dryRun) for (const server of this.#servers) await requireRecent(server, this.#stored);
    for (const { location: place, engine, schema } of this.#servers)
      await this.#within(engine, () => this.#do(commandTableStatements(schema), engine, place));
    await this.#within(this.#engine, () => this.#nameServers());
    if (await isShardedOver(this.#engine, this.#tables, this.#servers, this.#stored.shards)) return this.#stay();
    if (this.#options.dryRun || !(await isStaged(this.#engine, this.#tables, this.#servers)))
      await this.#asOwner(async () =>
        this.#do(stagingStatements(this.#stored.id, this.#tables, this.#servers, await this.#mark())),
      );
    for (const at of this.#places) await this.#asOwner(() => this.#fill(at));
    const dataSets = await this.#asOwner(() => this.#turn());
    await this.#asOwner(() => this.#do([`select drop_aside(${this.#stored.id}, 'old')`]));
    return { statements: this.#told, dataSets, moved: true };
  }

  /** What attempts to move elsewhere have left is of no use any more. */
  async #stay(): Promise<ShardingResult> {
    await this.#asOwner(() => this.#do(["new", "old"].map((age) => `select drop_aside(${this.#stored.id}, '${age}')`)));
    return { statements: this.#told, dataSets: [], moved: false };
  }

  /** A worker is asked for the database of the same name. */
  async #leaveToCitus(): Promise<ShardingResult> {
    const [row] = recordsOf(await this.#engine.query("select cast(current_database() as varchar) as name"));
    for (const { location: place, options } of this.#servers) {
      if (optionOf(options, "dbname") === row?.get("name")) continue;
      const reason = `Citus wants the database '${row?.get("name")}' on every server, and ${place} is another`;
      throw new Failure("no-spreading", {
        experiment: this.#stored.experiment.name,
        reason,
        advice: "name databases that are called the same",
      });
    }
    for (const { location: place, engine } of this.#servers) await this.#do(citusWorkerStatements, engine, place);
    await this.#do(citusStatements(this.#stored.id, this.#servers));
    return { statements: this.#told, dataSets: [], moved: true };
  }

  get #move(): Resharding {
    return { from: this.#stored.shards ?? 0, to: this.#servers.length };
  }

  /** Parts by number; where there are no servers the new tables are the only ones. */
  get #places(): number[] {
    return this.#servers.length === 0 ? [0] : this.#servers.map((_, at) => at);
  }

  /** Nobody else spreads the same experiment until the connection ends. */
  async #hold(): Promise<void> {
    if (this.#options.dryRun) return;
    const sql = "select pg_try_advisory_lock(hashtext('perfkeep spreading'), cast($1 as integer)) as held";
    if (recordsOf(await this.#engine.query(sql, [this.#stored.id]))[0]?.get("held") === true) return;
    const { name } = this.#stored.experiment;
    throw new Failure("no-spreading", {
      experiment: name,
      reason: "somebody else is at it",
      advice: "wait until that has ended",
    });
  }

  async #do(statements: readonly string[], engine: Engine = this.#engine, place = "coordinator"): Promise<void> {
    for (const sql of statements) {
      this.#told.push({ place, sql });
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

  /** Whatever is made belongs to the owner of the schema. */
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
      await this.#do(statements);
      this.#told.push({ place: "coordinator", sql: login });
      if (!this.#options.dryRun) await this.#logIn(server);
    }
  }

  /** Whoever is no superuser can neither make the extension nor allow its use. */
  async #allowWrapper(): Promise<void> {
    const schemaOwner = "(select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'perfkeep')";
    const [row] = recordsOf(await this.#engine.query(`select cast(quote_ident(${schemaOwner}) as varchar) as owner`));
    const make = "create extension if not exists postgres_fdw with schema public";
    const grant = `grant usage on foreign data wrapper postgres_fdw to ${row?.get("owner")}`;
    try {
      await this.#do([make]);
      if (this.#options.dryRun) return;
      const usable = `select has_foreign_data_wrapper_privilege(${schemaOwner}, 'postgres_fdw', 'usage') as usable`;
      if (recordsOf(await this.#engine.query(usable))[0]?.get("usable") === false) await this.#do([grant]);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "database-forbidden") throw error;
      throw new Failure("wrapper-forbidden", { ...error.data, statements: `${make}; ${grant}` }, error);
    }
  }

  /** The password is bound and not written into the statement: servers log statements. */
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

  async #mark(): Promise<string> {
    if (this.#options.dryRun) return "x";
    const [row] = recordsOf(await this.#engine.query("select cast(pg_current_xact_id() as varchar) as mark"));
    return `x${row?.get("mark")}`;
  }

  /** Copies what belongs into a part, unless it is there. Answers the number of data sets there. */
  async #fill(at: number): Promise<number> {
    let dataSets = 0;
    for (const table of this.#tables) {
      if (this.#options.dryRun) {
        await this.#do(copyingStatements(table, this.#move, at));
        continue;
      }
      const wanted = await this.#digest(table, table.name, shardCondition(table, this.#move, at));
      if (!sameCells(wanted, await this.#found(table, at))) {
        await this.#do(copyingStatements(table, this.#move, at));
        const found = await this.#found(table, at);
        if (!sameCells(wanted, found)) throw this.#differs(table, at, wanted, found);
      }
      dataSets = Number(wanted.get("c0"));
    }
    return dataSets;
  }

  #found(table: ShardedTable, at: number): Promise<Row> {
    return this.#digest(table, targetTable(table, this.#move, at), "true");
  }

  async #digest(table: ShardedTable, from: string, where: string): Promise<Row> {
    const [row] = recordsOf(await this.#engine.query(digestSql(table, from, where)));
    return row as Row;
  }

  #differs(table: ShardedTable, at: number, wanted: Row, found: Row): Failure {
    const told = (row: Row): string => `${row.get("c0")} rows of ${table.name}`;
    const { name } = this.#stored.experiment;
    return new Failure("parts-differ", {
      experiment: name,
      part: at + 1,
      found: told(found),
      wanted: `${told(wanted)}, or others`,
    });
  }

  /** Nobody writes from here on until the new tables stand where the old ones were. */
  async #turn(): Promise<number[]> {
    const { id, experiment } = this.#stored;
    const dataSets: number[] = [];
    await this.#do([
      "select hold_rights()",
      `lock table ${this.#tables.map(({ name }) => name).join(", ")} in share row exclusive mode`,
    ]);
    if (!this.#options.dryRun) {
      const now = tablesOf(this.#engine, await experimentById(this.#engine, id));
      if (now.some((table, at) => definitionOf(table, true) !== definitionOf(this.#tables[at] as ShardedTable, true)))
        throw new Failure("no-spreading", {
          experiment: experiment.name,
          reason: "its variables changed meanwhile",
          advice: "do it again",
        });
      for (const at of this.#places) dataSets.push(await this.#fill(at));
    }
    await this.#do(activationStatements(id, this.#tables, this.#servers));
    return dataSets;
  }
}

function tablesOf(
  engine: Engine,
  { id, experiment, variableIds }: StoredExperiment,
): readonly [ShardedTable, ShardedTable] {
  return shardedTables(engine, id, experiment.variables, variableIds);
}

function sameCells(a: Row, b: Row): boolean {
  return [...a].every(([name, cell]) => b.get(name) === cell);
}
