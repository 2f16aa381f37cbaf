import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgres } from "../../src/plugins/engines/postgres.ts";
import { migrate } from "../../src/store/schema/schema.ts";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import { Playground } from "./program.ts";

const description = [
  "*experiment io",
  "Writing",
  "*write ann",
  "*parameter host string - once",
  "*parameter release version - once",
  "*parameter size int",
  "*parameter day date",
  "*result rate float",
  "*result note string",
  "*result ok bool",
  "*result wait duration",
  "",
].join("\n");
const columns = ["size", "day", "rate", "note", "ok", "wait"];
const row = `row="${columns.join(" ")}"`;
const input = [
  'NAMED host alias="machine" ws=":"',
  'NAMED release alias="release" ws=":"',
  ...columns.map((name, at) => `TABLE ${name} ${row} pos=${at + 1}`),
  "",
].join("\n");

const lines = (count: number, from: number): string => {
  const rows = Array.from(
    { length: count },
    (_, n) => `${from + n} 2020-02-${10 + (n % 19)} ${n / 7} n${n % 5} ${n % 2 ? "true" : "false"} ${n}`,
  );
  return [`machine: h${from}`, "release: 1.10rc1", columns.join(" "), ...rows, "", "end", ""].join("\n");
};

const tables = "select tablename from pg_tables where tablename in ('data_1', 'once_1')";
const waitingOnes = "select pid from pg_stat_activity where application_name = 'perfkeep' and wait_event_type = 'Lock'";

