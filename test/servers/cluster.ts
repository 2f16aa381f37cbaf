import { postgres } from "../../src/plugins/engines/postgres.ts";
import type { ShardServer } from "../../src/plugins/engines/engine.ts";
import { startServer, type PostgresServer } from "./postgres-server.ts";

/** A coordinator of experiments and data servers for their shards. */
export interface Cluster {
  readonly coordinator: PostgresServer;
  readonly dataServers: readonly PostgresServer[];
  /** The address of one empty database on each data server. */
  readonly urls: readonly string[];
  /** Opens the data servers as shard servers; the caller closes them. */
  open(): readonly ShardServer[];
  stop(): Promise<void>;
}

/** `settings`: command line options of the coordinator. */
export async function startCluster(dataServers = 2, ...settings: string[]): Promise<Cluster> {
  const starting = Array.from({ length: dataServers }, () => startServer());
  const [coordinator, ...others] = await Promise.all([startServer(...settings), ...starting]);
  if (coordinator === undefined) throw new Error("no server was started");
  const urls = await Promise.all(others.map((server) => server.makeDatabase()));
  return {
    coordinator,
    dataServers: others,
    urls,
    open: () => urls.map((url) => openShard(url, coordinator.environment)),
    async stop() {
      await Promise.all([coordinator, ...others].map((server) => server.stop()));
    },
  };
}

function openShard(url: string, environment: PostgresServer["environment"]): ShardServer {
  if (postgres.openShardServer === undefined) throw new Error("the engine does not support shards");
  return postgres.openShardServer(url, environment);
}
