import { rowsOf } from "../src/core/tables/table.ts";
import { plan } from "../src/query/plan/query.ts";
import { addRuns, experimentOf, onCluster, queries } from "./cluster.ts";

/* One large experiment on three data servers: imports straight to them, sizes, and queries of all its rows. */

export interface ShardSpeed {
  readonly what: string;
  readonly milliseconds: number;
}

/** Rows of one import, and its runs. */
const importRows = 1_000_000;
const importRuns = 10;

/** Fails if the count is wrong. `report` receives progress and sizes. */
export async function shardSpeeds(
  scratch: string,
  rows: number,
  report: (text: string) => void,
): Promise<ShardSpeed[]> {
  const speeds: ShardSpeed[] = [];
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    const milliseconds = performance.now() - started;
    report(`${what}: ${(milliseconds / 1000).toFixed(1)} s`);
    speeds.push({ what, milliseconds });
    return result;
  };
  return onCluster(scratch, async ({ cluster, engine, experiments }) => {
    const servers = cluster.open();
    const created = await experiments.create(experimentOf("large"), 0);
    await experiments.shard(created, { servers, method: "postgres_fdw", dryRun: false });
    const stored = await experiments.find("large");
    await timed(`import of ${rows} rows, ${importRows} at a time`, async () => {
      for (let done = 0; done < rows; done += importRows)
        await addRuns(experiments, stored, importRows, true, importRuns);
    });
    await timed("vacuum and analyze", async () => {
      for (const server of servers) await server.engine.execute("vacuum analyze");
      await engine.execute("vacuum analyze");
    });
    for (const server of servers) {
      const [size] = rowsOf(await server.engine.query("select pg_database_size(current_database())"));
      report(`a data server holds ${(Number(size?.[0]) / 1e9).toFixed(1)} GB`);
      await server.engine.close();
    }
    const counting = plan({ results: ["v"], by: [], statistics: ["count"] }, stored.experiment);
    const found = await timed("count", async () => rowsOf(await experiments.select(stored, counting)));
    const count = Number(found[0]?.[0]);
    if (count !== rows) throw new Error(`${count} rows are there instead of ${rows}`);
    for (const [what, query] of queries)
      await timed(what, async () => experiments.select(stored, plan(query, stored.experiment)));
    return speeds;
  });
}
