import bindings, { type Connection } from "@duckdb/node-bindings";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Experiment } from "../src/core/experiment.ts";
import { tableOf } from "../src/core/table-builder.ts";
import type { Variable } from "../src/core/variable.ts";
import { duckdb } from "../src/plugins/engines/duckdb.ts";
import { plan, type Question } from "../src/query/query.ts";
import { Experiments } from "../src/store/experiments.ts";
import { Objects } from "../src/store/objects.ts";
import { migrate } from "../src/store/schema.ts";

/* Questions to an experiment beside the same SQL sent straight to DuckDB, in one process that has both open. */

export interface Speed {
  readonly what: string;
  readonly rows: number;
  /** Medians in milliseconds. */
  readonly ours: number;
  readonly direct: number;
}

const key: Variable = { name: "k", role: "parameter", occurrence: "multiple", type: "integer", default: null };
const value: Variable = { name: "v", role: "result", occurrence: "multiple", type: "float", default: null };
const experiment: Experiment = { name: "bench", readers: [], writers: [], variables: [key, value] };

interface Measured {
  readonly what: string;
  readonly question: Question;
  readonly sql: string;
}

const mean: Measured = {
  what: "mean in 10 groups",
  question: { results: ["v"], by: ["k"], statistics: ["mean"] },
  sql: "select p_1, avg(p_2) from data_1 group by p_1 order by p_1",
};
const quantiles: Measured = {
  what: "four quantiles in 1,000 groups",
  question: { results: ["v"], by: ["k"], statistics: ["q5", "median", "q95", "q99"] },
  sql: "select p_1, quantile_cont(p_2, [0.05, 0.5, 0.95, 0.99]) from data_1 group by p_1 order by p_1",
};
const filter: Measured = {
  what: "1,000 rows chosen",
  question: { results: ["k", "v"], where: ["v>=0.25", "k=7"] },
  sql: "select p_1, p_2 from data_1 where p_2 >= 0.25 and p_1 = 7 order by run, ordinal",
};

/** `folder` is a scratch folder; databases are made in it and removed. */
export async function querySpeeds(folder: string, sizes: readonly number[], rounds: number): Promise<Speed[]> {
  const speeds: Speed[] = [];
  for (const rows of sizes) {
    speeds.push(...(await measured(folder, rows, 10, [mean], rounds)));
    speeds.push(...(await measured(folder, rows, 1000, [quantiles], rounds)));
    speeds.push(...(await measured(folder, rows, Math.max(1, Math.round((rows * 0.75) / 1000)), [filter], rounds)));
  }
  return speeds;
}

async function measured(folder: string, rows: number, keys: number, asked: readonly Measured[], rounds: number): Promise<Speed[]> {
  const path = join(folder, "bench.duckdb");
  await fill(folder, path, rows, keys);
  const engine = await duckdb.open(path, "read");
  const config = bindings.create_config();
  bindings.set_config(config, "access_mode", "READ_ONLY");
  const database = await bindings.open(path, config);
  const peer = await bindings.connect(database);
  try {
    const experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
    const speeds: Speed[] = [];
    for (const { what, question, sql } of asked) {
      const ours = async (): Promise<unknown> => {
        const stored = await experiments.find("bench");
        return experiments.select(stored, plan(question, stored.experiment));
      };
      const direct = (): Promise<void> => run(peer, sql);
      const [a = 0, b = 0] = await interleaved([ours, direct], rounds);
      speeds.push({ what, rows, ours: a, direct: b });
    }
    return speeds;
  } finally {
    bindings.disconnect_sync(peer);
    bindings.close_sync(database);
    await engine.close();
    rmSync(path, { force: true });
  }
}

/** All chunks are fetched. */
async function run(peer: Connection, sql: string): Promise<void> {
  const result = await bindings.query(peer, sql);
  for (let rows = 1; rows > 0;) {
    const chunk = await bindings.fetch_chunk(result);
    rows = chunk === null ? 0 : bindings.data_chunk_get_size(chunk);
  }
}

async function fill(folder: string, path: string, rows: number, keys: number): Promise<void> {
  const engine = await duckdb.open(path, "write");
  await migrate(engine);
  const experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
  const stored = await experiments.create(experiment, 1);
  await experiments.import(stored, 1, { joined: false, sequential: false, fixed: [], missing: "friendly" }, async (writer) => {
    await writer.begin();
    await writer.rows(tableOf([key, value], [[0, 0.5]]));
    await writer.end(new Map(), { created: 1, performed: 1 });
  });
  await engine.execute(
    "insert into data_1 select 1, i, hash(i) % $1, (hash(i + 1000000000) % 1000003) / 1000003.0 from range(1, $2) t(i)",
    [keys, rows],
  );
  await engine.close();
}

async function interleaved(works: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const samples = works.map((): number[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, work] of works.entries()) {
      const started = performance.now();
      await work();
      if (round > 0) samples[at]?.push(performance.now() - started);
    }
  return samples.map((list) => list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN);
}
