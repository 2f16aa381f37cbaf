import { Failure } from "../../core/failures/index.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import { recordsOf } from "../schema/index.ts";
import { currentShard, newShard, newTable, type NamedServer, type ShardedTable } from "./sharding-sql.ts";

/** A PostgreSQL version number; older servers do not push down CASE. */
const minServerVersion = 150_000;

/** Fails with `no-spreading`, `data-server-given-twice`. */
export async function requireShardable(
  engine: Engine,
  { experiment }: StoredExperiment,
  { servers }: { readonly servers: readonly ShardServer[] },
): Promise<void> {
  const refuse = (reason: string, advice: string): Failure =>
    new Failure("no-spreading", { experiment: experiment.name, reason, advice });
  if (!engine.catalogue.canShard)
    throw refuse("it is in a file", "shard an experiment of a PostgreSQL server (--db postgres://…)");
  const logins = servers.map(({ location, user }) => `${user}@${location}`);
  const twice = logins.find((login, at) => logins.indexOf(login) !== at);
  if (twice !== undefined) throw new Failure("data-server-given-twice", { location: twice });
  const [row] = recordsOf(
    await engine.query(
      `select cast(pg_get_userbyid(nspowner) as varchar) as owner,
       current_setting('server_version_num')::integer as version from pg_namespace where nspname = 'perfkeep'`,
    ),
  );
  if (!(await engine.rights.seesAll()))
    throw refuse("only the owner of the schema may do that", `ask ${row?.get("owner")}`);
  if (Number(row?.get("version")) < minServerVersion)
    throw refuse("its server is older than PostgreSQL 15", "upgrade the server");
}

/** Checks the version of a data server. Fails with `no-spreading`. */
export async function requireRecent(
  { location, engine }: ShardServer,
  { experiment }: StoredExperiment,
): Promise<void> {
  const [row] = recordsOf(await engine.query("select current_setting('server_version_num')::integer as version"));
  if (Number(row?.get("version")) >= minServerVersion) return;
  throw new Failure("no-spreading", {
    experiment: experiment.name,
    reason: `${location} is older than PostgreSQL 15`,
    advice: "upgrade that server",
  });
}

/** Whether the tables left by an interrupted attempt match the requested sharding. */
export async function isStaged(
  engine: Engine,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
): Promise<boolean> {
  if (servers.length === 0) return false;
  const serverOf = await serversOfShards(engine);
  const isComplete = tables.every((table) =>
    servers.every(({ name }, at) => serverOf.get(newShard(table, at)) === name),
  );
  const hasMore = tables.some((table) => serverOf.has(newShard(table, servers.length)));
  return isComplete && !hasMore && (await hasColumns(engine, tables));
}

/** Whether the rows are on exactly these servers, in any order. `shards`: the current number of shards. */
export async function isShardedOver(
  engine: Engine,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
  shards: number | undefined,
): Promise<boolean> {
  if (servers.length === 0 || shards !== servers.length) return false;
  const serverOf = await serversOfShards(engine);
  return tables.every((table) => {
    const used = new Set(servers.map((_, at) => serverOf.get(currentShard(table, at))));
    return servers.every(({ name }) => used.has(name));
  });
}

async function serversOfShards(engine: Engine): Promise<ReadonlyMap<unknown, unknown>> {
  const sql = "select cast(part as varchar) as part, cast(server as varchar) as server from foreign_parts()";
  return new Map(recordsOf(await engine.query(sql)).map((row) => [row.get("part"), row.get("server")]));
}

async function hasColumns(engine: Engine, tables: readonly ShardedTable[]): Promise<boolean> {
  const sql = `select column_name from information_schema.columns
     where table_schema = 'perfkeep' and table_name = $1 order by ordinal_position`;
  for (const table of tables) {
    const names = recordsOf(await engine.query(sql, [newTable(table)])).map((row) => row.get("column_name"));
    if (names.join() !== table.columns.map(({ name }) => name).join()) return false;
  }
  return true;
}
