import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noServer, startServer, type PostgresServer } from "../servers/postgres-server.ts";
import { Playground, type Ended } from "./program.ts";

const description =
  "*experiment io\nWriting\n*read rita\n*write will\n*admin @crew\n*parameter size int\n*result rate float\n";
const input = 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n';
const lines = (from: number): string => ["size rate", `${from} 1.5`, `${from + 1} 2.5`, "", "end", ""].join("\n");
const query =
  '<query id="q"><experiment>io</experiment><source ' +
  'id="s"><result>rate</result></source><output><input>s</input></output></query>\n';

/** Who works with the experiment of carl: gina is in the crew, which admins it, and stan has no right to anything. */
const users = ["carl", "gina", "will", "rita", "stan"] as const;
type User = (typeof users)[number];
const [admins, writers, readers] = [users.slice(0, 2), users.slice(0, 3), users.slice(0, 4)];

describe.skipIf(noServer)(noServer ?? "rights on a shared database", () => {
  let server: PostgresServer;
  let place: Playground;
  let url: string;
  let inputs = 1;
  beforeAll(async () => {
    server = await startServer();
    await server.run(
      "postgres",
      "create role crew",
      ...users.map((user) => `create role ${user} login password 'pw of ${user}'`),
    );
    await server.run("postgres", "grant crew to gina");
    place = new Playground();
    url = await server.makeDatabase();
    place.environment = { PERFKEEP_DB: url, PGPASSWORD: server.password };
    place.write("seed.exp", "*experiment seed\nThe owner's\n*parameter size int\n*result rate float\n");
    place.write("io.exp", description);
    place.write("io.inp", input);
    place.write("q.xml", query);
    place.write("a.out", lines(1));
    place.ok("experiment", "create", "seed.exp");
    place.ok("experiment", "grant", "create", "carl");
    expect(as("carl", "experiment", "create", "io.exp")).toMatchObject({ status: 0, stderr: "" });
    expect(as("carl", "import", "-e", "io", "-d", "io.inp", "a.out")).toMatchObject({ status: 0, stderr: "" });
  });
  afterAll(() => server?.stop());

  function as(user: User, ...words: string[]): Ended {
    const address = url.replace(`//${server.user}@`, `//${user}@`);
    return place.run(words, { env: { PERFKEEP_DB: address, PGPASSWORD: `pw of ${user}`, USER: "somebody" } });
  }

  const verbs: readonly (readonly [who: readonly User[], commands: readonly string[]])[] = [
    [
      readers,
      ["experiment list", "experiment info io", "experiment show io", "experiment access io", "experiment access"],
    ],
    [readers, ["query io rate --by size", "query -d q.xml", "export io"]],
    [readers, ["import -e io -d io.inp --dry-run b.out"]],
    [writers, ["import -e io -d io.inp b.out", "import -e io -d io.inp --pset-store s b.out"]],
    [writers, ["attach put io q.xml"]],
    [admins, ["experiment delete io -f -r 1", "experiment undelete io -r 1"]],
    [admins, ["experiment update wider.exp", "experiment update io.exp"]],
    [admins, ["experiment grant read stan -e io", "experiment revoke read stan -e io"]],
    [admins, ["experiment delete io -f", "experiment undelete io"]],
  ];

  /** Who may not delete finds nothing to bring back, either. */
  const refusal = /\[(right-missing|database-closed|unknown-experiment|no-such-right)\]/;

  it.each(verbs)("%j may %j, and nobody else", (who, commands) => {
    place.write("wider.exp", `${description}*result wider float - NULL\n`);
    // Who has the least of the rights that suffice, and who has the most of those that do not.
    for (const user of users.slice(who.length - 1, who.length + 1)) {
      place.write("b.out", lines(10 * ++inputs));
      for (const command of commands) {
        const { status, stderr } = as(user, ...command.split(" "));
        if (who.includes(user)) expect([user, command, status, stderr]).toEqual([user, command, 0, ""]);
        else
          expect([user, command, status === 0, stderr]).toEqual([user, command, false, expect.stringMatching(refusal)]);
      }
      as("carl", "attach", "delete", "io", "q");
    }
  });

  it("says which right is missing, and who can grant it", () => {
    place.write("b.out", lines(5));
    const refused = as("rita", "import", "-e", "io", "-d", "io.inp", "b.out");
    expect(refused.stderr).toContain("'rita' may not do that with experiment 'io': the right write is missing");
    expect(refused.stderr).toContain("ask carl, @crew for: perfkeep experiment grant write rita -e io");
    expect(as("will", "experiment", "create", "seed.exp").stderr).toContain("perfkeep experiment grant create will");
    expect(as("stan", "experiment", "list").stderr).toContain("'stan' has no right to any experiment of this database");
  });

  it("shows each user the experiments it has a right to, and makes who logs in their owner", () => {
    const names = (user: User): string => as(user, "experiment", "list", "--format", "csv").stdout;
    expect(names("rita")).toMatch(/^io,/m);
    expect(names("rita")).not.toContain("seed");
    expect(as("rita", "experiment", "info", "seed").stderr).toContain("[unknown-experiment]");
    expect(JSON.parse(as("rita", "experiment", "access", "io", "--format", "json").stdout)).toEqual({
      schema: "perfkeep.experiment-access/2",
      experiment: "io",
      owner: "carl",
      readers: ["rita"],
      writers: ["will"],
      admins: ["@crew"],
      unknownRoles: [],
      enforced: true,
    });
  });

  it("takes with a right those that include it, and refuses what cannot be", () => {
    expect(as("gina", "experiment", "revoke", "read", "will", "-e", "io").status).toBe(0);
    expect(as("will", "query", "io").stderr).toContain("[database-closed]");
    expect(as("gina", "experiment", "grant", "write", "will", "-e", "io").status).toBe(0);
    expect(as("will", "query", "io").status).toBe(0);
    for (const [words, code] of [
      ["revoke read stan -e io", "no-such-right"],
      ["revoke admin carl -e io", "no-such-right"],
      ["grant read ritta -e io", "role-unknown"],
      ["grant own rita -e io", "unknown-choice"],
      ["grant read rita", "no-experiment-named"],
      ["grant create rita -e io", "unusable-combination"],
      ["grant create rita", "right-missing"],
    ] as const)
      expect([words, as("gina", "experiment", ...words.split(" ")).stderr]).toEqual([
        words,
        expect.stringContaining(`[${code}]`),
      ]);
  });

  it("notes names in a file, whose permissions decide", () => {
    const file = ["--db", "own.duckdb"] as const;
    place.ok("experiment", "create", "io.exp", ...file);
    const granted = place.run(["experiment", "grant", "write", "anybody", "-e", "io", ...file]);
    expect(granted).toMatchObject({ status: 0, stderr: expect.stringContaining("names are only recorded") });
    expect(granted.stdout).toContain("write: will, anybody\n");
    expect(place.run(["experiment", "grant", "create", "anybody", ...file]).stderr).toContain("[no-users]");
  });

  it("logs in at no server that only a description names", () => {
    const { hostname, port, pathname } = new URL(url);
    place.write(
      "far.exp",
      `*database carl@${hostname}:${port} ` +
        `${pathname.slice(1)}\n${description.replace("experiment io", "experiment far")}`,
    );
    place.environment = { PGPASSWORD: "pw of carl" };
    const refused = place.run(["experiment", "create", "far.exp"]);
    expect(refused).toMatchObject({
      status: 77,
      stderr: expect.stringContaining(`--db postgres://carl@${hostname}:${port}`),
    });
    place.ok("experiment", "create", "far.exp", "--db", "far.duckdb");
    expect(as("carl", "experiment", "list", "--format", "csv").stdout).not.toContain("far");
  });
});
