import { runLoad, type LoadReport } from "../test/servers/load.ts";
import { noServer, startServer } from "../test/servers/postgres-server.ts";

/** What `npm run bench:load` measures: real programs against a real server of their own, on this machine. */
export async function measureLoad(program: string, most: number): Promise<LoadReport & { readonly rowsPerSecond: number }> {
  if (noServer !== undefined) throw new Error(noServer);
  const server = await startServer("-c", `max_connections=${most}`, "-c", "fsync=on");
  try {
    const report = await runLoad({ server, program, importers: 50, readers: 50, rounds: 4, rows: 2000 });
    return { ...report, rowsPerSecond: report.stored.rows / report.seconds };
  } finally {
    await server.stop();
  }
}
