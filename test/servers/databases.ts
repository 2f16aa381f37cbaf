import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { postgres } from "../../src/plugins/engines/postgres.ts";
import { noServer, startServer } from "./postgres-server.ts";

/** A place for one database, which is not there yet (DuckDB) or empty (PostgreSQL). */
export interface Place {
  readonly url: string;
  /** What programs need in their environment to get in. */
  readonly environment: Readonly<Record<string, string>>;
  open(mode: "read" | "write", patience?: number): Promise<Engine>;
  remove(): Promise<void>;
}

/** Makes places of one engine. */
type Places = () => Promise<Place>;

/** Says the same of every engine: `tests` is called for each with its name and with what makes places. Skips those that cannot run here. */
export function onEachEngine(title: string, tests: (makePlace: Places, engine: "duckdb" | "postgres") => void): void {
  describe(`${title} on duckdb`, () => tests(duckdbPlace, "duckdb"));
  describe.skipIf(noServer)(`${title} on postgres${noServer === undefined ? "" : ` (${noServer})`}`, () => {
    let server: Awaited<ReturnType<typeof startServer>>;
    beforeAll(async () => {
      server = await startServer();
      // Whom the experiments of tests name.
      await server.run("postgres", ...["ann", "bob", "lab"].map((role) => `create role ${role}`));
    });
    afterAll(() => server?.stop());
    tests(async () => {
      const { environment } = server;
      const url = await server.makeDatabase();
      return { url, environment, open: (mode, patience) => postgres.open(url, mode, patience, environment), remove: async () => {} };
    }, "postgres");
  });
}

async function duckdbPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "perfkeep-duckdb-"));
  const url = join(folder, "experiments.duckdb");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { url, environment: {}, open: (mode, patience) => duckdb.open(url, mode, patience), remove };
}
