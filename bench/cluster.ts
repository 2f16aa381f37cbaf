import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Experiment } from "../src/core/experiments/experiment.ts";
import { rowsOf } from "../src/core/tables/table.ts";
import { tableOf } from "../src/core/tables/table-builder.ts";
import type { Variable } from "../src/core/variables/variable.ts";
import { duckdb } from "../src/plugins/engines/duckdb.ts";
import type { Engine } from "../src/plugins/engines/engine.ts";
import { postgres } from "../src/plugins/engines/postgres.ts";
import { plan, type QuerySpec } from "../src/query/plan/query.ts";
import type { StoredExperiment } from "../src/store/catalogue/catalogue.ts";
import type { RunWriter } from "../src/store/catalogue/run-writer.ts";
import { Experiments } from "../src/store/experiments/experiments.ts";
import { Objects } from "../src/store/objects/objects.ts";
import { migrate } from "../src/store/schema/schema.ts";
import { type Cluster, startCluster } from "../test/servers/cluster.ts";
import type { PostgresServer } from "../test/servers/postgres-server.ts";

/* The same rows on one server, on two and on three data servers, with the same queries and imports in turns. */

export interface ClusterSpeed {
  /** What was done, with its number of rows. */
  readonly what: string;
  readonly isImport: boolean;
  readonly servers: number;
  /** Median in milliseconds, and median of the ratios to one server in the same round. */
  readonly milliseconds: number;
  readonly ratio: number;
  /** The same for the CPU time of all servers, because more processes get a larger share of a busy machine. */
  readonly processor: number;
  readonly processorRatio: number;
}

const rate: Variable = { name: "v", role: "result", occurrence: "multiple", type: "float", default: null };
const key: Variable = { name: "k", role: "parameter", occurrence: "multiple", type: "integer", default: null };
const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string", default: null };
const usualRuns = 100;
const pieceRows = 50_000;
const rounds = 5;

export const queries: readonly (readonly [what: string, query: QuerySpec])[] = [
  ["mean and count in 10 groups", { results: ["v"], by: ["k"], statistics: ["mean", "count"] }],
  ["median in 10 groups", { results: ["v"], by: ["k"], statistics: ["median"] }],
  ["stddev by a parameter of runs", { results: ["v"], by: ["host"], statistics: ["stddev"] }],
];

const serverCounts = [0, 2, 3] as const;

/** `report` receives the plan of the first query on two servers, among other facts. */
export async function clusterSpeeds(
  scratch: string,
  rows: number,
  report: (text: string) => void,
): Promise<ClusterSpeed[]> {
  return onCluster(scratch, async ({ cluster, engine, experiments }) => {
    for (const count of serverCounts) {
      await fill(experiments, `on${count}`, rows);
      const servers = cluster.open();
      const started = performance.now();
      if (count > 0) {
        await experiments.shard(await experiments.find(`on${count}`), {
          servers: servers.slice(0, count),
          method: "postgres_fdw",
          dryRun: false,
        });
        report(`${rows} rows moved to ${count} servers in ${((performance.now() - started) / 1000).toFixed(0)} s`);
      }
      for (const server of servers) await server.engine.close();
    }
    await engine.execute("vacuum analyze");
    const two = await experiments.find("on2");
    const { sql, params } = await experiments.statement(two, plan(queries[0]?.[1] ?? {}, two.experiment));
    const lines = rowsOf(await engine.query(`explain (analyze, verbose, costs off) ${sql}`, params)).map(([line]) =>
      typeof line === "string" ? line : "",
    );
    report(lines.filter((line) => /Foreign Scan|Relations:|Remote SQL:|Execution Time:/.test(line)).join("\n"));
    report(await compareWithDuckdb(experiments, scratch, rows));
    const speeds: ClusterSpeed[] = [];
    const all = [cluster.coordinator, ...cluster.dataServers];
    for (const [what, query] of queries)
      speeds.push(
        ...(await measureInTurns(`${what}, ${rows} rows`, false, all, async (name) => {
          const stored = await experiments.find(name);
          await experiments.select(stored, plan(query, stored.experiment));
        })),
      );
    const imported = Math.min(rows, 1_000_000);
    for (const isDirect of [true, false])
      speeds.push(
        ...(await measureInTurns(
          `import${isDirect ? "" : " through the coordinator"}, ${imported} rows`,
          true,
          all,
          async (name) => addRuns(experiments, await experiments.find(name), imported, isDirect),
        )),
      );
    return speeds;
  });
}

