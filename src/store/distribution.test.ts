import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCluster, type Cluster } from "../../test/servers/cluster.ts";
import { noServer } from "../../test/servers/postgres-server.ts";
import { tableOf } from "../core/table-builder.ts";
import { dataTypes, type Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
import type { PartServer } from "../plugins/engines/engine.ts";
import { postgres } from "../plugins/engines/postgres.ts";
import type { SpreadOptions } from "./distribution.ts";
import { Experiments } from "./experiments.ts";
import { Objects } from "./objects.ts";
import { migrate } from "./schema.ts";

/* An experiment whose rows lie on other servers says what it says in one place. */

const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
const contents: Readonly<Record<string, Value>> = {
  integer: 7,
  float: 0.5,
  string: "é",
  text: "t",
  boolean: true,
  date: 3,
  timestamp: 5,
  binary: "AA==",
  version: "1.2",
  duration: 2,
  timeofday: 60,
};
const variables = dataTypes.flatMap((type): Variable[] => [
  { name: `o_${type}`, type, role: "parameter", occurrence: "once", default: null },
  { name: `m_${type}`, type, role: "result", occurrence: "multiple", default: null },
]);
const experiment = { name: "e", readers: [], writers: [], variables };
const multiple = variables.filter(({ occurrence }) => occurrence === "multiple");

describe.skipIf(noServer)(`spreading${noServer === undefined ? "" : ` (${noServer})`}`, () => {
  let cluster: Cluster;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-spread-"));
    cluster = await startCluster(2);
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function within(work: (experiments: Experiments) => Promise<void>): Promise<void> {
    const url = await cluster.coordinator.makeDatabase();
    const engine = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
    try {
      await migrate(engine);
      await work(new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine"))));
    } finally {
      await engine.close();
    }
  }

  async function spread(experiments: Experiments, options: Partial<SpreadOptions> = {}) {
    const servers: readonly PartServer[] = options.servers ?? cluster.open();
    try {
      return await experiments.spread(await experiments.find("e"), { way: "postgres_fdw", dryRun: false, ...options, servers });
    } finally {
      for (const { engine } of servers) await engine.close();
    }
  }

  async function measure(experiments: Experiments, runs: number): Promise<void> {
    await experiments.import(await experiments.find("e"), 0, how, async (writer) => {
      for (let run = 0; run < runs; run++) {
        await writer.begin();
        const rows = [...Array(20).keys()].map((row) => multiple.map(({ type }) => (row % 7 === 3 ? null : (contents[type] ?? null))));
        await writer.rows(tableOf(multiple, rows));
        await writer.end(new Map(variables.filter((v) => v.occurrence === "once").map((v) => [v.name, contents[v.type] ?? null])), {
          created: 0,
          performed: 0,
        });
      }
    });
  }

  test("keeps all contents, there and back", async () => {
    await within(async (experiments) => {
      await experiments.create(experiment, 0);
      await measure(experiments, 9);
      const before = await experiments.contentsDigest(await experiments.find("e"));
      const { dataSets } = await spread(experiments);
      expect(dataSets.reduce((sum, each) => sum + each, 0)).toBe(180);
      expect(Math.min(...dataSets)).toBeGreaterThan(0);
      expect((await experiments.find("e")).parts).toBe(2);
      expect(await experiments.contentsDigest(await experiments.find("e"))).toBe(before);
      await measure(experiments, 5);
      expect(await experiments.check()).toEqual([]);
      const after = await experiments.contentsDigest(await experiments.find("e"));
      expect(after).not.toBe(before);
      await spread(experiments, { servers: [] });
      expect((await experiments.find("e")).parts).toBe(undefined);
      expect(await experiments.contentsDigest(await experiments.find("e"))).toBe(after);
    });
  });
});
