import { startCluster } from "../test/servers/cluster.ts";
import { runLoad, type LoadReport } from "../test/servers/load.ts";
import { noServer } from "../test/servers/postgres-server.ts";

/**
 * What `npm run bench:load` measures: real programs against real servers of their own, on this machine. `most`:
 * connections that the server takes that all of them speak to; `dataServers`: over so many others the experiment is
 * spread; `programs`: so many import, and so many ask.
 */
export async function measureLoad(
  program: string,
  most: number,
  dataServers: number,
  programs: number,
): Promise<LoadReport & { readonly rowsPerSecond: number }> {
  if (noServer !== undefined) throw new Error(noServer);
  const cluster = await startCluster(dataServers, "-c", `max_connections=${most}`, "-c", "fsync=on");
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
