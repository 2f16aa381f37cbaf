import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startCluster, type Cluster } from "../../../test/servers/cluster.ts";
import { noServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { dataTypes, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { postgres } from "../../plugins/engines/postgres.ts";
import type { RunWriter } from "../catalogue/run-writer.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

/* Large imports append rows to the data servers directly, in the transaction of the import, where that is safe. */

const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
const facts = { created: 0, performed: 0 };
const variables = dataTypes.map((type): Variable => ({
  name: `m_${type}`,
  type,
  role: "result",
  occurrence: "multiple",
  default: null,
}));
const note: Variable = { ...(variables[0] as Variable), name: "note", type: "string" };
const [runs, rowsPerRun] = [9, 2000] as const;

function cellOf({ type }: Variable, row: number): Value {
  if (row % 7 === 3) return null;
  if (type === "string" || type === "text") return `é${row % 5}`;
  if (type === "boolean") return row % 2 === 0;
  if (type === "binary") return "AA==";
  if (type === "version") return `1.${row % 12}`;
  return type === "integer" && row === 11 ? 9007199254740993n : row;
}

describe.skipIf(noServer)(`connections to shards${noServer === undefined ? "" : ` (${noServer})`}`, () => {
  let cluster: Cluster;
  let second: PostgresServer;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-direct-"));
    cluster = await startCluster(2);
    second = cluster.dataServers[1] as PostgresServer;
    await cluster.coordinator.run("postgres", "create role writer login password 'of writer'");
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  let url: string;
  let engine: Engine;
  let experiments: Experiments;
  beforeEach(async () => {
    url = await cluster.coordinator.makeDatabase();
    engine = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
    await migrate(engine);
    experiments = storeOf(engine);
    await experiments.create({ name: "e", readers: [], writers: ["writer"], variables }, 0);
    await shard(cluster.open());
  });
  afterEach(async () => {
    await engine.close();
  });

  const storeOf = (one: Engine): Experiments =>
    new Experiments(one, new Objects(join(folder, "objects"), join(folder, "quarantine")));

  async function shard(servers: readonly ShardServer[]): Promise<void> {
    await experiments.shard(await experiments.find("e"), { method: "postgres_fdw", dryRun: false, servers });
    for (const server of servers) await server.engine.close();
    // Held until the connection ends otherwise.
    await engine.execute("select pg_advisory_unlock_all()");
  }

  async function write(writer: RunWriter, columns = variables, between = async () => {}): Promise<void> {
    for (let run = 0; run < runs; run++) {
      writer.begin();
      const rows = Array.from({ length: rowsPerRun }, (_, row) => columns.map((each) => cellOf(each, row + run)));
      await writer.rows(tableOf(columns, rows));
      await writer.end(new Map(), facts);
    }
    await writer.finish();
    await between();
  }

  /** Whether an import through `one` connected to the shards. */
  async function importDirectly(one = engine, work = write, updates = false): Promise<boolean> {
    const opening = vi.spyOn(one, "openShards").mockClear();
    const into = storeOf(one);
    await into.import(await into.find("e"), 0, how, (writer) => work(writer), { updates });
    return (await opening.mock.results[0]?.value) !== undefined;
  }

  const digest = async (): Promise<string> => experiments.experimentDigest(await experiments.find("e"));
  const rowCount = async (): Promise<unknown> => rowsOf(await engine.query("select count(*) from data_1"))[0]?.[0];

  test("append the rows that the coordinator would append", async () => {
    expect(await importDirectly()).toBe(true);
    const direct = await digest();
    expect(await experiments.check()).toEqual([]);
    await shard([]);
    expect(await digest()).toBe(direct);
    await shard(cluster.open().toReversed());
    expect(await importDirectly(engine, write, true)).toBe(false);
    expect(await rowCount()).toBe(2 * runs * rowsPerRun);
    const columns = variables.map((_, at) => `p_${at + 1}`).join(", ");
    const ofImport = (first: number): string =>
      `select run - ${first}, ordinal, ${columns} from data_1 where run between ${first} and ${first + runs - 1}`;
    const differing = await engine.query(
      `(${ofImport(1)} except ${ofImport(runs + 1)}) union all (${ofImport(runs + 1)} except ${ofImport(1)})`,
    );
    expect(differing.length).toBe(0);
  });

  test("leave nothing if the import fails", async () => {
    const failing = importDirectly(engine, (writer) =>
      write(writer, variables, async () => {
        throw new Error("after the last row");
      }),
    );
    await expect(failing).rejects.toThrow("after the last row");
    expect(await rowCount()).toBe(0);
    expect(await importDirectly()).toBe(true);
    expect(await rowCount()).toBe(runs * rowsPerRun);
  });

  test("that are lost fail the import and are named", async () => {
    const database = (cluster.urls[1] ?? "").split("/").at(-1) ?? "";
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'perfkeep'`;
    const failing = importDirectly(engine, (writer) =>
      write(writer, variables, async () => {
        await second.run(database, kill);
      }),
    );
    await expect(failing).rejects.toMatchObject({ code: "database-lost", data: { port: second.port } });
    expect(await rowCount()).toBe(0);
    await experiments.repair(await experiments.check(), 0);
    expect(await experiments.check()).toEqual([]);
  });

  test("are not made for columns that the same transaction adds", async () => {
    const opening = vi.spyOn(engine, "openShards");
    const plan = (current?: { readonly variables: readonly Variable[] }) => ({
      name: "e",
      readers: [],
      writers: ["writer"],
      variables: [...(current?.variables ?? []), note],
    });
    await experiments.importPlanned({
      name: "e",
      plan,
      now: 0,
      how,
      work: (writer) => write(writer, [...variables, note]),
    });
    expect(await opening.mock.results[0]?.value).toBe(undefined);
    expect(await rowCount()).toBe(runs * rowsPerRun);
    expect(await importDirectly()).toBe(true);
  });

  test("are not made for users who cannot see the logins", async () => {
    const environment = { ...cluster.coordinator.environment, PGPASSWORD: "of writer" };
    const other = await postgres.open(url.replace("owner@", "writer@"), "write", undefined, environment);
    try {
      expect(await importDirectly(other)).toBe(false);
    } finally {
      await other.close();
    }
    expect(await rowCount()).toBe(runs * rowsPerRun);
  });

  test.each([
    ["another database", "dbname 'postgres'"],
    ["a server that does not answer", "port '1'"],
  ])("are not made to %s", async (_, option) => {
    const found = await engine.query("select cast(srvname as varchar) from pg_foreign_server");
    const servers = (rowsOf(found) as string[][]).flat();
    await engine.execute("begin");
    // The coordinator stays connected to the data servers until the end of the transaction.
    for (const server of servers) await engine.execute("select at_server($1, 'select 1')", [server]);
    await engine.execute(`alter server ${servers[0]} options (set ${option})`);
    expect(await engine.openShards?.("data_1")).toBe(undefined);
    await engine.execute("rollback");
    expect(await importDirectly()).toBe(true);
  });

  test("block a change of the shards until the import ends", async () => {
    let resharded = false;
    let resharding: Promise<void> = Promise.resolve();
    await importDirectly(engine, (writer) =>
      write(writer, variables, async () => {
        const other = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
        resharding = storeOf(other)
          .shard(await storeOf(other).find("e"), { method: "postgres_fdw", dryRun: false, servers: [] })
          .then(() => (resharded = true))
          .then(() => other.close());
        const waiting =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while ((await engine.query(waiting)).length === 0);
        expect(resharded).toBe(false);
      }),
    );
    await resharding;
    expect((await experiments.find("e")).shards).toBe(undefined);
    expect(await rowCount()).toBe(runs * rowsPerRun);
    expect(await experiments.check()).toEqual([]);
  });
});
