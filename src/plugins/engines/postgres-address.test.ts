import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import type { Environment } from "./engine.ts";
import { readAddress, withoutPassword, type Address } from "./postgres-address.ts";
import { findPassword, type ServiceFiles } from "./postgres-login-files.ts";

function filesOf(texts: Readonly<Record<string, string>>, shared = false): ServiceFiles {
  return { exists: (path) => path in texts, read: (path) => texts[path], isShared: () => shared };
}

const read = (url: string, environment: Environment = {}, texts = {}): Address =>
  readAddress(url, { HOME: "/home/ann", ...environment }, filesOf(texts), "ann");

describe("an address", () => {
  it.each<[string, Partial<Address>]>([
    [
      "postgres://bob@db.example:6000/bench",
      { user: "bob", host: "db.example", port: 6000, database: "bench", tls: "full" },
    ],
    ["postgresql://127.0.0.1/x", { user: "ann", host: "127.0.0.1", port: 5432, database: "x", tls: "none" }],
    ["postgres://[::1]:7/x", { host: "::1", port: 7, tls: "none" }],
    ["postgres://", { host: "localhost", port: 5432, user: "ann", database: "ann" }],
    ["postgres://%2Ftmp%2Fpg/x", { host: "/tmp/pg", tls: "none" }],
    ["postgres:///x?host=/tmp/pg&port=7&user=bob", { host: "/tmp/pg", port: 7, user: "bob", tls: "none" }],
    ["postgres://b%40b@h/%C3%A9%20x", { user: "b@b", database: "é x" }],
    ["postgres://h/x?connect_timeout=0", { connectTimeout: 30_000, lockTimeout: 300_000 }],
    ["postgres://h/x?connect_timeout=2&lock_timeout=1", { connectTimeout: 2000, lockTimeout: 1000 }],
    ["postgres://h/x?statement_timeout=1.5", { statementTimeout: 1500 }],
    [
      "postgres://h/x?sslrootcert=/ca.pem&sslcert=/c&sslkey=/k",
      { authorities: "/ca.pem", certificate: "/c", key: "/k" },
    ],
  ])("%s", (url, expected) => {
    expect(read(url)).toMatchObject(expected);
  });

  it("is completed by the environment and the service file, in the order of libpq", () => {
    const environment = { PGHOST: "env", PGPORT: "1", PGUSER: "eve", PGDATABASE: "e", PGSERVICE: "s" };
    const files = {
      "/home/ann/.pg_service.conf": "[t]\nhost=wrong\n# host=no\n[s]\nhost=served\nport = 2\n[u]\nuser=wrong\n",
    };
    expect(read("postgres:///own", environment, files)).toMatchObject({
      host: "served",
      port: 2,
      user: "eve",
      database: "own",
    });
  });

  it.each([
    ["postgres://ann:secret@h/x", "password-in-address"],
    ["postgres://h/x?password=secret", "password-in-address"],
    ["postgres://h:0/x", "database-address"],
    ["postgres://h:99999/x", "database-address"],
    ["postgres://a,b/x", "database-address"],
    ["postgres://h/x?sslmod=require", "database-address"],
    ["postgres://h/x?statement_timeout=soon", "database-address"],
    ["postgres://h/a%00b", "database-address"],
    ["postgres://h/%zz", "database-address"],
    ["postgres://h/x?sslmode=maybe", "tls-mode"],
    ["postgres://h/x?service=none", "no-service"],
  ])("%s is refused with %s, and without the password", (url, code) => {
    try {
      read(url);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code });
      expect(JSON.stringify(error)).not.toContain("secret");
    }
  });

  it("contains no password in messages", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^/?#\s\0]{1,20}$/), fc.constantFrom("@h/x", "@h:5/x?a=b"), (secret, rest) => {
        const url = `postgres://u:${secret}${rest}`;
        expect(withoutPassword(url)).toBe(`postgres://u${rest}`);
      }),
    );
  });

  it("fails with a Failure for any input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (text) => {
        try {
          read(`postgres://${text.replace(/^https?:\/\//, "")}`);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});

describe("protection", () => {
  it.each<[url: string, environment: Environment, tls: Address["tls"]]>([
    ["postgres://h/x", {}, "full"],
    ["postgres://h/x", { PGSSLMODE: "disable" }, "full"],
    ["postgres://h/x?sslmode=verify-full", {}, "full"],
    ["postgres://localhost.example/x", {}, "full"],
    ["postgres://127.0.0.1.example/x", {}, "full"],
    ["postgres://localhost/x", { PGSSLMODE: "verify-full" }, "full"],
    ["postgres://localhost/x?sslmode=require", {}, "unverified"],
    ["postgres://localhost/x?sslmode=verify-ca", {}, "chain"],
    ["postgres://localhost/x?sslmode=disable", { PGSSLMODE: "verify-full" }, "none"],
    ["postgres://h/x?sslmode=insecure-unverified", {}, "unverified"],
    ["postgres://h/x?sslmode=insecure-plain", {}, "none"],
  ])("of %s with %o is %s", (url, environment, tls) => {
    const address = read(url, environment);
    expect(address.tls).toBe(tls);
    expect(address.warnings).toHaveLength(url.includes("insecure") ? 1 : 0);
  });

  it.each(["disable", "allow", "prefer", "require", "verify-ca"])("is not weakened by sslmode=%s", (mode) => {
    expect(() => read(`postgres://h/x?sslmode=${mode}`)).toThrow(
      expect.objectContaining({ code: "tls-too-weak" }) as Error,
    );
  });
});

describe("a password", () => {
  const login = { host: "h", port: 5432, database: "d", user: "u" };
  const find = (pgpass: string, environment: Environment = {}, from = login, shared = false) =>
    findPassword(
      from,
      undefined,
      { HOME: "/h", ...environment },
      filesOf({ "/h/.pgpass": pgpass, "/own": "*:*:*:*:own" }, shared),
    );

  it.each([
    ["h:5432:d:u:secret", "secret"],
    ["# h:5432:d:u:no\nh:5433:d:u:no\n*:*:*:*:yes\nh:5432:d:u:late", "yes"],
    ["h:5432:d:u:a\\:b\\\\c", "a:b\\c"],
    ["h:5432:d:u:a:b", "a"],
    ["h:5432:d", ""],
    ["h:5432:d:u:with space \r\n", "with space "],
    ["", ""],
  ])("is found in %j", (pgpass, text) => {
    expect(find(pgpass)).toEqual({ text });
  });

  it("comes from the environment, the service, or the password file, in this order", () => {
    expect(find("*:*:*:*:x", { PGPASSWORD: "p" })).toEqual({ text: "p" });
    expect(findPassword(login, "served", { HOME: "/h" }, filesOf({ "/h/.pgpass": "*:*:*:*:x" }))).toEqual({
      text: "served",
    });
    expect(find("*:*:*:*:x", { PGPASSFILE: "/own" })).toEqual({ text: "own" });
  });

  it("for a socket is that of localhost", () => {
    expect(find("localhost:*:*:*:x", {}, { ...login, host: "/tmp" })).toEqual({ text: "x" });
  });

  it("is not read from a file that other users can open", () => {
    expect(find("*:*:*:*:x", {}, login, true)).toMatchObject({ refused: { code: "password-file-shared" } });
  });
});