/** Experiments on a coordinator with three data servers, which end with `work`. */
export async function onCluster<T>(
  scratch: string,
  work: (on: { readonly cluster: Cluster; readonly engine: Engine; readonly experiments: Experiments }) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster(3);
  const url = await cluster.coordinator.makeDatabase();
  const engine = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
  try {
    await migrate(engine);
    const experiments = new Experiments(engine, new Objects(join(scratch, "objects"), join(scratch, "quarantine")));
    return await work({ cluster, engine, experiments });
  } finally {
    await engine.close();
    await cluster.stop();
  }
}

/** Fails if a result on one, two or three servers differs from that of DuckDB. */
async function compareWithDuckdb(experiments: Experiments, scratch: string, rows: number): Promise<string> {
  const engine = await duckdb.open(join(scratch, "same.duckdb"), "write");
  try {
    await migrate(engine);
    const embedded = new Experiments(engine, new Objects(join(scratch, "other-objects"), join(scratch, "quarantine")));
    await fill(embedded, "on0", rows);
    const select = async (
      of: Experiments,
      name: string,
      query: QuerySpec,
    ): Promise<readonly (readonly unknown[])[]> => {
      const stored = await of.find(name);
      return rowsOf(await of.select(stored, plan(query, stored.experiment)));
    };
    for (const [what, query] of queries) {
      const expected = await select(embedded, "on0", query);
      for (const count of serverCounts) {
        const found = await select(experiments, `on${count}`, query);
        if (!areEqual(found, expected))
          throw new Error(`${what} on ${count} servers is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
      }
    }
    return `all results on 1, 2 and 3 servers equal DuckDB's`;
  } finally {
    await engine.close();
  }
}

/** Compares floats with a tolerance, because sums are added in another order. */
function areEqual(a: readonly (readonly unknown[])[], b: readonly (readonly unknown[])[]): boolean {
  const near = (one: unknown, other: unknown): boolean =>
    typeof one === "number" && typeof other === "number"
      ? Math.abs(one - other) <= 1e-11 * Math.abs(other)
      : one === other;
  return a.length === b.length && a.every((row, at) => row.every((cell, column) => near(cell, b[at]?.[column])));
}

async function fill(experiments: Experiments, name: string, rows: number): Promise<void> {
  await addRuns(experiments, await experiments.create(experimentOf(name), 0), rows);
}

export function experimentOf(name: string): Experiment {
  return { name, readers: [], writers: [], variables: [rate, key, host] };
}

/** An import that may update rows (`isDirect` is false) does not connect to data servers. */
export async function addRuns(
  experiments: Experiments,
  stored: StoredExperiment,
  rows: number,
  isDirect = true,
  runs = usualRuns,
): Promise<void> {
  const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
  const write = async (writer: RunWriter): Promise<void> => {
    for (let run = 0; run < runs; run++) {
      writer.begin();
      for (let left = rows / runs; left > 0; left -= pieceRows) {
        const piece = Array.from({ length: Math.min(left, pieceRows) }, (_, row) => [
          ((row * 7919 + run) % 10_007) / 8,
          (row * 31 + run) % 10,
        ]);
        await writer.rows(tableOf([rate, key], piece));
      }
      await writer.end(new Map([["host", `h${run % 4}`]]), { created: 0, performed: 0 });
    }
  };
  await experiments.import(stored, 0, how, write, { updates: !isDirect });
}

/** `work` gets the name of the experiment. */
async function measureInTurns(
  what: string,
  isImport: boolean,
  servers: readonly PostgresServer[],
  work: (name: string) => Promise<void>,
): Promise<ClusterSpeed[]> {
  const times = serverCounts.map((): number[] => []);
  const processors = serverCounts.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, count] of serverCounts.entries()) {
      const [started, used] = [performance.now(), processorTime(servers)];
      await work(`on${count}`);
      if (round === 0) continue;
      times[at]?.push(performance.now() - started);
      processors[at]?.push(processorTime(servers) - used);
    }
  }
  const ratio = (samples: readonly number[][], at: number): number =>
    median((samples[at] ?? []).map((each, round) => each / (samples[0]?.[round] ?? 1)));
  return serverCounts.map((count, at) => ({
    what,
    isImport,
    servers: Math.max(1, count),
    milliseconds: median(times[at] ?? []),
    ratio: ratio(times, at),
    processor: median(processors[at] ?? []),
    processorRatio: ratio(processors, at),
  }));
}

/**
 * CPU time of all processes of the servers, including ended ones, in milliseconds. Linux counts 100 ticks per second.
 */
function processorTime(servers: readonly PostgresServer[]): number {
  const mains = servers.map(
    ({ folder }) => readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n", 1)[0],
  );
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    if (mains.includes(pid)) ticks += Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
    else if (mains.includes(fields[1])) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10;
}

/** The fields after the name of a process: its state, its parent, … (proc(5)). */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
