import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Experiment } from "../src/core/experiments/experiment.ts";
import { rowsOf } from "../src/core/tables/table.ts";
import { tableOf } from "../src/core/tables/table-builder.ts";
import type { Variable } from "../src/core/variables/variable.ts";
import { duckdb } from "../src/plugins/engines/duckdb.ts";
import { postgres } from "../src/plugins/engines/postgres.ts";
import { plan, type QuerySpec } from "../src/query/plan/query.ts";
import { Experiments } from "../src/store/experiments/experiments.ts";
import { Objects } from "../src/store/objects/objects.ts";
import { migrate } from "../src/store/schema/schema.ts";
import { startCluster } from "../test/servers/cluster.ts";
import type { PostgresServer } from "../test/servers/postgres-server.ts";

/* One experiment on one server, and the same rows on two and on three data servers: the same questions in turns. */

export interface ClusterSpeed {
  readonly what: string;
  readonly servers: number;
  /** Median in milliseconds, and the median of the ratios of the rounds to the experiment on one server. */
  readonly milliseconds: number;
  readonly ratio: number;
  /** The same of the processor time of all servers: on a busy machine, who has more processes gets more of it. */
  readonly processor: number;
  readonly processorRatio: number;
}

const rate: Variable = { name: "v", role: "result", occurrence: "multiple", type: "float", default: null };
const key: Variable = { name: "k", role: "parameter", occurrence: "multiple", type: "integer", default: null };
const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string", default: null };
const runs = 100;
const pieceRows = 50_000;
const rounds = 5;

const questions: readonly (readonly [what: string, question: QuerySpec])[] = [
  ["mean and count in 10 groups", { results: ["v"], by: ["k"], statistics: ["mean", "count"] }],
  ["median in 10 groups", { results: ["v"], by: ["k"], statistics: ["median"] }],
  ["stddev by a content of runs", { results: ["v"], by: ["host"], statistics: ["stddev"] }],
];

const places = [0, 2, 3] as const;

/** `tell` gets the plan of the first question on two servers. */
export async function clusterSpeeds(
  scratch: string,
  rows: number,
  tell: (text: string) => void,
): Promise<ClusterSpeed[]> {
  const cluster = await startCluster(3);
  const url = await cluster.coordinator.makeDatabase();
  const engine = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
  try {
    await migrate(engine);
    const experiments = new Experiments(engine, new Objects(join(scratch, "objects"), join(scratch, "quarantine")));
    for (const count of places) {
      await fill(experiments, `on${count}`, rows);
      const servers = cluster.open();
      const began = performance.now();
      if (count > 0) {
        await experiments.shard(await experiments.find(`on${count}`), {
          servers: servers.slice(0, count),
          method: "postgres_fdw",
          dryRun: false,
        });
        tell(`${rows} rows moved to ${count} servers in ${((performance.now() - began) / 1000).toFixed(0)} s`);
      }
      for (const server of servers) await server.engine.close();
    }
    await engine.execute("vacuum analyze");
    const two = await experiments.find("on2");
    const { sql, params } = await experiments.selectStatement(two, plan(questions[0]?.[1] ?? {}, two.experiment));
    const told = rowsOf(await engine.query(`explain (analyze, verbose, costs off) ${sql}`, params)).map(([line]) =>
      typeof line === "string" ? line : "",
    );
    tell(told.filter((line) => /Foreign Scan|Relations:|Remote SQL:|Execution Time:/.test(line)).join("\n"));
    tell(await comparedWithDuckdb(experiments, scratch, rows));
    const speeds: ClusterSpeed[] = [];
    for (const [what, question] of questions)
      speeds.push(...(await inTurns(experiments, what, question, [cluster.coordinator, ...cluster.dataServers])));
    return speeds;
  } finally {
    await engine.close();
    await cluster.stop();
  }
}

/** Fails where an answer on one, two or three servers is another than that of DuckDB. */
async function comparedWithDuckdb(experiments: Experiments, scratch: string, rows: number): Promise<string> {
  const engine = await duckdb.open(join(scratch, "same.duckdb"), "write");
  try {
    await migrate(engine);
    const embedded = new Experiments(engine, new Objects(join(scratch, "other-objects"), join(scratch, "quarantine")));
    await fill(embedded, "on0", rows);
    const answer = async (
      of: Experiments,
      name: string,
      question: QuerySpec,
    ): Promise<readonly (readonly unknown[])[]> => {
      const stored = await of.find(name);
      return rowsOf(await of.select(stored, plan(question, stored.experiment)));
    };
    for (const [what, question] of questions) {
      const expected = await answer(embedded, "on0", question);
      for (const count of places) {
        const found = await answer(experiments, `on${count}`, question);
        if (!areEqual(found, expected))
          throw new Error(`${what} on ${count} servers is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
      }
    }
    return `all answers on 1, 2 and 3 servers equal DuckDB's`;
  } finally {
    await engine.close();
  }
}

/** Floats up to their last digits: sums are added in another order. */
function areEqual(a: readonly (readonly unknown[])[], b: readonly (readonly unknown[])[]): boolean {
  const near = (one: unknown, other: unknown): boolean =>
    typeof one === "number" && typeof other === "number"
      ? Math.abs(one - other) <= 1e-11 * Math.abs(other)
      : one === other;
  return a.length === b.length && a.every((row, at) => row.every((cell, column) => near(cell, b[at]?.[column])));
}

async function fill(experiments: Experiments, name: string, rows: number): Promise<void> {
  const experiment: Experiment = { name, readers: [], writers: [], variables: [rate, key, host] };
  const stored = await experiments.create(experiment, 0);
  const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
  await experiments.import(stored, 0, how, async (writer) => {
    for (let run = 0; run < runs; run++) {
      await writer.begin();
      for (let left = rows / runs; left > 0; left -= pieceRows) {
        const piece = Array.from({ length: Math.min(left, pieceRows) }, (_, row) => [
          ((row * 7919 + run) % 10_007) / 8,
          (row * 31 + run) % 10,
        ]);
        await writer.rows(tableOf([rate, key], piece));
      }
      await writer.end(new Map([["host", `h${run % 4}`]]), { created: 0, performed: 0 });
    }
  });
}

async function inTurns(
  experiments: Experiments,
  what: string,
  question: QuerySpec,
  servers: readonly PostgresServer[],
): Promise<ClusterSpeed[]> {
  const times = places.map((): number[] => []);
  const processors = places.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, count] of places.entries()) {
      const stored = await experiments.find(`on${count}`);
      const [began, used] = [performance.now(), processorTime(servers)];
      await experiments.select(stored, plan(question, stored.experiment));
      if (round === 0) continue;
      times[at]?.push(performance.now() - began);
      processors[at]?.push(processorTime(servers) - used);
    }
  }
  const ratio = (samples: readonly number[][], at: number): number =>
    median((samples[at] ?? []).map((each, round) => each / (samples[0]?.[round] ?? 1)));
  return places.map((count, at) => ({
    what,
    servers: Math.max(1, count),
    milliseconds: median(times[at] ?? []),
    ratio: ratio(times, at),
    processor: median(processors[at] ?? []),
    processorRatio: ratio(processors, at),
  }));
}

/** Of all processes of these servers, those that ended too, in milliseconds. Linux counts a hundred ticks a second. */
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

/** What stands behind the name of a process: its state, its parent, … (proc(5)). */
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
