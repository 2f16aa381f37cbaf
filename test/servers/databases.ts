import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { postgres } from "../../src/plugins/engines/postgres.ts";
import type { StoredExperiment } from "../../src/store/catalogue/catalogue.ts";
import { Experiments } from "../../src/store/experiments/experiments.ts";
import type { Objects } from "../../src/store/objects/objects.ts";
import { forgetDatabase, memory, memoryAddress } from "../fakes/memory-engine.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { noServer, startServer, type PostgresServer } from "./postgres-server.ts";

/** A test database, which does not exist yet (DuckDB) or is empty (PostgreSQL). */
export interface TestDatabase {
  readonly url: string;
  /** Environment variables for programs that connect. */
  readonly environment: Readonly<Record<string, string>>;
  open(mode: "read" | "write", patience?: number): Promise<Engine>;
  remove(): Promise<void>;
  /** Opens its experiments; by default `new Experiments`. */
  experiments?(engine: Engine, objects: Objects): Experiments;
}

/** Creates a database of one engine. */
type MakeDatabase = () => Promise<TestDatabase>;

/** Tests that get a function which creates databases, and the dialect of the engine. */
type EngineTests = (makeDatabase: MakeDatabase, dialect: "duckdb" | "postgres") => void;

/**
 * Runs the same tests on every engine that users have. Skips engines that cannot run here. `sharded`: also on
 * experiments that are sharded over two servers when created.
 */
export function onEachEngine(title: string, tests: EngineTests, sharded = false): void {
  describe(`${title} on duckdb`, () => tests(makeDuckdb, "duckdb"));
  onServers(title, tests, sharded);
}

/**
 * Like `onEachEngine`, but with the embedded database in memory, which is faster: for tests that start no program and
 * do not test files.
 */
export function onEachDialect(title: string, tests: EngineTests, sharded = false): void {
  describe(`${title} in memory`, () => tests(makeInMemory, "duckdb"));
  onServers(title, tests, sharded);
}

function onServers(title: string, tests: EngineTests, sharded: boolean): void {
  describe.skipIf(noServer)(`${title} on postgres${noServer === undefined ? "" : ` (${noServer})`}`, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startServer();
      await makeRoles(server);
    });
    afterAll(() => server?.stop());
    tests(async () => {
      const { environment } = server;
      const url = await server.makeDatabase();
      return {
        url,
        environment,
        open: (mode, patience) => postgres.open(url, mode, patience, environment),
        remove: async () => {},
      };
    }, "postgres");
  });
  if (!sharded) return;
  describe.skipIf(noServer)(`${title} on three servers${noServer === undefined ? "" : ` (${noServer})`}`, () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster();
      await makeRoles(cluster.coordinator);
    });
    afterAll(() => cluster?.stop());
    tests(async () => {
      const { environment } = cluster.coordinator;
      const url = await cluster.coordinator.makeDatabase();
      const experiments = (engine: Engine, objects: Objects): Experiments =>
        new ShardedExperiments(engine, objects, cluster);
      return {
        url,
        environment,
        experiments,
        open: (mode, patience) => postgres.open(url, mode, patience, environment),
        remove: async () => {},
      };
    }, "postgres");
  });
}

/** Creates the roles used in tests. */
async function makeRoles(server: PostgresServer): Promise<void> {
  await server.run("postgres", ...["ann", "bob", "lab"].map((role) => `create role ${role}`));
}

class ShardedExperiments extends Experiments {
  readonly #cluster: Cluster;

  constructor(engine: Engine, objects: Objects, cluster: Cluster) {
    super(engine, objects);
    this.#cluster = cluster;
  }

  override async create(...about: Parameters<Experiments["create"]>): Promise<StoredExperiment> {
    const { experiment } = await super.create(...about);
    const servers = this.#cluster.open();
    await this.shard(await this.find(experiment.name), { servers, method: "postgres_fdw", dryRun: false });
    for (const { engine } of servers) await engine.close();
    return { ...(await this.find(experiment.name)), experiment };
  }
}

async function makeInMemory(): Promise<TestDatabase> {
  const url = memoryAddress();
  return {
    url,
    environment: {},
    open: (mode, patience) => memory.open(url, mode, patience),
    remove: () => forgetDatabase(url),
  };
}

async function makeDuckdb(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "perfkeep-duckdb-"));
  const url = join(folder, "experiments.duckdb");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { url, environment: {}, open: (mode, patience) => duckdb.open(url, mode, patience), remove };
}
