import bindings, { type Connection } from "@duckdb/node-bindings";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Experiment } from "../src/core/experiments/experiment.ts";
import { tableOf } from "../src/core/tables/table-builder.ts";
import type { Variable } from "../src/core/variables/variable.ts";
import { duckdb } from "../src/plugins/engines/duckdb.ts";
import { parseQuery } from "../src/formats/descriptions/query/query-text.ts";
import { printQueryText } from "../src/formats/descriptions/query-text-print.ts";
import { evaluate } from "../src/query/description/evaluate.ts";
import { plan, type QuerySpec } from "../src/query/plan/query.ts";
import { describeQuery } from "../src/query/description/describe-query.ts";
import { Experiments } from "../src/store/experiments/experiments.ts";
import { Objects } from "../src/store/objects/objects.ts";
import { migrate } from "../src/store/schema/schema.ts";
import { compileRegex } from "../src/store/sql/resolve-patterns.ts";

/* Queries of an experiment, direct and as described queries, compared with the same SQL sent directly to DuckDB. */

export interface Speed {
  readonly what: string;
  readonly rows: number;
  /** Medians in milliseconds. */
  readonly ours: number;
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
  /** Peak memory in MiB of a process that runs only this query, or only the SQL. */
  readonly peak: number;
  readonly peakDirect: number;
}

/** Runs this file with these arguments in a separate process. Returns its peak memory in MiB. */
export type Peak = (words: readonly string[]) => number;

const key: Variable = { name: "k", role: "parameter", occurrence: "multiple", type: "integer", default: null };
const value: Variable = { name: "v", role: "result", occurrence: "multiple", type: "float", default: null };
const experiment: Experiment = { name: "bench", readers: [], writers: [], variables: [key, value] };

interface Measured {
  readonly what: string;
  readonly query: QuerySpec;
  readonly sql: string;
}

const mean: Measured = {
  what: "mean in 10 groups",
  query: { results: ["v"], by: ["k"], statistics: ["mean"] },
  sql: "select p_1, avg(p_2) from data_1 group by p_1 order by p_1",
};
const quantiles: Measured = {
  what: "four quantiles in 1,000 groups",
  query: { results: ["v"], by: ["k"], statistics: ["q5", "median", "q95", "q99"] },
  sql: "select p_1, quantile_cont(p_2, [0.05, 0.5, 0.95, 0.99]) from data_1 group by p_1 order by p_1",
};
const filter: Measured = {
  what: "1,000 rows selected",
  query: { results: ["k", "v"], where: ["v>=0.25", "k=7"] },
  sql: "select p_1, p_2 from data_1 where p_2 >= 0.25 and p_1 = 7 order by run, ordinal",
};

const all: Readonly<Record<string, Measured>> = { mean, quantiles, filter };

/** Rows whose answers take a third of the rounds. */
const manyRows = 10_000_000;

/** `folder` is a scratch folder; its databases are removed afterwards. */
export async function querySpeeds(
  folder: string,
  sizes: readonly number[],
  rounds: number,
  peak: Peak,
): Promise<Speed[]> {
  const speeds: Speed[] = [];
  for (const rows of sizes) {
    // Long answers vary less.
    const own = rows < manyRows ? rounds : Math.ceil(rounds / 3);
    speeds.push(...(await measured(folder, rows, 10, "mean", own, peak)));
    speeds.push(...(await measured(folder, rows, 1000, "quantiles", own, peak)));
    speeds.push(...(await measured(folder, rows, Math.max(1, Math.round((rows * 0.75) / 1000)), "filter", own, peak)));
  }
  return speeds;
}

async function measured(
  folder: string,
  rows: number,
  keys: number,
  name: string,
  rounds: number,
  peak: Peak,
): Promise<Speed[]> {
  const path = join(folder, "bench.duckdb");
  await fill(folder, path, rows, keys);
  try {
    const times = await timed(folder, path, name, rounds);
    const { what } = all[name] as Measured;
    const peakDirect = peak([path, "direct", name]);
    return (["query", "description"] as const).map((way) => ({
      what: way === "query" ? what : `${what}, described`,
      rows,
      ours: median(times.map((round) => round[way])),
      ratio: median(times.map((round) => round[way] / round.direct)),
      peak: peak([path, way, name]),
      peakDirect,
    }));
  } finally {
    rmSync(path, { force: true });
  }
}

type Variant = "direct" | "query" | "description";
type Variants = Readonly<Record<Variant, () => Promise<unknown>>>;

/** Milliseconds of each variant in each round; a first round is discarded. */
async function timed(
  folder: string,
  path: string,
  name: string,
  rounds: number,
): Promise<Readonly<Record<Variant, number>>[]> {
  const { ways, close } = await opened(folder, path, all[name] as Measured);
  const samples: Readonly<Record<Variant, number>>[] = [];
  for (let round = 0; round <= rounds; round++) {
    const times = { direct: 0, query: 0, description: 0 };
    for (const way of ["direct", "query", "description"] as const) {
      const started = performance.now();
      await ways[way]();
      times[way] = performance.now() - started;
    }
    if (round > 0) samples.push(times);
  }
  await close();
  return samples;
}

async function opened(
  folder: string,
  path: string,
  { query, sql }: Measured,
): Promise<{ ways: Variants; close: () => Promise<void> }> {
  const engine = await duckdb.open(path, "read");
  const config = bindings.create_config();
  bindings.set_config(config, "access_mode", "READ_ONLY");
  const database = await bindings.open(path, config);
  const peer = await bindings.connect(database);
  const experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
  const { experiment: known } = await experiments.find("bench");
  const text = printQueryText(describeQuery(query, known));
  return {
    ways: {
      direct: () => run(peer, sql),
      query: async () => {
        const stored = await experiments.find("bench");
        return experiments.select(stored, plan(query, stored.experiment));
      },
      description: () => described(experiments, text),
    },
    async close() {
      bindings.disconnect_sync(peer);
      bindings.close_sync(database);
      await engine.close();
    },
  };
}

/** As `query -d` of a file with this text. */
async function described(experiments: Experiments, text: string): Promise<unknown> {
  const stored = await experiments.find("bench");
  return evaluate(parseQuery(text, "bench"), {
    experiment: stored.experiment,
    runs: async () => [],
    rows: (rows) => experiments.sourceRows(stored, rows),
    distinct: (variable, condition) => experiments.distinct(stored, variable, condition),
    history: async () => [],
    versions: async () => new Set(),
    compile: compileRegex,
    summarizes: true,
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Runs a statement and fetches all chunks. */
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
  await experiments.import(
    stored,
    1,
    { joined: false, sequential: false, fixed: [], missing: "friendly" },
    async (writer) => {
      writer.begin();
      await writer.rows(tableOf([key, value], [[0, 0.5]]));
      await writer.end(new Map(), { created: 1, performed: 1 });
    },
  );
  await engine.execute(
    "insert into data_1 select 1, i, hash(i) % $1, (hash(i + 1000000000) % 1000003) / 1000003.0 from range(1, $2) t(i)",
    [keys, rows],
  );
  await engine.close();
}

const [, , path, way, name] = process.argv;
if (path?.endsWith("bench.duckdb") && name !== undefined) {
  const { ways, close } = await opened(dirname(path), path, all[name] as Measured);
  await ways[way as Variant]();
  await close();
}
