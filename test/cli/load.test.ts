import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgres } from "../../src/plugins/engines/postgres.ts";
import { startCluster, type Cluster } from "../servers/cluster.ts";
import { runLoad } from "../servers/load.ts";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";

const program = resolve("dist/cli.js");

if (!existsSync(program)) throw new Error("dist/cli.js is missing: run npm run build");

describe.skipIf(noServer)(noServer ?? "a server with few connections", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startServer("-c", "max_connections=10");
  });
  afterAll(() => server?.stop());

  it("keeps what more programs than that import, once each, and answers as many", async () => {
    const report = await runLoad({ server, program, importers: 8, readers: 8, rounds: 2, rows: 200 });
    expect(report.errors).toEqual([]);
    expect(report.stored).toEqual(report.expected);
    expect([report.imports.length, report.refused.length]).toEqual([9, 7]);
    expect(report.queries.length).toBe(16);
    expect(report.connections).toBeLessThanOrEqual(10);
  });

  it("is waited for so long as its address says", async () => {
    const url = await server.makeDatabase();
    const open = (seconds: number) =>
      postgres.open(`${url}?lock_timeout=${seconds}`, "write", undefined, server.environment);
    const engines = [await open(5)];
    for (let full = false; !full;) {
      const more = await open(0.1).catch((error: unknown) => error);
      full = more instanceof Error;
      if (!full) engines.push(more as (typeof engines)[0]);
      else expect(more).toMatchObject({ code: "database-full", data: { user: "owner" } });
    }
    const late = open(30);
    await engines.pop()?.close();
    engines.push(await late);
    for (const engine of engines) await engine.close();
    expect(engines.length).toBeGreaterThan(5);
  });
});

describe.skipIf(noServer)(noServer ?? "three servers, of which the first has few connections", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(2, "-c", "max_connections=10");
  });
  afterAll(() => cluster?.stop());

  it("keep what more programs than that import, once each, and answer as many", async () => {
    const { coordinator: server, urls: over } = cluster;
    const report = await runLoad({ server, program, importers: 6, readers: 6, rounds: 2, rows: 100, over });
    expect(report.errors).toEqual([]);
    expect(report.stored).toEqual(report.expected);
    expect([report.imports.length, report.refused.length]).toEqual([7, 5]);
    expect(report.connections).toBeLessThanOrEqual(10);
  });
});
