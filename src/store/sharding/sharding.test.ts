import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCluster, type Cluster } from "../../../test/servers/cluster.ts";
import { expectNear } from "../../../test/servers/near-tables.ts";
import { expectSent } from "../../../test/servers/sent-aggregates.ts";
import { noServer } from "../../../test/servers/postgres-server.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { VariableChange } from "../../core/experiments/experiment-update.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import { dataTypes, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { duckdb } from "../../plugins/engines/duckdb.ts";
import type { Engine, ShardServer } from "../../plugins/engines/engine.ts";
import { postgres } from "../../plugins/engines/postgres.ts";
import { plan, type QuerySpec } from "../../query/plan/query.ts";
import type { ShardingOptions } from "./sharding.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import type { Statement } from "../sql/statement.ts";
import { migrate } from "../schema/schema.ts";

/* A sharded experiment gives the same results as a local one. */

const how = { joined: false, sequential: false, fixed: [], missing: "friendly" };
const values: Readonly<Record<string, Value>> = {
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

describe.skipIf(noServer)(`sharding${noServer === undefined ? "" : ` (${noServer})`}`, () => {
  let cluster: Cluster;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-shard-"));
    cluster = await startCluster(2);
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function within(work: (experiments: Experiments, engine: Engine, url: string) => Promise<void>): Promise<void> {
    const url = await cluster.coordinator.makeDatabase();
    const engine = await postgres.open(url, "write", undefined, cluster.coordinator.environment);
    try {
      await migrate(engine);
      await work(
        new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine"))),
        engine,
        url,
      );
    } finally {
      await engine.close();
    }
  }

  async function shard(experiments: Experiments, options: Partial<ShardingOptions> = {}) {
    const servers: readonly ShardServer[] = options.servers ?? cluster.open();
    try {
      return await experiments.shard(await experiments.find("e"), {
        method: "postgres_fdw",
        dryRun: false,
        ...options,
        servers,
      });
    } finally {
      for (const { engine } of servers) await engine.close();
    }
  }

  async function measure(experiments: Experiments, runs: number): Promise<void> {
    await experiments.import(await experiments.find("e"), 0, how, async (writer) => {
      for (let run = 0; run < runs; run++) {
        writer.begin();
        const rows = [...Array(20).keys()].map((row) =>
          multiple.map(({ type }) => (row % 7 === 3 ? null : (values[type] ?? null))),
        );
        await writer.rows(tableOf(multiple, rows));
        await writer.end(
          new Map(variables.filter((v) => v.occurrence === "once").map((v) => [v.name, values[v.type] ?? null])),
          {
            created: 0,
            performed: 0,
          },
        );
      }
    });
  }

  test("keeps all values, there and back", async () => {
    await within(async (experiments) => {
      await experiments.create(experiment, 0);
      await measure(experiments, 9);
      const before = await experiments.experimentDigest(await experiments.find("e"));
      const { rows } = await shard(experiments);
      expect(rows.reduce((sum, each) => sum + each, 0)).toBe(180);
      expect(Math.min(...rows)).toBeGreaterThan(0);
      expect((await experiments.find("e")).shards).toBe(2);
      expect(await experiments.experimentDigest(await experiments.find("e"))).toBe(before);
      await measure(experiments, 5);
      expect(await experiments.check()).toEqual([]);
      const after = await experiments.experimentDigest(await experiments.find("e"));
      expect(after).not.toBe(before);
      await shard(experiments, { servers: [] });
      expect((await experiments.find("e")).shards).toBe(undefined);
      expect(await experiments.experimentDigest(await experiments.find("e"))).toBe(after);
    });
  });

  test("moves with all its data to a file", async () => {
    await within(async (experiments) => {
      await experiments.create(experiment, 0);
      await measure(experiments, 5);
      await shard(experiments);
      const before = await experiments.experimentDigest(await experiments.find("e"));
      const file = await duckdb.open(join(folder, "moved.duckdb"), "write");
      await migrate(file);
      const embedded = new Experiments(file, new Objects(join(folder, "objects"), join(folder, "quarantine")));
      const notes = { namesBetween: () => [], find: () => undefined, put: () => {}, remove: () => {} };
      const options = { keep: false, now: 1, notes, onStep: () => {}, progress: () => {} };
      await experiments.moveTo(embedded, "e", { from: "servers", to: "a file" }, options);
      expect(await embedded.experimentDigest(await embedded.find("e"))).toBe(before);
      expect(await experiments.list()).toEqual([]);
      await file.close();
    });
  });

  const rate: Variable = { name: "rate", type: "float", role: "result", occurrence: "multiple", default: null };
  const size: Variable = { name: "size", type: "integer", role: "parameter", occurrence: "multiple", default: null };
  const host: Variable = { name: "host", type: "string", role: "parameter", occurrence: "once", default: null };
  const plain = { name: "e", readers: ["reader"], writers: [], variables: [rate, size, host] };

  /** Values far from zero, whose squares a float cannot represent exactly. */
  async function measureRates(experiments: Experiments, runs: number): Promise<void> {
    await experiments.import(await experiments.find("e"), 0, how, async (writer) => {
      for (let run = 0; run < runs; run++) {
        writer.begin();
        const rows = Array.from({ length: 50 }, (_, row) => [1e9 + ((row * 7 + run) % 13), row % 3]);
        await writer.rows(tableOf([rate, size], rows));
        await writer.end(new Map([["host", `h${run % 2}`]]), { created: 0, performed: 0, label: `l${run % 2}` });
      }
    });
  }

  const questions: readonly QuerySpec[] = [
    { results: ["rate"], by: ["size"], statistics: ["count", "mean", "stddev", "variance", "min", "max", "sum"] },
    { results: ["rate", "size"], statistics: ["mean", "count", "stddev"] },
    { results: ["rate"], by: ["host", "size"], statistics: ["mean"], where: ["size>=1", "host!=h0"] },
    {
      results: ["rate"],
      by: ["@label", "run"],
      statistics: ["mean"],
      where: ["@label=l1"],
      sort: ["-rate.mean"],
      limit: 2,
    },
    { results: ["rate"], by: ["size"], statistics: ["median", "q90", "mean"] },
    { results: ["rate", "size"], statistics: ["q99", "stddev", "q0.5"], where: ["size>=1"] },
    { results: ["host"], statistics: ["count"] },
    { results: ["rate"], by: ["size"], statistics: ["distinct"] },
    { results: ["rate"], by: ["@label", "size"], statistics: ["q90", "distinct", "stddev"] },
    { results: ["@label", "rate"], by: ["host"], statistics: ["min", "distinct"], where: ["size=1 or @label=l1"] },
    { results: ["rate", "size"], where: ["size>=1"], limit: 7 },
    { results: ["rate", "host"], where: ["host=h1", "size>=1"], sort: ["-rate", "host"], limit: 5 },
    { results: ["@label", "rate", "run"], where: ["size=0 or @label=l1", "@label!=l0"], sort: ["@label"], limit: 9 },
  ];
  const passes = [1, 1, 1, 1, 2, 2, 1, 2, 3, 2, 0, 0, 0];

  test("gives the results of a local experiment and of DuckDB, and aggregates on the shards", async () => {
    const ask = async (experiments: Experiments): Promise<Table[]> => {
      const stored = await experiments.find("e");
      const answers: Table[] = [];
      for (const question of questions)
        answers.push(await experiments.select(stored, plan(question, stored.experiment)));
      return answers;
    };
    const file = await duckdb.open(join(folder, "e.duckdb"), "write");
    await migrate(file);
    const embedded = new Experiments(file, new Objects(join(folder, "objects"), join(folder, "quarantine")));
    await embedded.create({ ...plain, readers: [] }, 0);
    await measureRates(embedded, 9);
    const expected = await ask(embedded);
    await file.close();
    await cluster.coordinator.run("postgres", "create role reader login password 'of reader'");
    await within(async (experiments, engine, url) => {
      await experiments.create(plain, 0);
      await measureRates(experiments, 9);
      await shard(experiments);
      const found = await ask(experiments);
      found.forEach((table, at) => expectNear(table, expected[at] as Table));
      const stored = await experiments.find("e");
      const statements = await Promise.all(
        questions.map((each) => experiments.statement(stored, plan(each, stored.experiment))),
      );
      expect(statements.map(({ shards: parts }) => parts?.passes)).toEqual(passes);
      for (const statement of statements) await expectSent(engine, statement);
      const ofRun = await experiments.statement(
        stored,
        plan({ results: ["rate"], statistics: ["mean"], where: ["run=3"] }, stored.experiment),
      );
      expect(ofRun.sql).toContain("r.number = $1");
      for (const [at, question] of questions.slice(0, 4).entries()) {
        const { sql, params } = statements[at] as Statement;
        const plan = rowsOf(await engine.query(`explain (verbose, costs off) ${sql}`, params))
          .map(([line]) => (typeof line === "string" ? line : ""))
          .join("\n");
        expect(plan.match(/Relations: Aggregate on \(\(?perfkeep\.data_/g)).toHaveLength(2);
        expect(plan.match(/Async Foreign Scan/g)).toHaveLength(plan.match(/Foreign Scan/g)?.length ?? 0);
        if (question.by !== undefined) expect(plan.match(/Remote SQL: SELECT .* GROUP BY /g)).toHaveLength(2);
      }
      const sentRows = await Promise.all(
        statements.slice(-3).map(async ({ sql, params }) =>
          rowsOf(await engine.query(`explain (verbose, costs off) ${sql}`, params))
            .map(([line]) => (typeof line === "string" ? line : ""))
            .filter((line) => line.includes("Remote SQL") && line.includes(".data_1")),
        ),
      );
      const [ofRows, joined, ofLabels] = sentRows as [string[], string[], string[]];
      // Each shard joins, sorts and limits its own rows, unless the order depends on the catalogue.
      for (const sent of [...ofRows, ...joined]) expect(sent).toMatch(/ ORDER BY .* LIMIT [57]/);
      for (const sent of joined) expect(sent).toMatch(/INNER JOIN .*once_1/);
      for (const sent of ofLabels) expect(sent).toMatch(/WHERE .*= ANY/);
      expect(sentRows.map(({ length }) => length)).toEqual([2, 2, 2]);
      const environment = { ...cluster.coordinator.environment, PGPASSWORD: "of reader" };
      const reader = await postgres.open(url.replace("owner@", "reader@"), "read", undefined, environment);
      try {
        expect((await ask(new Experiments(reader, new Objects("", ""))))[0]).toEqual(found[0]);
        for (const forbidden of [
          "insert into data_1_part_0 (run, ordinal) values (1, 1)",
          "select at_server('x', 'y')",
          "table pg_user_mapping",
        ])
          await expect(reader.query(forbidden)).rejects.toMatchObject({ name: "Failure" });
      } finally {
        await reader.close();
      }
    });
  });

  test("results exclude rows committed on a data server only; check reports and repair removes them", async () => {
    await within(async (experiments, engine) => {
      await experiments.create({ ...plain, readers: [] }, 0);
      await measureRates(experiments, 4);
      await shard(experiments);
      const stored = await experiments.find("e");
      const count = async (): Promise<unknown> => {
        const counts = [
          { statistics: ["count"], results: ["rate"] },
          { statistics: ["count", "median"], results: ["rate"] },
        ];
        const answers: unknown[] = [];
        for (const question of counts)
          answers.push(rowsOf(await experiments.select(stored, plan(question, stored.experiment)))[0]?.[0]);
        return answers;
      };
      expect(await count()).toEqual([200, 200]);
      // Simulates a coordinator crash before its commit.
      const others = "generate_series(-3, 9) g where g not between 1 and 4";
      await engine.execute(`insert into once_1 (run) select g from ${others}`);
      await engine.execute(`insert into data_1 (run, ordinal, p_1) select g, 1, 1 from ${others}`);
      expect(await count()).toEqual([200, 200]);
      const findings = await experiments.check();
      expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(["rows-without-run"]));
      await experiments.repair(findings, 0);
      expect(await experiments.check()).toEqual([]);
      await experiments.removeRuns(stored, [2], 0);
      expect(await count()).toEqual([150, 150]);
      await experiments.purgeRuns(stored, 0);
      expect(await count()).toEqual([150, 150]);
    });
  });

  test("is resumed after an interruption, with rows imported meanwhile", async () => {
    await within(async (experiments, engine, url) => {
      await experiments.create(experiment, 0);
      await measure(experiments, 9);
      const dying = new Experiments(
        await postgres.open(url, "write", undefined, cluster.coordinator.environment),
        new Objects(join(folder, "objects"), join(folder, "quarantine")),
      );
      // A reader blocks the last transaction.
      await engine.execute("begin");
      await engine.execute("lock table data_1 in row exclusive mode");
      const failed = expect(shard(dying)).rejects.toMatchObject({ code: "database-lost" });
      const waiting =
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      let [pid] = rowsOf(await engine.query(waiting));
      while (pid === undefined) [pid] = rowsOf(await engine.query(waiting));
      await engine.execute("select pg_terminate_backend($1::integer)", [Number(pid[0])]);
      await failed;
      await engine.execute("rollback");
      await dying.close();
      expect((await experiments.find("e")).shards).toBe(undefined);
      await measure(experiments, 3);
      const before = await experiments.experimentDigest(await experiments.find("e"));
      const { statements, rows } = await shard(experiments);
      expect(statements.filter(({ sql }) => sql.startsWith("create foreign table once_"))).toEqual([]);
      expect((rows[0] as number) + (rows[1] as number)).toBe(240);
      expect(await experiments.experimentDigest(await experiments.find("e"))).toBe(before);
      // Fewer servers than before, and a variable that is added and dropped while it is sharded.
      const one = cluster.open().slice(0, 1);
      await shard(experiments, { servers: one });
      expect(await experiments.experimentDigest(await experiments.find("e"))).toBe(before);
      const note: Variable = {
        name: "note",
        type: "string",
        role: "parameter",
        occurrence: "multiple",
        default: "none",
      };
      const update = (change: VariableChange) => ({ experiment: "e", about: {}, changes: [change], access: [] });
      const wider = await experiments.update(await experiments.find("e"), update({ kind: "add", variable: note }), 0);
      const noted = await experiments.select(
        wider,
        plan({ results: ["note"], by: ["note"], statistics: ["count"] }, wider.experiment),
      );
      expect(rowsOf(noted)).toEqual([["none", 240]]);
      await experiments.update(wider, update({ kind: "drop", name: "note" }), 0);
      expect(await experiments.check()).toEqual([]);
      await experiments.purge(await experiments.find("e"), 0);
      const left =
        "select relname from pg_class " +
        "where relnamespace::regnamespace::text ~ '^perfkeep_' and relname ~ '^(once|data)_'";
      for (const [at, server] of cluster.dataServers.entries()) {
        const schema = (await engine.query("select database from ledger_head")).columns[0];
        const name = schema?.kind === "text" ? (schema.dictionary[0] ?? "").replaceAll("-", "") : "";
        const tables = await server.run(
          (cluster.urls[at] as string).split("/").at(-1) as string,
          `${left} and relnamespace::regnamespace::text = 'perfkeep_${name}'`,
        );
        expect(tables).toEqual([]);
      }
    });
  });
});
