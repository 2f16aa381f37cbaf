import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import { Playground } from "./program.ts";

const description = "*experiment io\nWriting\n*parameter size int\n*result rate float\n";
const input = 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n';
const lines = (count: number, from: number): string => {
  const rows = Array.from({ length: count }, (_, n) => `${from + n} ${n / 8}`);
  return ["size rate", ...rows, "", "end", ""].join("\n");
};

const digestIn = (said: string): string | undefined => /digest ([0-9a-f]{64})\n/.exec(said)?.[1];

/** Where databases are, by engine; the server is started once. */
describe.each(["duckdb", "postgres"])("an experiment on %s", (engine) => {
  let server: PostgresServer | undefined;
  let place: Playground;
  const skip = engine === "postgres" && noServer !== undefined;

  beforeAll(async () => {
    if (engine === "postgres" && !skip) server = await startServer();
  });
  afterAll(() => server?.stop());

  beforeEach(async () => {
    place = await newPlace();
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.ok("experiment", "create", "io.exp");
    place.write("a.out", lines(30, 1));
    place.write("b.out", lines(20, 100));
    place.ok("import", "-e", "io", "-d", "io.inp", "a.out", "b.out");
    place.ok("experiment", "delete", "io", "--run", "2", "--force");
  });

  async function newPlace(): Promise<Playground> {
    const made = new Playground();
    const environment = { PERFKEEP_HOME: join(made.folder, "home") };
    made.environment =
      server === undefined
        ? environment
        : { ...environment, PERFKEEP_DB: await server.makeDatabase(), PGPASSWORD: server.password };
    return made;
  }

  const left = (): string[] =>
    readdirSync(place.folder).filter((name) => name.includes("tar") || name.startsWith(".tmp"));

  test.skipIf(skip)("is restored elsewhere and here, and is the same", async () => {
    const said = place.ok("experiment", "dump", "io", "-o", "io.tar.gz");
    expect(said).toMatch(/^dumped io to io\.tar\.gz, digest [0-9a-f]{64}\n$/);
    const taken = place.run(["experiment", "restore", "io.tar.gz"]);
    expect([taken.status, taken.stderr]).toEqual([4, expect.stringContaining("[experiment-exists]")]);
    const again = place.ok("experiment", "restore", "io.tar.gz", "--as", "copy");
    expect(again).toBe(`restored copy: 2 runs, digest ${digestIn(said)}\n`);
    expect(place.ok("export", "copy", "--format", "csv")).toBe(place.ok("export", "io", "--format", "csv"));
    place.ok("experiment", "undelete", "copy", "--run", "2");
    place.write("c.out", lines(5, 1000));
    expect(place.ok("import", "-e", "copy", "-d", "io.inp", "c.out")).toContain("run 3 of copy");
    const refused = place.run(["import", "-e", "copy", "-d", "io.inp", "a.out"]);
    expect(refused.stderr).toContain("[already-imported]");
    place.ok("experiment", "check");
    const other = await newPlace();
    other.write("io.tar.gz", readFileSync(join(place.folder, "io.tar.gz")));
    other.ok("experiment", "restore", "io.tar.gz");
    other.ok("experiment", "dump", "io", "-o", "second.tar.gz");
    expect(
      readFileSync(join(other.folder, "second.tar.gz")).equals(readFileSync(join(place.folder, "io.tar.gz"))),
    ).toBe(true);
  });

  test.skipIf(skip)("needs its raw files, or says what lacks", () => {
    rmSync(join(place.folder, "home", "objects"), { recursive: true });
    const refused = place.run(["experiment", "dump", "io", "-o", "io.tar.gz"]);
    expect([refused.status, refused.stderr]).toEqual([
      5,
      expect.stringMatching(/a\.out \(object [0-9a-f]{40}\).*--without-raw.*\[dump-lacks-objects\]/),
    ]);
    expect(left()).toEqual([]);
    expect(place.ok("experiment", "dump", "io", "--without-raw", "-o", "io.tar.gz")).toMatch(/^dumped io/);
    const back = place.run(["experiment", "restore", "io.tar.gz", "--as", "poor"]);
    expect([back.status, back.stderr]).toEqual([0, expect.stringContaining("not in the dump: a.out (object ")]);
    expect(place.ok("export", "poor", "--format", "csv")).toBe(place.ok("export", "io", "--format", "csv"));
  });

  test.skipIf(skip)("leaves nothing when writing its dump, or restoring it, is killed", async () => {
    place.write("big.out", lines(100_000, 5000));
    place.ok("import", "-e", "io", "-d", "io.inp", "big.out");
    const dumping = place.begin(["experiment", "dump", "io", "-o", "io.tar.gz"]);
    while (dumping.child.exitCode === null && !readdirSync(place.folder).some((name) => name.startsWith(".tmp")));
    dumping.child.kill("SIGKILL");
    await dumping.ended;
    expect(existsSync(join(place.folder, "io.tar.gz"))).toBe(false);
    const said = place.ok("experiment", "dump", "io", "-o", "io.tar.gz");
    expect(left()).toEqual(["io.tar.gz"]);
    const before = place.ok("experiment", "list", "--format", "csv");
    for (const milliseconds of [300, 600, 900]) {
      const restoring = place.begin(["experiment", "restore", "io.tar.gz", "--as", "copy"]);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      restoring.child.kill("SIGKILL");
      await restoring.ended;
      // It may have been done already: then it is there whole.
      const done = place.run(["experiment", "dump", "copy", "-o", "copy.tar.gz"]);
      if (done.status === 0) expect(digestIn(done.stdout)).toBe(digestIn(said));
      if (done.status === 0) place.ok("experiment", "delete", "copy", "--purge", "--force");
      expect(place.ok("experiment", "list", "--format", "csv")).toBe(before);
    }
    expect(digestIn(place.ok("experiment", "restore", "io.tar.gz", "--as", "copy"))).toBe(digestIn(said));
    place.ok("experiment", "check");
  });
});

describe("a restored experiment on duckdb", () => {
  test("is made again by a rebuild, with what was there before", () => {
    const place = new Playground();
    place.environment = { PERFKEEP_HOME: join(place.folder, "home") };
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.write("a.out", lines(30, 1));
    place.ok("experiment", "create", "io.exp");
    place.ok("import", "-e", "io", "-d", "io.inp", "a.out");
    const said = place.ok("experiment", "dump", "io", "-o", "io.tar.gz");
    place.ok("experiment", "restore", "io.tar.gz", "--as", "copy");
    rmSync(join(place.folder, "home", "experiments.duckdb"));
    place.ok("rebuild", "experiments");
    for (const name of ["io", "copy"])
      expect(digestIn(place.ok("experiment", "dump", name, "-o", "after.tar.gz"))).toBe(digestIn(said));
  });
});
