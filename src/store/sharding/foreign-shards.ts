import type { Engine } from "../../plugins/engines/engine.ts";
import { currentShard, newShard, newTable, type NamedServer, type ShardedTable } from "./sharding-sql.ts";
import { recordsOf } from "../schema/result-rows.ts";

/** What an attempt that did not come to its end made fits to what is wanted now. */
export async function isStaged(
  engine: Engine,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
): Promise<boolean> {
  if (servers.length === 0) return false;
  const serverOf = await serversOfShards(engine);
  const fits = tables.every((table) => servers.every(({ name }, at) => serverOf.get(newShard(table, at)) === name));
  const more = tables.some((table) => serverOf.has(newShard(table, servers.length)));
  return fits && !more && (await hasColumns(engine, tables));
}

/** The rows lie on these servers and no others, in whatever order; `parts`: over how many they are spread. */
export async function isShardedOver(
  engine: Engine,
  tables: readonly ShardedTable[],
  servers: readonly NamedServer[],
  parts: number | undefined,
): Promise<boolean> {
  if (servers.length === 0 || parts !== servers.length) return false;
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
  const sql =
    "select column_name from information_schema.columns where table_schema = 'perfkeep' and table_name = $1 order by ordinal_position";
  for (const table of tables) {
    const names = recordsOf(await engine.query(sql, [newTable(table)])).map((row) => row.get("column_name"));
    if (names.join() !== table.columns.map(({ name }) => name).join()) return false;
  }
  return true;
}
