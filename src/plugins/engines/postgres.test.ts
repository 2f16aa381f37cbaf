import { afterAll, beforeAll, describe } from "vitest";
import { engineContract } from "../../../test/contracts/engine.ts";
import { noServer, startServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import type { EnginePlugin } from "./engine.ts";
import { postgres } from "./postgres.ts";

let server: PostgresServer;

/** As programs open it that were told the owner's password. */
const asOwner: EnginePlugin = { ...postgres, open: (url, mode, patience) => postgres.open(url, mode, patience, server.environment) };

describe.skipIf(noServer)(noServer ?? "a PostgreSQL server", () => {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  engineContract("postgres", asOwner, async () => ({ url: await server.makeDatabase(), remove: async () => {} }));
});
