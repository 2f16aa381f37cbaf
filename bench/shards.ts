import { join } from "node:path";
import type { Experiment } from "../src/core/experiments/experiment.ts";
import { rowsOf } from "../src/core/tables/table.ts";
import { tableOf } from "../src/core/tables/table-builder.ts";
import type { Variable } from "../src/core/variables/variable.ts";
import { postgres } from "../src/plugins/engines/postgres.ts";
import { plan, type QuerySpec } from "../src/query/plan/query.ts";
import type { RunWriter } from "../src/store/catalogue/run-writer.ts";
import { Experiments } from "../src/store/experiments/experiments.ts";
import { Objects } from "../src/store/objects/objects.ts";
import { migrate } from "../src/store/schema/schema.ts";
import { startCluster } from "../test/servers/cluster.ts";

/* One large experiment on three data servers: imports straight to them, sizes, and queries of all its rows. */

export interface ShardSpeed {
  readonly what: string;
  readonly milliseconds: number;
}

const rate: Variable = { name: "v", role: "result", occurrence: "multiple", type: "float", default: null };
const key: Variable = { name: "k", role: "parameter", occurrence: "multiple", type: "integer", default: null };
const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string", default: null };
const experiment: Experiment = { name: "large", readers: [], writers: [], variables: [rate, key, host] };
const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };

/** Rows of one import, in ten runs. */
const importRows = 1_000_000;
const runRows = importRows / 10;
const pieceRows = 50_000;

const queries: readonly (readonly [what: string, query: QuerySpec])[] = [
  ["mean and count in 10 groups", { results: ["v"], by: ["k"], statistics: ["mean", "count"] }],
  ["stddev by a parameter of runs", { results: ["v"], by: ["host"], statistics: ["stddev"] }],
  ["median in 10 groups", { results: ["v"], by: ["k"], statistics: ["median"] }],
];

/** Fails if a count is wrong. `report` receives progress and sizes. */
export async function shardSpeeds(
  scratch: string,
  rows: number,
  report: (text: string) => void,
): Promise<ShardSpeed[]> {
  const cluster = await startCluster(3);
  const url = await cluster.coordinator.makeDatabase();
  const engine = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
  const speeds: ShardSpeed[] = [];
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    const milliseconds = performance.now() - started;
    report(`${what}: ${(milliseconds / 1000).toFixed(1)} s`);
    speeds.push({ what, milliseconds });
    return result;
  };
  try {
    await migrate(engine);
    const experiments = new Experiments(engine, new Objects(join(scratch, "objects"), join(scratch, "quarantine")));
    const servers = cluster.open();
    const created = await experiments.create(experiment, 0);
    await experiments.shard(created, { servers, method: "postgres_fdw", dryRun: false });
    const stored = await experiments.find(experiment.name);
    await timed(`import of ${rows} rows, ${importRows} at a time`, async () => {
      for (let done = 0; done < rows; done += importRows)
        await experiments.import(stored, 0, how, (writer) => addRuns(writer, done), { updates: false });
    });
    await timed("vacuum and analyze", async () => {
      for (const server of servers) await server.engine.execute("vacuum analyze");
      await engine.execute("vacuum analyze");
    });
    for (const server of servers)
      for (const [bytes] of rowsOf(await server.engine.query("select pg_database_size(current_database())")))
        report(`a data server holds ${(Number(bytes) / 1e9).toFixed(1)} GB`);
    for (const server of servers) await server.engine.close();
    const found = await timed("count", async () =>
      rowsOf(
        await experiments.select(stored, plan({ results: ["v"], by: [], statistics: ["count"] }, stored.experiment)),
      ),
    );
    const count = Number(found[0]?.[0]);
    if (count !== rows) throw new Error(`${count} rows are there instead of ${rows}`);
    for (const [what, query] of queries)
      await timed(what, async () => experiments.select(stored, plan(query, stored.experiment)));
    return speeds;
  } finally {
    await engine.close();
    await cluster.stop();
  }
}

async function addRuns(writer: RunWriter, first: number): Promise<void> {
  for (let run = 0; run < importRows / runRows; run++) {
    writer.begin();
    for (let from = 0; from < runRows; from += pieceRows) {
      const piece = Array.from({ length: pieceRows }, (_, row) => [
        (((first + from + row) * 7919 + run) % 10_007) / 8,
        (row * 31 + run) % 10,
      ]);
      await writer.rows(tableOf([rate, key], piece));
    }
    await writer.end(new Map([["host", `h${run % 4}`]]), { created: 0, performed: 0 });
  }
}
