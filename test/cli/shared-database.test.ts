import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { postgres } from "../../src/plugins/engines/postgres.ts";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import { Playground } from "./program.ts";

const description = "*experiment io\nWriting\n*parameter size int\n*result rate float\n";
const input = 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n';
const lines = (count: number, from: number): string => {
  const rows = Array.from({ length: count }, (_, n) => `${from + n} ${n / 8}`);
  return ["size rate", ...rows, "", "end", ""].join("\n");
};

const sha256Of = (place: Playground, file: string): string =>
  createHash("sha256")
    .update(readFileSync(join(place.folder, file)))
    .digest("hex");

describe.skipIf(noServer)(noServer ?? "a database that many import into", () => {
  let server: PostgresServer;
  let place: Playground;
  let database: string;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    place = new Playground();
    const url = await server.makeDatabase();
    database = url.split("/").at(-1) as string;
    place.environment = { PERFKEEP_DB: url, PGPASSWORD: server.password };
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.ok("experiment", "create", "io.exp");
  });

  const importing = (file: string) => place.begin(["import", "-e", "io", "-d", "io.inp", file]);

  /** How many rows each table about runs has. */
  async function stored(): Promise<Record<string, number>> {
    const counts = ["run", "once_1", "data_1", "source", "claim"].map(
      (name) => `(select count(*)::int from perfkeep.${name}) as ${name}`,
    );
    const [row] = await server.run(database, `select ${counts.join(", ")}`);
    return row as Record<string, number>;
  }

  it("keeps one file once, however many import it at the same time", async () => {
    place.write("a.out", lines(100, 1));
    const all = await Promise.all(Array.from({ length: 32 }, () => importing("a.out").ended));
    expect(all.map(({ status }) => status).toSorted()).toEqual([0, ...Array.from({ length: 31 }, () => 4)]);
    for (const { status, stderr } of all) if (status !== 0) expect(stderr).toContain("[already-imported]");
    expect(await stored()).toEqual({ run: 1, once_1: 1, data_1: 100, source: 1, claim: 1 });
  });

  it("keeps all of what many import at the same time", async () => {
    const files = Array.from({ length: 16 }, (_, n) => `f${n}.out`);
    for (const [n, file] of files.entries()) place.write(file, lines(100, 1000 * n));
    const all = await Promise.all(files.map((file) => importing(file).ended));
    expect(all.filter(({ status }) => status !== 0)).toEqual([]);
    expect(await stored()).toEqual({ run: 16, once_1: 16, data_1: 1600, source: 16, claim: 16 });
    const { runs } = place.json("experiment", "info", "io") as { runs: { number: number; rows: number }[] };
    expect(runs.map((run) => run.rows)).toEqual(files.map(() => 100));
    place.ok("experiment", "check", "io");
  });

  it("keeps nothing of an import that was killed, which can then be done again", async () => {
    place.write("big.out", lines(400_000, 1));
    const { child, ended } = importing("big.out");
    const busy = "select pid from pg_stat_activity where application_name = 'perfkeep'";
    const copying = `${busy} and query like 'copy "data_1"%'`;
    while (child.exitCode === null && (await server.run(database, copying)).length === 0);
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await ended;
    while ((await server.run(database, busy)).length > 0);
    expect(await stored()).toEqual({ run: 0, once_1: 0, data_1: 0, source: 0, claim: 0 });
    place.ok("import", "-e", "io", "-d", "io.inp", "big.out");
    expect(await stored()).toEqual({ run: 1, once_1: 1, data_1: 400_000, source: 1, claim: 1 });
  });

  it("keeps nothing of an import that is interrupted while it waits for somebody else", async () => {
    place.write("a.out", lines(100, 1));
    const other = await postgres.open(
      place.environment["PERFKEEP_DB"] as string,
      "write",
      undefined,
      place.environment,
    );
    await other.transaction(async () => {
      await other.execute("lock table data_1");
      const { child, ended } = importing("a.out");
      const waiting =
        "select pid from pg_stat_activity where application_name = 'perfkeep' and wait_event_type = 'Lock'";
      while (child.exitCode === null && (await server.run(database, waiting)).length === 0);
      expect(child.exitCode).toBeNull();
      child.kill("SIGTERM");
      expect(await ended).toMatchObject({ status: 130, stderr: expect.stringContaining("nothing was imported") });
      expect(await server.run(database, waiting)).toEqual([]);
    });
    await other.close();
    expect(await stored()).toEqual({ run: 0, once_1: 0, data_1: 0, source: 0, claim: 0 });
    place.ok("import", "-e", "io", "-d", "io.inp", "a.out");
  });

  it("does an import again that the server ended in favour of somebody else", async () => {
    for (const [n, file] of ["a.out", "b.out"].entries()) place.write(file, lines(10, 100 * n));
    const other = await postgres.open(
      place.environment["PERFKEEP_DB"] as string,
      "write",
      undefined,
      place.environment,
    );
    const claim = (file: string) =>
      other.execute("insert into claim (experiment, sha256) values (1, $1)", [sha256Of(place, file)]);
    const importingBoth = place.begin.bind(place, ["import", "-e", "io", "-d", "io.inp", "a.out", "b.out"]);
    const waiting = "select pid from pg_stat_activity where application_name = 'perfkeep' and wait_event_type = 'Lock'";
    const thrown = new Error("enough");
    let ended: Promise<unknown> = Promise.resolve();
    const holding = other.transaction(async () => {
      await other.execute("set local deadlock_timeout = '1min'");
      await claim("b.out");
      ({ ended } = importingBoth());
      while ((await server.run(database, waiting)).length === 0);
      // Each waits for the other now; it is the import that finds out first, and lets go.
      await claim("a.out");
      throw thrown;
    });
    await expect(holding).rejects.toBe(thrown);
    await other.close();
    expect(await ended).toMatchObject({ status: 0, stderr: "" });
    expect(await stored()).toEqual({ run: 2, once_1: 2, data_1: 20, source: 2, claim: 2 });
  });

  it("tells nobody the password, whatever is asked for and whatever goes wrong", () => {
    place.environment = { ...place.environment, PGPASSWORD: "battery-staple", PERFKEEP_DEBUG: "1" };
    for (const words of [
      ["query", "io"],
      ["import", "-e", "io", "-d", "io.inp", "io.inp", "--verbose"],
      ["experiment", "list", "--format", "json"],
    ]) {
      const ended = place.run(words);
      expect(ended.status).toBe(74);
      expect(ended.stdout + ended.stderr).toContain("database-denied");
      expect(ended.stdout + ended.stderr).not.toContain("battery-staple");
    }
    const inAddress = place.run(["query", "io", "--db", "postgres://owner:battery-staple@127.0.0.1:1/x", "--verbose"]);
    expect(inAddress).toMatchObject({ status: 2, stderr: expect.stringContaining("password-in-address") });
    expect(inAddress.stdout + inAddress.stderr).not.toContain("battery-staple");
  });
});