describe.skipIf(noServer)(noServer ?? "an experiment that moves", () => {
  let server: PostgresServer;
  let place: Playground;
  /** Addresses of two databases of a server; the embedded one is the place's own. */
  let [here, there] = ["", ""];
  let template: string;
  beforeAll(async () => {
    server = await startServer();
    await server.run("postgres", "create role ann");
    place = new Playground();
    place.environment = { PERFKEEP_HOME: join(place.folder, "home"), PGPASSWORD: server.password };
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.write("a.out", lines(300, 1));
    place.write("b.out", lines(20, 1000));
    place.write("c.out", lines(5, 2000));
    template = await server.makeDatabase();
    place.ok("experiment", "create", "io.exp", "--db", template);
    place.ok("import", "-e", "io", "-d", "io.inp", "--db", template, "a.out", "b.out");
    place.ok("experiment", "delete", "io", "--run", "2", "--force", "--db", template);
    place.ok("attach", "put", "io", "io.inp", "--name", "rates", "--db", template);
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    there = await server.makeDatabase();
    here = `${there}_source`;
    await settled(template);
    await server.run("postgres", `create database ${nameOf(here)} template ${nameOf(template)}`);
  });

  const nameOf = (address: string): string => address.split("/").at(-1) as string;
  const exported = (...db: string[]): string => place.ok("export", "io", "--format", "csv", ...db);
  const names = (...db: string[]): string[] => {
    const { status, stdout } = place.run(["experiment", "list", "--format", "json", ...db]);
    return status === 5
      ? []
      : (JSON.parse(stdout) as { experiments: { name: string }[] }).experiments.map(({ name }) => name);
  };
  const noted = (): string[] => {
    const folder = join(place.folder, "home", "run", "moves");
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it("is the same in an embedded database, on another server, and back", async () => {
    const before = exported("--db", here);
    const other = join(place.folder, "elsewhere", "other.duckdb");
    const said = place.ok("move", "io", "--db", here, "--to", other);
    expect(said).toMatch(/^moved io with 2 runs and 320 rows to \/.*, digest [0-9a-f]{64}\n$/);
    expect(await server.run(nameOf(here), tables)).toEqual([]);
    expect(exported("--db", other)).toBe(before);
    expect(place.ok("experiment", "check", "--db", other)).not.toContain("missing");
    place.ok("rebuild", "experiments", "--db", other);
    const contents = /digest (\w+)/.exec(said)?.[1];
    const moved = place.json("move", "io", "--db", other, "--to", there) as Record<string, unknown>;
    expect(moved).toMatchObject({ from: other, to: there, kept: false, planned: false });
    expect(moved["experiments"]).toMatchObject([
      { experiment: "io", runs: 2, rows: 320, rowsDigest: contents, history: true, missing: [] },
    ]);
    expect(moved["experiments"]).toMatchObject([{ resumed: false, owner: "owner", unknownRoles: [] }]);
    expect([names("--db", other), exported("--db", there), noted()]).toEqual([[], before, []]);
    expect(place.ok("import", "-e", "io", "-d", "io.inp", "--db", there, "c.out")).toContain("run 3 of io");
    expect(place.run(["import", "-e", "io", "-d", "io.inp", "--db", there, "a.out"]).stderr).toContain(
      "[already-imported]",
    );
    place.ok("experiment", "check", "--db", there);
  });

  it("stays with --keep, and is only told of with --dry-run", () => {
    const planned = place.ok("move", "io", "--db", here, "--to", "embedded", "--dry-run");
    expect(planned).toMatch(/^would move io with 2 runs and 320 rows to .*\/home\/experiments[.]duckdb\n$/);
    expect(existsSync(join(place.folder, "home", "experiments.duckdb"))).toBe(false);
    expect(place.ok("move", "--all", "--db", here, "--to", "embedded", "--keep")).toMatch(/^copied io with 2 runs/);
    expect(exported("--db", here)).toBe(exported());
    expect(place.run(["move", "io", "--db", here, "--to", "embedded", "--dry-run"]).status).toBe(4);
    const taken = place.run(["move", "io", "--db", here, "--to", "embedded"]);
    expect([taken.status, taken.stderr]).toEqual([
      4,
      expect.stringMatching(/^perfkeep: .*'io' in .*\[experiment-exists\]\n$/),
    ]);
    expect(names("--db", here)).toEqual(["io"]);
  });

  it("makes no file when there is nothing to move", () => {
    place.ok("experiment", "delete", "io", "--force", "--db", here);
    const target = join(place.folder, "none.duckdb");
    const ended = place.run(["move", "--all", "--db", here, "--to", target]);
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([0, "", "no experiments\n"]);
    expect(existsSync(target)).toBe(false);
  });

  it("is refused in one line", () => {
    for (const [status, code, words] of [
      [2, "no-move-target", ["io"]],
      [2, "unusable-combination", ["io", "--all", "--to", "x.duckdb"]],
      [2, "missing-operand", ["--to", "x.duckdb"]],
      [2, "move-same-database", ["io", "--to", here]],
      [5, "unknown-experiment", ["oi", "--to", "x.duckdb"]],
      [74, "database-unreachable", ["io", "--to", "postgres://ann@127.0.0.1:1/x?connect_timeout=1"]],
    ] as const) {
      const ended = place.run(["move", ...words, "--db", here]);
      expect([ended.status, ended.stderr]).toEqual([
        status,
        expect.stringMatching(new RegExp(`^perfkeep: [^\\n]*\\[${code}\\]\\n$`)),
      ]);
    }
    expect(existsSync(join(place.folder, "x.duckdb"))).toBe(false);
  });

  it("is refused by a server that lets nobody write, or not this user, and where no file can be made", async () => {
    const before = exported("--db", here);
    const refusal = (to: string): [number | null, string] => {
      const { status, stderr } = place.run(["move", "io", "--db", here, "--to", to]);
      return [status, stderr];
    };
    const oneLine = (code: string): unknown =>
      expect.stringMatching(new RegExp(`^perfkeep: (error: )?[^\\n]*\\[${code}\\]\\n$`));
    await server.run("postgres", `alter database ${nameOf(there)} set default_transaction_read_only = on`);
    expect(refusal(there)).toEqual([74, oneLine("database-unwritable")]);
    await server.run(
      "postgres",
      `alter database ${nameOf(there)} set default_transaction_read_only = off`,
      `create role will login password '${server.password}'`,
    );
    expect(refusal(there.replace("owner@", "will@"))).toEqual([74, oneLine("database-forbidden")]);
    await layOut(there);
    expect(refusal(there.replace("owner@", "will@"))).toEqual([74, oneLine("database-closed")]);
    expect(refusal("/proc/none.duckdb")).toEqual([74, oneLine("database-unwritable")]);
    expect([names("--db", here), exported("--db", here), noted()]).toEqual([["io"], before, []]);
  });

  /** Makes the tables of a database in which there is no experiment yet. */
  async function layOut(database: string): Promise<void> {
    const engine = await postgres.open(database, "write", undefined, place.environment);
    await migrate(engine);
    await engine.close();
  }

  /** Starts a move from `here` to `there` while somebody holds something; kills it once it waits for that. */
  async function killedWaitingFor(database: string, held: string): Promise<void> {
    const other = await postgres.open(database, "write", undefined, place.environment);
    await other.transaction(async () => {
      await other.execute(held);
      const { child, ended } = place.begin(["move", "io", "--db", here, "--to", there]);
      const waiting = `${waitingOnes} and datname = '${nameOf(database)}'`;
      while (child.exitCode === null && (await server.run("postgres", waiting)).length === 0);
      expect(child.exitCode).toBeNull();
      child.kill("SIGKILL");
      await ended;
    });
    await other.close();
  }

  /** Waits until nobody is connected, killed programs included. */
  async function settled(...databases: readonly string[]): Promise<void> {
    for (const database of databases.map(nameOf)) {
      const busy = `select pid from pg_stat_activity where application_name = 'perfkeep' and datname = '${database}'`;
      while ((await server.run("postgres", busy)).length > 0);
    }
  }

  it.each([
    ["before it is stored there", "there", "select number from ledger_head for update", ["io"], [], "io"],
    ["between there and here", "here", "select number from ledger_head for update", ["io"], ["io"], "io"],
    ["before it is dropped", "here", "select run from data_1", [], ["io"], "io"],
    ["before it is dropped, with all others", "here", "select run from data_1", [], ["io"], "--all"],
  ] as const)("goes on when it was killed %s", async (_, where, held, left, stored, which) => {
    if (where === "there") await layOut(there);
    const before = exported("--db", here);
    await killedWaitingFor(where === "there" ? there : here, held);
    await settled(here, there);
    expect([names("--db", here), names("--db", there)]).toEqual([left, stored]);
    expect(noted()).toHaveLength(stored.length);
    const moved = place.json("move", which, "--db", here, "--to", there);
    expect(moved).toMatchObject({
      experiments: [{ experiment: "io", runs: 2, rows: 320, resumed: stored.length > 0 }],
    });
    expect([names("--db", here), exported("--db", there), noted()]).toEqual([[], before, []]);
    expect(await server.run(nameOf(here), tables)).toEqual([]);
  });

  it("stays in both places when it was changed after the kill, until one is chosen", async () => {
    await killedWaitingFor(here, "select number from ledger_head for update");
    await settled(here, there);
    place.ok("import", "-e", "io", "-d", "io.inp", "c.out", "--db", here);
    const ended = place.run(["move", "io", "--db", here, "--to", there]);
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining("[move-overtaken]")]);
    place.ok("experiment", "delete", "io", "--purge", "--force", "--db", there);
    const before = exported("--db", here);
    place.ok("move", "io", "--db", here, "--to", there);
    expect([names("--db", here), exported("--db", there)]).toEqual([[], before]);
  });

  it("keeps those who import meanwhile waiting, and tells them", async () => {
    await layOut(there);
    const other = await postgres.open(there, "write", undefined, place.environment);
    const [moving, importing] = await other.transaction(async () => {
      await other.execute("select number from ledger_head for update");
      const moving = place.begin(["move", "io", "--db", here, "--to", there]);
      while ((await server.run("postgres", waitingOnes)).length < 1);
      const importing = place.begin(["import", "-e", "io", "-d", "io.inp", "c.out", "--db", here]);
      while ((await server.run("postgres", waitingOnes)).length < 2);
      return [moving, importing] as const;
    });
    expect(await moving.ended).toMatchObject({ status: 0 });
    expect(await importing.ended).toMatchObject({ status: 5, stderr: expect.stringContaining("[unknown-experiment]") });
    await other.close();
    expect(exported("--db", there).split("\n")).toHaveLength(302);
  });
});
