import { startCluster } from "../test/servers/cluster.ts";
import { runLoad, type LoadReport } from "../test/servers/load.ts";
import { noServer } from "../test/servers/postgres-server.ts";

/**
 * Runs the load test of `npm run bench:load` with real programs and servers on this machine. `maxConnections`:
 * connection limit of the coordinator; `dataServers`: number of servers that the experiment is sharded over;
 * `programs`: number of importing and of querying programs.
 */
export async function measureLoad(
  program: string,
  maxConnections: number,
  dataServers: number,
  programs: number,
): Promise<LoadReport & { readonly rowsPerSecond: number }> {
  if (noServer !== undefined) throw new Error(noServer);
  const cluster = await startCluster(dataServers, "-c", `max_connections=${maxConnections}`, "-c", "fsync=on");
  try {
    const { coordinator: server, urls: over } = cluster;
    const report = await runLoad({
      server,
      program,
      importers: programs,
      readers: programs,
      rounds: 4,
      rows: 2000,
      over,
    });
    return { ...report, rowsPerSecond: report.stored.rows / report.seconds };
  } finally {
    await cluster.stop();
  }
}
