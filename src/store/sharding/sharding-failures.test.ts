import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCluster, type Cluster } from "../../../test/servers/cluster.ts";
import { noServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { postgres } from "../../plugins/engines/postgres.ts";
import { plan } from "../../query/plan/query.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

/* Unreachable servers, changed passwords and old servers cause failures that name the server, and lose no data. */

const rate: Variable = { name: "rate", type: "float", role: "result", occurrence: "multiple", default: null };
const unreachable = { code: "data-server-unreachable" };

describe.skipIf(noServer)(`data servers that fail${noServer === undefined ? "" : ` (${noServer})`}`, () => {
  let cluster: Cluster;
  let folder: string;
  let second: PostgresServer;
  let engine: Engine;
  let experiments: Experiments;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-failing-"));
    cluster = await startCluster(2);
    second = cluster.dataServers[1] as PostgresServer;
    engine = await postgres.open(
      await cluster.coordinator.makeDatabase(),
      "write",
      undefined,
      cluster.coordinator.environment,
    );
    await migrate(engine);
    experiments = new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
    await experiments.create({ name: "e", readers: [], writers: [], variables: [rate] }, 0);
    await measure(8);
    await shard(cluster.open());
  });
  afterAll(async () => {
    await engine?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function shard(servers: readonly ShardServer[]): Promise<unknown> {
    try {
      return await experiments.shard(await experiments.find("e"), { method: "postgres_fdw", dryRun: false, servers });
    } finally {
      for (const each of servers) await each.engine.close();
    }
  }

  async function measure(runs: number, between: () => Promise<void> = async () => {}): Promise<void> {
    const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
    await experiments.import(await experiments.find("e"), 0, how, async (writer) => {
      for (let run = 0; run < runs; run++) {
        writer.begin();
        await writer.rows(
          tableOf(
            [rate],
            [...Array(50).keys()].map((row) => [row]),
          ),
        );
        await writer.end(new Map(), { created: 0, performed: 0 });
        await between();
      }
    });
  }

  async function ask(...statistics: readonly string[]): Promise<readonly unknown[]> {
    const stored = await experiments.find("e");
    return (
      rowsOf(await experiments.select(stored, plan({ results: ["rate"], statistics }, stored.experiment)))[0] ?? []
    );
  }

  async function withoutSecond(work: () => Promise<void>): Promise<void> {
    await second.pause();
    try {
      await work();
    } finally {
      await second.resume();
    }
  }

  test("fail the query and are named in the failure", async () => {
    await withoutSecond(async () => {
      for (const statistic of ["mean", "median", "distinct"])
        await expect(ask(statistic)).rejects.toMatchObject(unreachable);
      await expect(ask("mean")).rejects.toThrow(`port ${second.port}`);
    });
    expect(await ask("count", "median")).toEqual([400, 24.5]);
  });

  test("that fail during a statement are distinguished from the coordinator", async () => {
    const database = (cluster.urls[1] ?? "").split("/").at(-1) ?? "";
    const waiting = "select pid from pg_stat_activity where wait_event = 'PgSleep'";
    await second.run(
      database,
      "create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$",
    );
    const [{ table = "" } = {}] = (await second.run(
      database,
      "select format('%I.%I', schemaname, tablename) as table from pg_tables where tablename like 'data_1_x%'",
    )) as { table?: string }[];
    await second.run(database, `create trigger slow before insert on ${table} for each row execute function slow()`);
    const importing = expect(measure(8)).rejects.toMatchObject({
      ...unreachable,
      data: { reason: expect.stringContaining("shard 2: ") },
    });
    for (let pid: unknown; pid === undefined;) pid = (await second.run("postgres", waiting))[0]?.["pid"];
    await second.run("postgres", "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'");
    await importing;
    await second.run(database, `drop trigger slow on ${table}`);
    expect(await ask("count")).toEqual([400]);
    await measure(2);
    expect(await ask("count")).toEqual([500]);
    expect(await experiments.check()).toEqual([]);
  });

  test("during an import store no partial run, and repair removes leftovers", async () => {
    let runs = 0;
    const before = await ask("count");
    const importing = measure(6, async () => {
      if (++runs === 3) await second.pause();
    });
    await expect(importing).rejects.toMatchObject(unreachable);
    await second.resume();
    expect(await ask("count")).toEqual(before);
    await experiments.repair(await experiments.check(), 0);
    expect(await experiments.check()).toEqual([]);
    await measure(2);
    expect(await ask("count")).toEqual([Number(before[0]) + 100]);
  });

  test("during resharding leave rows unchanged", async () => {
    const before = await experiments.experimentDigest(await experiments.find("e"));
    await withoutSecond(async () => {
      await expect(shard(cluster.open())).rejects.toMatchObject({
        code: "database-unreachable",
        data: { port: second.port },
      });
      await expect(shard([])).rejects.toMatchObject(unreachable);
      await expect(shard(cluster.open().slice(0, 1))).rejects.toMatchObject(unreachable);
    });
    expect((await experiments.find("e")).shards).toBe(2);
    expect(await experiments.experimentDigest(await experiments.find("e"))).toBe(before);
    await shard(cluster.open().slice(0, 1));
    await shard([]);
    await shard(cluster.open());
    expect(await experiments.experimentDigest(await experiments.find("e"))).toBe(before);
    expect(await experiments.check()).toEqual([]);
  });

  test("with a changed password are named in the failure until it is updated", async () => {
    const { coordinator } = cluster;
    await second.run("postgres", `create role keeper superuser login password 'first'`);
    const urls = cluster.urls.map((url, at) => (at === 1 ? url.replace("owner@", "keeper@") : url));
    const open = (password: string): ShardServer[] =>
      urls.map((url, at) => {
        const environment = at === 1 ? { ...coordinator.environment, PGPASSWORD: password } : coordinator.environment;
        return postgres.openShardServer?.(url, environment) as ShardServer;
      });
    await shard(open("first"));
    await second.run("postgres", "alter role keeper password 'second'");
    const other = await postgres.open(engineUrl(), "read", undefined, coordinator.environment);
    const asked = new Experiments(other, new Objects("", ""));
    const stored = await asked.find("e");
    const answer = asked.select(stored, plan({ results: ["rate"], statistics: ["mean"] }, stored.experiment));
    await expect(answer).rejects.toMatchObject({
      ...unreachable,
      data: { reason: expect.stringMatching(/password authentication failed/) },
    });
    await expect(answer).rejects.not.toThrow(/first|second'/);
    await other.close();
    await shard(open("second"));
    expect((await ask("count"))[0]).toBeGreaterThan(400);
  });

  const engineUrl = (): string => `postgres://owner@127.0.0.1:${cluster.coordinator.port}/test_1`;

  test("that are too old are refused", async () => {
    const servers = cluster.open().map((server, at): ShardServer => {
      if (at === 0) return server;
      const old = {
        query: async () => tableOf([{ ...rate, name: "version", type: "integer" }], [[140_011]]),
        close: () => server.engine.close(),
      };
      return { ...server, engine: old as unknown as Engine };
    });
    await expect(shard(servers)).rejects.toMatchObject({
      code: "no-spreading",
      data: { reason: expect.stringMatching(/is older than PostgreSQL 15$/) },
    });
  });
});
