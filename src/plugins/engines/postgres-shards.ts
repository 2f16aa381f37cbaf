import { randomBytes } from "node:crypto";
import { Failure } from "../../core/failures/index.ts";
import { rowsOf, type NumberColumn, type Table } from "../../core/tables/index.ts";
import type { ShardConnections } from "./engine.ts";
import { addressOfServer, isLocal, type Address } from "./postgres-address.ts";
import { Connection, schema } from "./postgres-connection.ts";

/** Data servers that do not answer by then are reached through the coordinator, milliseconds. */
const connectTimeout = 2000;

/** A shard in the catalogue of the coordinator. */
interface ShardDefinition {
  /** Name of the foreign server. */
  readonly server: string;
  readonly schema: string;
  readonly table: string;
  readonly address: Address;
  readonly password: string;
}

/** A shard with an open transaction on its server. */
interface Shard {
  readonly table: string;
  readonly connection: Connection;
}

/**
 * Transactions on the data servers of a table that is partitioned by hash of the run into foreign tables
 * (docs/adr/019). The coordinator locks the table against changes of its shards until its own transaction ends.
 */
export class PostgresShards implements ShardConnections {
  readonly #coordinator: Connection;
  readonly #table: string;
  readonly #shards: readonly Shard[];
  /** The shard of each run. */
  readonly #shardOf = new Map<number, number>();

  private constructor(coordinator: Connection, table: string, shards: readonly Shard[]) {
    this.#coordinator = coordinator;
    this.#table = table;
    this.#shards = shards;
  }

  /**
   * Within a transaction of `coordinator`, which is at `address`; see `Engine.openShards`. Only users who may see the
   * logins in the catalogue, the owner of the schema and superusers, get connections.
   */
  static async open(coordinator: Connection, address: Address, table: string): Promise<PostgresShards | undefined> {
    const definitions = await findDefinitions(coordinator, address, table);
    if (definitions.length === 0) return undefined;
    await coordinator.execute(`lock table ${table} in row exclusive mode`);
    // Without the lock they may just have changed.
    const locked = await findDefinitions(coordinator, address, table);
    if (JSON.stringify(locked) !== JSON.stringify(definitions)) return undefined;
    const marks = definitions.map(() => randomBytes(8).readBigInt64BE());
    for (const [at, { server }] of definitions.entries()) await mark(coordinator, server, marks[at] ?? 0n);
    const opening = definitions.map((definition, at) => enter(definition, marks[at] ?? 0n));
    const opened = (await Promise.all(opening)).filter((shard) => shard !== undefined);
    const shards = new PostgresShards(coordinator, table, opened);
    if (opened.length === definitions.length) return shards;
    await shards.close();
    return undefined;
  }

