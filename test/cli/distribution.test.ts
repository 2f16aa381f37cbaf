import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster, type Cluster } from "../servers/cluster.ts";
import { noServer } from "../servers/postgres-server.ts";
import { Playground, type Ended } from "./program.ts";

const lines = (from: number): string =>
  ["size rate", ...Array.from({ length: 40 }, (_, n) => `${n % 4} ${(from + n) / 8}`), "", "end", ""].join("\n");

describe.skipIf(noServer)(noServer ?? "an experiment on several servers", () => {
  let cluster: Cluster;
  let place: Playground;
  const over = (): string => cluster.urls.join(",");
  const question = ["query", "io", "rate", "--by", "size,host", "--stat", "count,mean,min,max,sum", "--format", "csv"];
  beforeAll(async () => {
    cluster = await startCluster();
    place = new Playground();
    place.environment = {
      PERFKEEP_DB: await cluster.coordinator.makeDatabase(),
      PGPASSWORD: cluster.coordinator.password,
    };
    place.write(
      "io.exp",
      "*experiment io\nWriting\n*parameter host string - once\n*parameter size int\n*result rate float\n",
    );
    place.write("io.inp", 'FIXED host é\nTABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n');
    place.ok("experiment", "create", "io.exp");
    for (const from of [0, 100, 200, 300])
      place.ok("import", "-e", "io", "-d", "io.inp", place.write(`${from}.out`, lines(from)));
  });
  afterAll(() => cluster?.stop());

  it("tells what would be done, without passwords, and does nothing", () => {
    const { stdout } = place.run(["experiment", "distribute", "io", "--over", over(), "--dry-run"]);
    expect(stdout).toContain("partition by hash (run)");
    expect(stdout).toContain("password '…'");
    expect(stdout).not.toContain(cluster.coordinator.password);
    expect(place.ok("query", "io", "rate", "--stat", "mean", "--explain")).toContain("from data_1 d");
    const citus = place.ok("experiment", "distribute", "io", "--over", over(), "--with", "citus", "--dry-run");
    expect(citus).toContain("select create_distributed_table('perfkeep.data_1', 'run') where not exists");
    expect(place.ok("experiment", "undistribute", "io", "--with", "citus", "--dry-run")).toContain(
      "select undistribute_table('perfkeep.data_1')",
    );
    const elsewhere = place.run([
      "experiment",
      "distribute",
      "io",
      "--over",
      over().replace("/test_1", "/parts"),
      "--with",
      "citus",
      "--dry-run",
    ]);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      2,
      expect.stringMatching(/^perfkeep: error: .*Citus requires the database 'test_1' .*\[no-spreading\]\n$/),
    ]);
    expect(place.run(["experiment", "distribute", "io", "--over", over(), "--with", "citus"])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("citus"),
    });
  });

  it.each([
    ["no-data-server", ["distribute", "io"]],
    [
      "data-server-given-twice",
      ["distribute", "io", "--over", "postgres://a@h/d?sslmode=insecure-plain,postgres://a@h/d?sslmode=insecure-plain"],
    ],
    ["database-address", ["distribute", "io", "--over", "http://a:secret@h/d"]],
    ["password-in-address", ["distribute", "io", "--over", "postgres://a:secret@h/d"]],
    ["unknown-experiment", ["distribute", "oi", "--over", "postgres://a@127.0.0.1/d"]],
    ["no-spreading", ["undistribute", "io"]],
  ])("is refused by %s", (code, words) => {
    const { status, stderr } = place.run(["experiment", ...words]);
    expect(status).not.toBe(0);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).not.toContain("secret");
  });

  it("answers as before, sums up part by part, takes imports, and comes back", async () => {
    const before = place.ok(...question);
    const { stdout, stderr } = place.run(["experiment", "distribute", "io", "--over", over()]);
    expect(stdout).toMatch(
      /^io is sharded over 127\.0\.0\.1:\d+\/test_1 \(\d+ rows\), 127\.0\.0\.1:\d+\/test_1 \(\d+ rows\)\n$/,
    );
    expect(stderr).toBe("");
    expect(place.ok(...question)).toBe(before);
    expect(place.ok(...question.slice(0, -2), "--explain")).toContain("aggregated in 2 shards");
    const files = [400, 500, 600, 700].map((from) => place.write(`${from}.out`, lines(from)));
    const all = await Promise.all(files.map((file) => place.begin(["import", "-e", "io", "-d", "io.inp", file]).ended));
    expect(all.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    place.ok("experiment", "check", "io");
    const after = place.ok(...question);
    expect(after).not.toBe(before);
    place.ok("experiment", "undistribute", "io");
    expect(place.ok(...question)).toBe(after);
    expect(place.ok("query", "io", "rate", "--stat", "mean", "--explain")).toContain("from data_1 d");
    place.ok("experiment", "distribute", "io", "--over", over());
  }, 60_000);

  it("moves no row that lies on these servers already, and tells what it says to them if asked to", () => {
    const before = place.ok(...question);
    const turned = cluster.urls.toReversed().join(",");
    const { stdout, stderr } = place.run(["experiment", "distribute", "io", "--over", turned, "-v"]);
    expect(stdout).toMatch(/^io is sharded over \S+, \S+, as before; logins were renewed\n$/);
    expect(stderr).toMatch(/^-- at 127\.0\.0\.1:/);
    expect(stderr).toContain("create user mapping for public");
    expect(stderr).not.toContain("insert into");
    expect(stdout + stderr).not.toContain(cluster.coordinator.password);
    expect(JSON.parse(place.ok("experiment", "distribute", "io", "--over", over(), "--format", "json"))).toMatchObject({
      applied: true,
      moved: false,
      servers: cluster.dataServers.map(({ port }) => ({ location: `127.0.0.1:${port}/test_1` })),
    });
    expect(place.ok(...question)).toBe(before);
  }, 60_000);

  it("tells what a superuser has to say once, where its own user is none", async () => {
    const { coordinator } = cluster;
    const { password, port } = coordinator;
    await coordinator.run("postgres", `create role ann login password '${password}'`);
    await coordinator.run("postgres", "create database anns owner ann");
    const env = { PERFKEEP_DB: `postgres://ann@127.0.0.1:${port}/anns` };
    expect(place.run(["experiment", "create", "io.exp"], { env }).status).toBe(0);
    const distribute = (): Ended => place.run(["experiment", "distribute", "io", "--over", over()], { env });
    const make = "create extension if not exists postgres_fdw with schema public";
    const grant = "grant usage on foreign data wrapper postgres_fdw to ann";
    const { status, stderr } = distribute();
    expect([status, stderr]).toEqual([
      74,
      expect.stringContaining(`in the database anns: ${make}; ${grant} [wrapper-forbidden]`),
    ]);
    await coordinator.run("anns", make);
    expect(distribute().stderr).toContain("[wrapper-forbidden]");
    await coordinator.run("anns", grant);
    expect(distribute()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^io is sharded over /) });
  }, 60_000);

  it("says which server is down, and goes on when it is back", async () => {
    const [, second] = cluster.dataServers;
    await second?.pause();
    const { status, stderr } = place.run(question);
    expect(status).toBe(74);
    expect(stderr).toContain("[data-server-unreachable]");
    expect(stderr).toContain(`port ${second?.port}`);
    const importing = place.run(["import", "-e", "io", "-d", "io.inp", place.write("late.out", lines(9000))]);
    expect(importing.stderr).toContain("[data-server-unreachable]");
    await second?.resume();
    place.ok("import", "-e", "io", "-d", "io.inp", "late.out");
    place.ok("experiment", "check", "io");
  }, 60_000);
});
