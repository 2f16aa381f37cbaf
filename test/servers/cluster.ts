import { postgres } from "../../src/plugins/engines/postgres.ts";
import type { ShardServer } from "../../src/plugins/engines/engine.ts";
import { startServer, type PostgresServer } from "./postgres-server.ts";

/** A server of experiments, and others that hold parts of them. */
export interface Cluster {
  readonly coordinator: PostgresServer;
  readonly dataServers: readonly PostgresServer[];
  /** The address of an empty database at each data server: the same ones whenever it is asked for. */
  readonly urls: readonly string[];
  /** The places opened as parts; the caller closes them. */
  open(): readonly ShardServer[];
  stop(): Promise<void>;
}

/** `settings`: words of the coordinator's command line. */
export async function startCluster(dataServers = 2, ...settings: string[]): Promise<Cluster> {
  const starting = Array.from({ length: dataServers }, () => startServer());
  const [coordinator, ...others] = await Promise.all([startServer(...settings), ...starting]);
  if (coordinator === undefined) throw new Error("no server was started");
  const places = await Promise.all(others.map((server) => server.makeDatabase()));
  return {
    coordinator,
    dataServers: others,
    urls: places,
    open: () => places.map((place) => openPart(place, coordinator.environment)),
    async stop() {
      await Promise.all([coordinator, ...others].map((server) => server.stop()));
    },
  };
}

function openPart(url: string, environment: PostgresServer["environment"]): ShardServer {
  if (postgres.openShardServer === undefined) throw new Error("the engine opens no parts");
  return postgres.openShardServer(url, environment);
}