  async append(columns: readonly string[], rows: Table): Promise<void> {
    if (rows.length === 0) return;
    const { values } = rows.columns[0] as NumberColumn;
    await this.#locate(values);
    const chosen = rowsByShard(values, this.#shardOf, this.#shards.length);
    await Promise.all(
      this.#shards.map(({ connection, table }, at) => connection.append(table, columns, rows, chosen[at])),
    );
  }

  /**
   * Commits on all servers, once all have answered; the coordinator must commit next. If a server commits and another
   * one or the coordinator fails, the rows have no run in the catalogue, like those of postgres_fdw then.
   */
  async commit(): Promise<void> {
    for (const statement of ["select 1", "commit"])
      await Promise.all(this.#shards.map(({ connection }) => connection.execute(statement)));
  }

  /** Cancels the running statements. */
  async cancel(): Promise<void> {
    await Promise.all(this.#shards.map(({ connection }) => connection.cancel()));
  }

  /** Rolls back what is not committed. */
  async close(): Promise<void> {
    await Promise.all(this.#shards.map(({ connection }) => connection.close()));
  }

  async #locate(runs: Float64Array): Promise<void> {
    const unknown = [...new Set(runs)].filter((run) => !this.#shardOf.has(run));
    if (unknown.length === 0) return;
    const shards = this.#shards.length;
    const found = await this.#coordinator.query(
      `select r.run, s.at from unnest(cast($1 as bigint[])) r (run) join generate_series(0, ${shards - 1}) s (at)
       on satisfies_hash_partition(cast('${schema}.${this.#table}' as regclass), ${shards}, s.at, r.run)`,
      [`{${unknown.join(",")}}`],
    );
    for (const [run, at] of rowsOf(found)) this.#shardOf.set(Number(run), Number(at));
  }
}

/** The indexes of the rows of each shard, where `runs` has the run of each row. */
function rowsByShard(runs: Float64Array, shardOf: ReadonlyMap<number, number>, length: number): Uint32Array[] {
  const counts = new Uint32Array(length);
  const shards = new Uint32Array(runs.length);
  let [run, shard] = [Number.NaN, 0];
  for (let row = 0; row < runs.length; row++) {
    if (runs[row] !== run) {
      run = runs[row] as number;
      shard = shardOf.get(run) as number;
    }
    shards[row] = shard;
    counts[shard] = (counts[shard] as number) + 1;
  }
  const chosen = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let row = 0; row < runs.length; row++) {
    const at = shards[row] as number;
    const next = counts[at] as number;
    (chosen[at] as Uint32Array)[next] = row;
    counts[at] = next + 1;
  }
  return chosen;
}

/**
 * The shards of a table in the order of their remainders; none unless the user sees all logins. A name of this machine
 * means another one if the coordinator is elsewhere.
 */
async function findDefinitions(coordinator: Connection, address: Address, table: string): Promise<ShardDefinition[]> {
  const found = await coordinator.query(
    `select cast(s.srvname as varchar),
     substring(pg_get_expr(c.relpartbound, c.oid) from 'modulus (\\d+)'),
     cast(jsonb_object_agg(o.option_name, o.option_value) as varchar)
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_foreign_table f on f.ftrelid = c.oid
     join pg_foreign_server s on s.oid = f.ftserver join pg_user_mappings m on m.srvid = s.oid and m.umuser = 0
     cross join pg_options_to_table(f.ftoptions || s.srvoptions || m.umoptions) o
     where i.inhparent = to_regclass($1) and m.umoptions is not null
     and has_function_privilege(to_regprocedure('${schema}.at_server(text, text)'), 'execute')
     group by s.srvname, c.oid, c.relpartbound
     order by cast(substring(pg_get_expr(c.relpartbound, c.oid) from 'remainder (\\d+)') as integer)`,
    [`${schema}.${table}`],
  );
  const definitions = (rowsOf(found) as string[][]).flatMap(([server = "", modulus, options = ""]) => {
    const definition = definitionOf(server, new Map(Object.entries(JSON.parse(options))), address);
    return definition !== undefined && Number(modulus) === found.length ? [definition] : [];
  });
  return definitions.length === found.length ? definitions : [];
}

function definitionOf(
  server: string,
  options: ReadonlyMap<string, string>,
  coordinator: Address,
): ShardDefinition | undefined {
  const { lockTimeout, statementTimeout } = coordinator;
  const timeouts = { connectTimeout, lockTimeout, ...(statementTimeout === undefined ? {} : { statementTimeout }) };
  const address = addressOfServer(options, timeouts);
  const [password, schemaName, table] = ["password", "schema_name", "table_name"].map((name) => options.get(name));
  if (address === undefined || password === undefined || schemaName === undefined || table === undefined)
    return undefined;
  if (isLocal(address.host) && !isLocal(coordinator.host)) return undefined;
  return { server, schema: schemaName, table, address, password };
}

/**
 * Takes an advisory lock on a data server in the coordinator's transaction, by which `enter` recognizes the server, and
 * which may wait there without limit.
 */
async function mark(coordinator: Connection, server: string, key: bigint): Promise<void> {
  const lock = `pg_advisory_xact_lock(${key})`;
  const statement = `select set_config('idle_in_transaction_session_timeout', '0', true), ${lock}`;
  await coordinator.execute(`select ${schema}.at_server($1, $2)`, [server, statement]);
}

/**
 * Starts a transaction on the server of a shard. undefined if that fails, the server has no lock `key`, or the shard is
 * locked, for example by the coordinator's own transaction, for which it would wait forever.
 */
async function enter({ schema, table, address, password }: ShardDefinition, key: bigint): Promise<Shard | undefined> {
  const connection = new Connection(address, password, "write");
  try {
    await connection.execute("begin");
    await connection.execute("select set_config('search_path', quote_ident($1) || ', pg_temp', true)", [schema]);
    const [row] = rowsOf(await connection.query(`select pg_try_advisory_xact_lock(${key})`));
    if (row?.[0] === false) {
      await connection.execute(`lock table ${table} in row exclusive mode nowait`);
      return { table, connection };
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  await connection.close();
  return undefined;
}
