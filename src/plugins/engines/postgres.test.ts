import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { columnValues, engineContract, table } from "../../../test/contracts/engine.ts";
import { noServer, startServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import type { Engine, EnginePlugin, Environment } from "./engine.ts";
import { postgres } from "./postgres.ts";

let server: PostgresServer;

/** Opens the database with the owner's password. */
const asOwner: EnginePlugin = {
  ...postgres,
  open: (url, mode, patience, environment) =>
    postgres.open(url, mode, patience, { ...server.environment, ...environment }),
};

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it worked",
    (error: unknown) => error,
  );

describe.skipIf(noServer)(noServer ?? "a PostgreSQL server", () => {
  let url: string;
  let database: string;
  beforeAll(async () => {
    server = await startServer("-c", "deadlock_timeout=50ms");
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    url = await server.makeDatabase();
    database = url.split("/").at(-1) as string;
  });

  engineContract("postgres", asOwner, async () => ({ url: await server.makeDatabase(), remove: async () => {} }));

  const opened = async (use: (...engines: Engine[]) => Promise<void>, count = 1): Promise<void> => {
    const engines: Engine[] = [];
    try {
      for (let n = 0; n < count; n++) engines.push(await asOwner.open(url, "write"));
      await use(...engines);
    } finally {
      for (const engine of engines) await engine.close();
    }
  };

  describe("the layout", () => {
    it("is not created by reading, and uses its own schema", async () => {
      expect(await failure(asOwner.open(url, "read"))).toMatchObject({ code: "no-database" });
      await opened(async (engine) => engine.execute("create table t (n bigint)"));
      const [made] = await server.run(database, "select schemaname as name from pg_tables where tablename = 't'");
      expect(made).toEqual({ name: "perfkeep" });
      await (await asOwner.open(url, "read")).close();
    });

    it("is created once by concurrent opens", async () => {
      const engines = await Promise.all(Array.from({ length: 8 }, () => asOwner.open(url, "write")));
      expect(new Set(engines.map((engine) => engine.dialect)).size).toBe(1);
      for (const engine of engines) await engine.close();
    });

    it("requires an existing database", async () => {
      const error = await failure(asOwner.open(url.replace(database, "nowhere"), "write"));
      expect(error).toMatchObject({ code: "no-server-database", data: { database: "nowhere" } });
    });

    it("is not confused with objects in the default search path", async () => {
      await server.run(
        database,
        "create table public.t as select 1 as n",
        "create function public.strpos(varchar, varchar) returns int language sql as 'select 666'",
        `alter database ${database} set search_path = public`,
      );
      await opened(async (engine) => {
        expect(await failure(engine.query("select * from t"))).toMatchObject({ code: "database-refused" });
        expect(
          columnValues(await engine.query("select strpos(cast('abc' as varchar), cast('c' as varchar)) as x"), 0),
        ).toEqual([3]);
      });
    });

    it("is read independently of database settings", async () => {
      const settings = [
        "TimeZone = 'Asia/Tokyo'",
        "DateStyle = 'German'",
        "bytea_output = 'escape'",
        "extra_float_digits = -5",
      ];
      await server.run(database, ...settings.map((setting) => `alter database ${database} set ${setting}`));
      await opened(async (engine) => {
        const sql = `select cast('1970-01-02' as date) as a, cast('1969-12-31 23:59:59.999999' as timestamp) as b,
          cast('1970-01-01 09:00+09' as timestamptz) as c, decode('AP8=', 'base64') as d,
          cast(0.1 as double precision) + 0.2 as e,
          cast('0044-03-15 BC' as date) as f, 0.5 as g, cast(12 as numeric) as h`;
        const row = await engine.query(sql);
        expect(row.columns.map((_, at) => columnValues(row, at)[0])).toEqual([
          1,
          -1,
          0,
          "AP8=",
          0.1 + 0.2,
          -735_160,
          0.5,
          12,
        ]);
        expect(row.variables.map(({ type }) => type).join(" ")).toBe(
          "date timestamp timestamp binary float date float integer",
        );
      });
    });

    it("reports times that are not representable", async () => {
      await opened(async (engine) => {
        expect(await failure(engine.query("select cast('infinity' as date) as d"))).toMatchObject({
          code: "database-refused",
        });
        expect(columnValues(await engine.query("select 1 as n"), 0)).toEqual([1]);
      });
    });
  });

  describe("a failure", () => {
    it("contains the server's message and detail", async () => {
      await opened(async (engine) => {
        await engine.execute("create table t (n bigint unique)");
        const twice = table([["n", "integer", Array.from({ length: 200_000 }, (_, n) => (n === 150_000 ? 7 : n))]]);
        expect(await failure(engine.append("t", ["n"], twice))).toMatchObject({
          code: "database-refused",
          data: { state: "23505", reason: expect.stringMatching(/unique constraint.*\(n\)=\(7\)/) },
        });
        expect(await failure(engine.append("u", ["n"], twice))).toMatchObject({ code: "database-refused" });
        expect(columnValues(await engine.query("select count(*) as n from t"), 0)).toEqual([0]);
        await engine.append("t", ["n"], table([["n", "integer", [1]]]));
        expect(columnValues(await engine.query("select n from t"), 0)).toEqual([1]);
      });
    });

    it.each([
      ["integer", "bigint", [0.5]],
      ["integer", "smallint", [40_000]],
      ["date", "date", [2 ** 40]],
      ["string", "bigint", ["x"]],
      ["integer", "varchar", [1]],
    ] as const)("is reported before sending: %s as %s", async (type, sqlType, values) => {
      await opened(async (engine) => {
        await engine.execute(`create table t (v ${sqlType})`);
        expect(await failure(engine.append("t", ["v"], table([["v", type, values]])))).toMatchObject({
          code: "database-refused",
        });
        expect(columnValues(await engine.query("select count(*) as n from t"), 0)).toEqual([0]);
      });
    });

    it("on a lost connection leaves nothing and does not reconnect", async () => {
      await opened(async (engine) => {
        await engine.execute("create table t (n bigint)");
        const work = engine.transaction(async () => {
          await engine.execute("insert into t values (1)");
          await server.run(
            database,
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'perfkeep'",
          );
          await engine.execute("insert into t values (2)");
        });
        expect(await failure(work)).toMatchObject({ code: "database-lost" });
        expect(await failure(engine.execute("insert into t values (3)"))).toMatchObject({ code: "database-lost" });
        expect(await server.run(database, "select * from perfkeep.t")).toEqual([]);
      });
    });

    it("reports missing permissions", async () => {
      await opened(async (engine) => engine.execute("create table t (n bigint)"));
      await server.run(
        database,
        "drop role if exists guest",
        "create role guest login password 'guest'",
        `grant usage on schema perfkeep to guest`,
      );
      const guest = await postgres.open(url.replace("owner@", "guest@"), "write", undefined, { PGPASSWORD: "guest" });
      expect(await failure(guest.query("select * from t"))).toMatchObject({
        code: "database-forbidden",
        data: { user: "guest" },
      });
      expect(await failure(guest.execute("create table u (n bigint)"))).toMatchObject({ code: "database-forbidden" });
      await guest.close();
      await server.run(database, "drop schema perfkeep cascade");
      const stranger = postgres.open(url.replace("owner@", "guest@"), "write", undefined, { PGPASSWORD: "guest" });
      expect(await failure(stranger)).toMatchObject({ code: "database-forbidden" });
    });

    it("reports a timeout", async () => {
      const hasty = await asOwner.open(`${url}?statement_timeout=0.05`, "write");
      expect(await failure(hasty.query("select pg_sleep(30)"))).toMatchObject({ code: "database-timeout" });
      await hasty.close();
    });
  });

  describe("concurrent transactions", () => {
    it("wait for a lock up to the lock timeout of the address", async () => {
      await opened(async (engine) => {
        await engine.execute("create table t (n bigint)");
        const other = await asOwner.open(`${url}?lock_timeout=0.05`, "write");
        await engine.transaction(async () => {
          await engine.execute("lock table t");
          expect(await failure(other.query("select * from t"))).toMatchObject({ code: "database-busy" });
        });
        await other.close();
      });
    });

    it("wait for layout changes up to the patience", async () => {
      await opened(async (engine) => {
        const other = await asOwner.open(url, "write", 50);
        await engine.exclusive(async () => {
          expect(await failure(other.exclusive(async () => 7))).toMatchObject({ code: "database-busy" });
        });
        expect(await other.exclusive(async () => 7)).toBe(7);
        await other.close();
      });
    });

    it("report a deadlock as a conflict", async () => {
      await opened(async (one, two) => {
        await one.execute("create table t (n bigint primary key)");
        const insert = (engine: Engine, ...numbers: number[]): Promise<void> =>
          engine.transaction(async () => {
            for (const n of numbers) {
              await engine.execute("insert into t values ($1)", [n]);
              await barrier();
            }
          });
        let arrived = 0;
        let go = (): void => {};
        const both = new Promise<void>((resolve) => {
          go = resolve;
        });
        const barrier = (): Promise<void> => (++arrived === 2 ? (go(), Promise.resolve()) : both);
        const [a, b] = await Promise.all([failure(insert(one, 1, 2)), failure(insert(two, 2, 1))]);
        expect([a, b].map((each) => (each as { code?: string }).code ?? each).toSorted()).toEqual([
          "database-conflict",
          "it worked",
        ]);
      }, 2);
    });

    it("run exclusive work sequentially", async () => {
      await opened(async (...engines) => {
        await (engines[0] as Engine).execute("create table t (n bigint)");
        const counted = engines.map((engine) =>
          engine.exclusive(async () => {
            const [n] = columnValues(await engine.query("select count(*) as n from t"), 0);
            await engine.execute("insert into t values ($1)", [n as number]);
          }),
        );
        await Promise.all(counted);
        expect(columnValues(await (engines[0] as Engine).query("select n from t order by n"), 0)).toEqual([0, 1, 2, 3]);
      }, 4);
    });

    it("read from one snapshot", async () => {
      await opened(async (writer) => {
        await writer.execute("create table t (n bigint)");
        const reader = await asOwner.open(url, "read");
        await reader.transaction(async () => {
          const count = async () => columnValues(await reader.query("select count(*) as n from t"), 0)[0];
          expect(await count()).toBe(0);
          await writer.execute("insert into t values (1)");
          expect(await count()).toBe(0);
        });
        await reader.close();
      });
    });
  });

  describe("a login", () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "perfkeep-login-"));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const open = (address: string, environment: Environment): Promise<unknown> =>
      failure(
        postgres.open(address, "write", undefined, { HOME: folder, ...environment }).then((engine) => engine.close()),
      );
    const keep = (name: string, text: string, mode = 0o600): string => {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), mode);
      return join(folder, name);
    };

    it("with a wrong password is denied, without printing it", async () => {
      const error = await open(url, { PGPASSWORD: "not the horse" });
      expect(error).toMatchObject({ code: "database-denied", data: { user: "owner" } });
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("not the horse");
      expect(await open(url, {})).toMatchObject({ code: "database-denied" });
    });

    it("may use a password file that no other user can open", async () => {
      const line = `*:${server.port}:${database}:owner:${server.password}\n`;
      keep(".pgpass", line, 0o644);
      expect(await open(url, {})).toMatchObject({ code: "password-file-shared" });
      keep(".pgpass", line);
      expect(await open(url, {})).toBe("it worked");
      const elsewhere = keep("elsewhere", "127.0.0.1:*:*:owner:wrong\n");
      expect(await open(url, { PGPASSFILE: elsewhere })).toMatchObject({ code: "database-denied" });
    });

    it("may use a service file for all parameters", async () => {
      const lines = [
        "[other]",
        "host=nowhere",
        "[bench]",
        "host=127.0.0.1",
        `port=${server.port}`,
        `dbname=${database}`,
        "user=owner",
      ];
      keep(".pg_service.conf", [...lines, `password=${server.password}`, ""].join("\n"));
      expect(await open("postgres:///?service=bench", { PGPASSFILE: "/dev/null/none" })).toBe("it worked");
      expect(await open("postgres://", { PGSERVICE: "bench" })).toBe("it worked");
      expect(await open("postgres://", { PGSERVICE: "bank" })).toMatchObject({ code: "no-service" });
    });

    it("may use the server's socket", async () => {
      const address = `postgres://owner@${encodeURIComponent(server.folder)}:${server.port}/${database}`;
      expect(await open(address, server.environment)).toBe("it worked");
    });

    it("may use the environment only", async () => {
      const environment = { PGHOST: "127.0.0.1", PGPORT: String(server.port), PGUSER: "owner", PGDATABASE: database };
      expect(await open("postgres://", { ...environment, PGPASSWORD: server.password })).toBe("it worked");
    });
  });
});

describe("without a PostgreSQL server", () => {
  let listener: Server;
  const sockets = new Set<Socket>();
  const listen = async (onConnection: (socket: Socket) => void): Promise<string> => {
    listener = createServer((socket) => {
      sockets.add(socket);
      onConnection(socket);
    });
    await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as { port: number };
    return `postgres://ann@127.0.0.1:${port}/x`;
  };
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void listener.close(resolve));
  };

  it("reports an unreachable server", async () => {
    const url = await listen(() => {});
    await stop();
    expect(await failure(postgres.open(url, "read"))).toMatchObject({ code: "database-unreachable" });
  });

  it.each([
    ["hangs up", (socket: Socket) => socket.end()],
    ["says nothing", () => {}],
    ["speaks something else", (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ])("gives up on one that %s", async (_, onConnection) => {
    const url = await listen(onConnection);
    expect(await failure(postgres.open(`${url}?connect_timeout=0.3`, "read"))).toMatchObject({ exit: 74 });
    expect(await failure(postgres.open(`${url}?connect_timeout=0.3&sslmode=require`, "read"))).toMatchObject({
      name: "Failure",
    });
    await stop();
  });
});
