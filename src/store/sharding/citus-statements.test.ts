import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noServer, startServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import { postgres } from "../../plugins/engines/postgres.ts";
import { citusStatements } from "./sharding-sql.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { migrate } from "../schema/schema.ts";

/* Stubs of Citus functions and tables, with the documented arguments, check that statements are well formed. */

const standIns = [
  "create table pg_dist_node (groupid integer, nodename text, nodeport integer)",
  "create table pg_dist_partition (logicalrelid regclass)",
  `create function citus_set_coordinator_host(host text, port integer default 5432) returns void language sql as
     $$ insert into pg_dist_node values (0, host, port) $$`,
  `create function citus_add_node(nodename text, nodeport integer) returns integer language sql as
     $$ insert into pg_dist_node values (1, nodename, nodeport) returning 1 $$`,
  `create function create_distributed_table(
     table_name regclass, distribution_column text, colocate_with text default 'default') returns void language sql as
     $$ insert into pg_dist_partition values (table_name) $$`,
  `create function undistribute_table(table_name regclass) returns void language sql
     as $$ delete from pg_dist_partition where logicalrelid = table_name $$`,
];

describe.skipIf(noServer)(`statements for Citus${noServer === undefined ? "" : ` (${noServer})`}`, () => {
  let server: PostgresServer;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-citus-"));
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("add the coordinator and the workers, distribute both tables once, and move them back", async () => {
    const engine = await postgres.open(await server.makeDatabase(), "write", undefined, server.environment);
    try {
      await migrate(engine);
      const { id } = await new Experiments(
        engine,
        new Objects(join(folder, "objects"), join(folder, "quarantine")),
      ).create({ name: "e", readers: [], writers: [], variables: [] }, 0);
      for (const sql of standIns) await engine.execute(sql);
      const rows = async (sql: string): Promise<unknown> => (await engine.query(sql)).length;
      const shardServer = postgres.openShardServer?.("postgres://keeper@db1.example/bench", {
        ...server.environment,
        HOME: server.folder,
      });
      if (shardServer === undefined) throw new Error("the engine has no shard servers");
      const [extension, ...statements] = citusStatements(id, [shardServer]);
      expect(extension).toBe("create extension if not exists citus");
      for (const sql of [...statements, ...statements]) await engine.execute(sql);
      expect(await rows("select 1 as one from pg_dist_node where groupid = 0")).toBe(1);
      expect(await rows("select 1 as one from pg_dist_node where nodename = 'db1.example' and nodeport = 5432")).toBe(
        2,
      );
      expect(await rows("select 1 as one from pg_dist_partition")).toBe(2);
      for (const sql of citusStatements(id, [])) await engine.execute(sql);
      expect(await rows("select 1 as one from pg_dist_partition")).toBe(0);
      await shardServer.engine.close();
    } finally {
      await engine.close();
    }
  });
});
