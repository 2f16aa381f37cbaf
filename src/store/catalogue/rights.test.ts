import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { attacks, writing } from "../../../test/contracts/rights-attacks.ts";
import { noServer, startServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { AccessChange } from "../../core/experiments/experiment-update.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { postgres } from "../../plugins/engines/postgres.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { Experiments } from "../experiments/experiments.ts";
import { Objects } from "../objects/objects.ts";
import { layoutOf, migrate } from "../schema/schema.ts";
import { plainImport } from "../../../test/fakes/import-rows.ts";

const rate: Variable = { name: "rate", role: "result", occurrence: "multiple", type: "float", default: null };
const host: Variable = { name: "host", role: "parameter", occurrence: "once", type: "string", default: null };
const io: Experiment = {
  name: "io",
  readers: ['Rita "R"'],
  writers: ["will", "@crew"],
  admins: ["adam"],
  variables: [rate, host],
};
const secret: Experiment = { name: "secret", readers: [], writers: [], variables: [rate] };

/** The users: carl created the experiments, gina is in the crew, stan has no rights. */
const users = ["carl", "adam", "will", "gina", 'Rita "R"', "stan"] as const;
type User = (typeof users)[number];

describe.skipIf(noServer)(noServer ?? "rights on a server", () => {
  let server: PostgresServer;
  let folder: string;
  let database: string;
  let url: string;
  const open: Engine[] = [];

  beforeAll(async () => {
    server = await startServer();
    await server.run("postgres", "create role crew", "create role trap");
    for (const user of users)
      await server.run("postgres", `create role "${user.replaceAll('"', '""')}" login password 'pw ${user.length}'`);
    await server.run("postgres", "grant crew to gina");
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "perfkeep-rights-"));
    url = await server.makeDatabase();
    database = url.split("/").at(-1) as string;
    const keeper = await as(server.user);
    await migrate(keeper);
    await experimentsOf(keeper).access.changeCreators("grant", ["carl"]);
    const mine = experimentsOf(await as("carl"));
    await mine.create(io, 1, "another user");
    await mine.create(secret, 2);
    await importRun(mine, "first");
    await mine.attach(await mine.find("io"), { name: "q", kind: "query", object: "a".repeat(40) as never }, 3);
  });
  afterEach(async () => {
    for (const engine of open.splice(0)) await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function as(user: string, mode: "read" | "write" = "write"): Promise<Engine> {
    const password = user === server.user ? server.password : `pw ${user.length}`;
    const address = url.replace(`//${server.user}@`, `//${encodeURIComponent(user)}@`);
    const engine = await postgres.open(address, mode, undefined, { HOME: folder, PGPASSWORD: password });
    open.push(engine);
    return engine;
  }

  function experimentsOf(engine: Engine): Experiments {
    return new Experiments(engine, new Objects(join(folder, "objects"), join(folder, "quarantine")));
  }

  async function importRun(experiments: Experiments, name: string, between?: () => Promise<void>): Promise<void> {
    const sha256 = Buffer.from(name).toString("hex").padEnd(64, "0");
    const stored = await experiments.find("io");
    await experiments.import(stored, 5, plainImport, async (writer) => {
      writer.begin();
      await writer.rows(tableOf(stored.experiment.variables.slice(0, 1), [[1], [2]]));
      await between?.();
      await writer.end(new Map([["host", "here"]]), { created: 5, performed: 5 });
      await writer.claim(1, { path: name, sha256, object: "b".repeat(40) as never, bytes: 1 }, false);
    });
  }

  const changed = async (by: string, ...access: AccessChange[]): Promise<StoredExperiment> => {
    const experiments = experimentsOf(await as(by));
    return experiments.update(await experiments.find("io"), { experiment: "io", about: {}, changes: [], access }, 9);
  };
  const grant = (level: AccessChange["level"], who: string): AccessChange => ({ action: "grant", level, who });
  const revoke = (level: AccessChange["level"], who: string): AccessChange => ({ action: "revoke", level, who });

  async function codeOf(work: Promise<unknown>): Promise<string> {
    try {
      await work;
      return "done";
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code;
    }
  }

  /** The complete schema: rows, privileges, policies, functions. */
  async function everything(): Promise<unknown> {
    const names = await server.run(
      database,
      `select relname, relkind, relowner::regrole::text as owner, relacl::text, relrowsecurity
       from pg_class where relnamespace = 'perfkeep'::regnamespace order by 1`,
    );
    const rows: unknown[] = [];
    for (const { relname, relkind } of names)
      if (relkind === "r")
        rows.push(await server.run(database, `select * from perfkeep.${relname} t order by t::text`));
    const rules = await server.run(
      database,
      "select polname, polrelid::regclass::text, pg_get_expr(polqual, polrelid), polcmd from pg_policy order by 2, 1",
    );
    const functions = await server.run(
      database,
      `select proname, prosrc, proacl::text, prosecdef
       from pg_proc where pronamespace = 'perfkeep'::regnamespace order by 1`,
    );
    const numbers = await server.run(
      database,
      "select sequencename, last_value from pg_sequences where schemaname = 'perfkeep' order by 1",
    );
    return { names, rows, rules, functions, numbers };
  }

  const table: readonly (readonly [
    what: string,
    may: readonly User[],
    act: (e: Experiments, by: User) => Promise<unknown>,
  ])[] = [
    [
      "look",
      ["carl", "adam", "will", "gina", 'Rita "R"'],
      async (e) => [(await e.list()).length, await e.runs(await e.find("io"), true)],
    ],
    ["import", ["carl", "adam", "will", "gina"], (e, by) => importRun(e, by)],
    [
      "attach",
      ["carl", "adam", "will", "gina"],
      async (e, by) => e.attach(await e.find("io"), { name: by, kind: "query", object: "a".repeat(40) as never }, 3),
    ],
    [
      "keep a parameter set twice",
      ["carl", "adam", "will", "gina"],
      async (e) => {
        for (const value of ["x", "y"])
          await e.storeParameterSet(await e.find("io"), "s", new Map([["host", value]]), 3);
      },
    ],
    [
      "delete a run and bring it back",
      ["carl", "adam"],
      async (e) => (await e.removeRuns(await e.find("io"), [1], 4), e.restoreRuns(await e.find("io"), [1], false, 5)),
    ],
    [
      "detach",
      ["carl", "adam"],
      async (e) => {
        const kept = { name: "q", kind: "query", object: "a".repeat(40) as never } as const;
        await e.detach(await e.find("io"), "q", 4);
        await e.attach(await e.find("io"), kept, 5);
      },
    ],
    [
      "delete and undelete",
      ["carl", "adam"],
      async (e) => (await e.remove(await e.find("io"), 4), e.restore(await e.findDeleted("io"), 5)),
    ],
    [
      "change variables",
      ["carl", "adam"],
      async (e, by) => {
        const add = { kind: "add", variable: { ...rate, name: `new_${by}` } } as const;
        const drop = { kind: "drop", name: `new_${by}` } as const;
        for (const change of [add, drop])
          await e.update(await e.find("io"), { experiment: "io", about: {}, changes: [change], access: [] }, 6);
      },
    ],
    [
      "grant",
      ["carl", "adam"],
      async (e) =>
        e.update(await e.find("io"), { experiment: "io", about: {}, changes: [], access: [grant("read", "crew")] }, 6),
    ],
    [
      "repair",
      ["carl", "adam"],
      async (e) => e.repair([{ code: "wrong-count", experiment: "io", message: "", fixable: true }], 5),
    ],
    ["create", ["carl"], async (e, by) => e.create({ ...secret, name: `of ${by}` }, 7)],
    ["let others create", [], async (e) => e.access.changeCreators("grant", ["will"])],
    ["purge", ["adam"], async (e) => e.purge(await e.find("io"), 8)],
  ];
  const forbidden = ["right-missing", "unknown-experiment", "database-forbidden"];

  test.each(table)("to %s is for %j", async (what, may, act) => {
    // This is possible only once.
    for (const user of users.filter((each) => what !== "purge" || each !== "carl").toReversed()) {
      const engine = await as(user);
      if (user === "stan") {
        expect(await codeOf(layoutOf(engine))).toBe("database-closed");
        continue;
      }
      const before = may.includes(user) ? undefined : await everything();
      const code = await codeOf(act(experimentsOf(engine), user));
      if (may.includes(user)) expect([user, code]).toEqual([user, "done"]);
      else {
        expect([user, forbidden.includes(code), code]).toEqual([user, true, code]);
        expect(await everything()).toEqual(before);
      }
      await engine.close();
    }
  });

  test("experiments of others are invisible, but their names are taken", async () => {
    for (const user of ["adam", "will", "gina", 'Rita "R"']) {
      const experiments = experimentsOf(await as(user, "read"));
      expect((await experiments.list()).map(({ name }) => name)).toEqual(["io"]);
      expect(await codeOf(experiments.find("secret"))).toBe("unknown-experiment");
    }
    await experimentsOf(await as(server.user)).access.changeCreators("grant", ["will"]);
    const taken = experimentsOf(await as("will"));
    expect(await codeOf(taken.create({ ...secret, name: "SECRET" }, 7))).toBe("experiment-exists");
    await taken.create({ ...secret, name: "own" }, 7);
    expect((await taken.list()).map(({ name }) => name)).toEqual(["io", "own"]);
  });

  test.each(["will", "gina", 'Rita "R"', "stan"] as const)(
    "nothing helps %s: what is tried in SQL is refused or changes nothing",
    async (user) => {
      const before = await everything();
      const engine = await as(user);
      for (const attack of user === "will" || user === "gina" ? attacks : [...attacks, ...writing]) {
        const code = await codeOf(engine.execute(attack));
        expect([attack, ["done", "database-forbidden", "database-refused"].includes(code)]).toEqual([attack, true]);
      }
      expect(await everything()).toEqual(before);
    },
  );

  test.each(["will", 'Rita "R"', "stan"] as const)("%s cannot read data of others by any statement", async (user) => {
    const engine = await as(user, "read");
    for (const name of ["experiment", "variable", "run", "ledger"]) {
      const column = name === "experiment" ? "id" : "experiment";
      const read = engine.query(`select ${column} from perfkeep.${name} where ${column} <> 1`);
      if (user === "stan") expect(await codeOf(read)).toBe("database-forbidden");
      else expect((await read).length).toBe(0);
    }
    expect(await codeOf(engine.query("select * from perfkeep.data_2"))).toBe("database-forbidden");
    // Functions in a user's conditions never see invisible rows.
    await engine.execute("set default_transaction_read_only = off");
    await engine.execute("create temp table seen (n bigint)");
    await engine.execute(
      `create function pg_temp.spy(n bigint) returns boolean language plpgsql cost 0.0001
       as $$ begin insert into seen values (n); return true; end $$`,
    );
    await codeOf(engine.query("select id from perfkeep.experiment where pg_temp.spy(id)"));
    expect((await engine.query("select n from seen where n <> 1")).length).toBe(0);
  });

  test("a user's own tables do not shadow those of the schema", async () => {
    const engine = await as("will");
    await engine.execute("create temp table access (experiment bigint, kind varchar, ordinal bigint, who varchar)");
    await engine.execute("insert into pg_temp.access values (2, 'admin', 1, 'will')");
    await engine.execute("create temp table pg_namespace (nspname name, nspowner oid)");
    await engine.execute("insert into pg_temp.pg_namespace values ('perfkeep', 'will'::regrole)");
    await engine.execute("set search_path = pg_temp, perfkeep, pg_catalog");
    const asked = await engine.query(
      "select cast(perfkeep.is_keeper() as varchar) as k, cast(perfkeep.granted('admin') as varchar) as g",
    );
    expect(
      asked.columns.map((column) => (column.kind === "text" ? column.dictionary[column.codes[0] ?? 0] : null)),
    ).toEqual(["false", "{}"]);
  });

  test("rights follow grants and revocations, also through groups, and an admin can revoke its own", async () => {
    await changed("adam", grant("write", "stan"));
    await importRun(experimentsOf(await as("stan")), "of stan");
    await changed("adam", revoke("write", "stan"), grant("read", "stan"));
    const reader = experimentsOf(await as("stan"));
    expect(await codeOf(importRun(reader, "again"))).toBe("right-missing");
    expect(await reader.runs(await reader.find("io"), false)).toHaveLength(2);
    await changed("adam", revoke("read", "stan"));
    expect(await codeOf(layoutOf(await as("stan")))).toBe("database-closed");
    await server.run("postgres", "revoke crew from gina");
    expect(await codeOf(layoutOf(await as("gina")))).toBe("database-closed");
    await server.run("postgres", "grant crew to gina");
    await changed("adam", revoke("admin", "adam"));
    expect(await codeOf(layoutOf(await as("adam")))).toBe("database-closed");
    const { experiment } = await experimentsOf(await as("carl")).find("io");
    expect(experiment).toMatchObject({ readers: io.readers, writers: io.writers });
  });

  test("unknown names are refused with similar ones, and public is not a user", async () => {
    await expect(changed("carl", grant("read", "wil"))).rejects.toMatchObject({
      code: "role-unknown",
      data: { near: "will" },
    });
    for (const who of ["public", "@public", "current_user", "", "@", 'will"; drop table perfkeep.run; --'])
      expect([who, await codeOf(changed("carl", grant("read", who)))]).toEqual([who, "role-unknown"]);
    expect(
      await codeOf(experimentsOf(await as("carl")).create({ ...io, name: "x", writers: ["no such user"] }, 3)),
    ).toBe("role-unknown");
  });

  test("a dropped role causes no failure, and a new role of that name does not get its rights", async () => {
    await changed("carl", grant("write", "trap"));
    await server.run(database, "drop owned by trap", "drop role trap", "create role trap login password 'pw 4'");
    expect(await codeOf(layoutOf(await as("trap")))).toBe("database-closed");
    await server.run(database, "drop role trap");
    const experiments = experimentsOf(await as("carl"));
    expect(await experiments.access.rightsOf(await experiments.find("io"))).toMatchObject({
      owner: "carl",
      unknownRoles: ["trap"],
    });
    await changed("carl", grant("read", "stan"));
    await changed("carl", revoke("write", "trap"));
    await server.run("postgres", "create role trap");
  });

  test.each([
    ["some", "database-forbidden", [grant("read", "will")]],
    ["all", "database-refused", []],
  ] as const)("an import whose writer loses %s rights meanwhile stores nothing: %s", async (_, expected, left) => {
    const writer = experimentsOf(await as("will"));
    const change = async (): Promise<void> => void (await changed("carl", revoke("write", "will"), ...left));
    expect(await codeOf(importRun(writer, "late", change))).toBe(expected);
    const mine = experimentsOf(await as("carl"));
    expect(await mine.runs(await mine.find("io"), true)).toHaveLength(1);
    expect(await mine.check(await mine.find("io"))).toMatchObject([
      { code: "object-missing" },
      { code: "object-missing" },
    ]);
  });

  test("concurrent grants all take effect", async () => {
    const names = ["stan", "gina", "crew", "trap"];
    await Promise.all(names.map((who, at) => changed(at % 2 === 0 ? "carl" : "adam", grant("read", who))));
    const { experiment } = await experimentsOf(await as("carl")).find("io");
    expect(experiment.readers.toSorted()).toEqual(['Rita "R"', ...names].toSorted());
    for (const user of ["stan", "gina"]) expect(await codeOf(layoutOf(await as(user)))).toBe("done");
  });
});
