import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noServer, startServer, type PostgresServer } from "../../../test/servers/postgres-server.ts";
import { Client } from "./postgres-client.ts";
import { postgres } from "./postgres.ts";
import { openSocket, type Endpoint } from "./postgres-socket.ts";

const noOpenssl = spawnSync("openssl", ["version"]).status === 0 ? undefined : "openssl is not here";
const missing = noServer ?? noOpenssl;

describe.skipIf(missing)(missing ?? "TLS", () => {
  let server: PostgresServer;
  let folder: string;
  let authority: string;
  let stranger: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "perfkeep-tls-"));
    authority = makeAuthority(folder, "authority");
    stranger = makeAuthority(folder, "stranger");
    server = await startServer();
    serveWith(server, makeCertificate(folder, "authority", "DNS:localhost"));
    await server.run("postgres", "alter system set ssl = on", "select pg_reload_conf()");
    await reloaded(server);
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const session = (endpoint: Partial<Endpoint>): Promise<unknown> => connectionOf(server, endpoint);

  it("accepts a server whose certificate the authority signed for its name", async () => {
    expect(await session({ tls: "full", ca: authority })).toBe("TLSv1.3");
  });

  it("refuses a certificate of an unknown authority", async () => {
    expect(await session({ tls: "full" })).toMatch(/self-signed|unable to (?:get|verify)/);
    expect(await session({ tls: "full", ca: stranger })).toMatch(/unable to|self-signed/);
    expect(await session({ tls: "chain", ca: stranger })).toMatch(/unable to|self-signed/);
  });

  it("refuses another host's certificate, unless only the chain is verified", async () => {
    expect(await session({ host: "127.0.0.1", tls: "full", ca: authority })).toMatch(/does not match certificate/);
    expect(await session({ host: "127.0.0.1", tls: "chain", ca: authority })).toBe("TLSv1.3");
  });

  it("skips verification only on request", async () => {
    expect(await session({ host: "127.0.0.1", tls: "unverified" })).toBe("TLSv1.3");
    expect(await session({ tls: "none" })).toBe("plain");
  });

  it("is configured in the address", async () => {
    const file = join(folder, "authority.crt");
    const address = `postgres://owner@localhost:${server.port}/postgres?sslmode=verify-full`;
    const open = async (url: string): Promise<unknown> => {
      try {
        const engine = await postgres.open(url, "write", 5000, server.environment);
        const { columns } = await engine.query("select version from pg_stat_ssl where pid = pg_backend_pid()");
        await engine.close();
        return columns[0]?.kind === "text" ? columns[0].dictionary[0] : undefined;
      } catch (error) {
        return (error as { code: unknown }).code;
      }
    };
    expect(await open(`${address}&sslrootcert=${encodeURIComponent(file)}`)).toBe("TLSv1.3");
    expect(await open(address)).toBe("database-untrusted");
    expect(await open(`${address.replace("localhost", "127.0.0.1")}&sslrootcert=${file}`)).toBe("database-untrusted");
    expect(await open(`${address}&sslrootcert=${folder}/nothing`)).toBe("cannot-read");
  });

  it("is required even if the server does not support it", async () => {
    const plain = await startServer();
    try {
      expect(await connectionOf(plain, { tls: "unverified" })).toBe("the server does not support TLS");
    } finally {
      await plain.stop();
    }
  });
});

/** The TLS protocol of a session, or the error code. */
async function connectionOf(server: PostgresServer, endpoint: Partial<Endpoint>): Promise<unknown> {
  const whole: Endpoint = { host: "localhost", port: server.port, tls: "full", ...endpoint };
  const { user, password } = server;
  const client = new Client(
    () => openSocket(whole, 5000),
    { user, password, database: "postgres", settings: {} },
    5000,
  );
  try {
    let answer: unknown;
    await client.run("select version from pg_stat_ssl where pid = pg_backend_pid()", [], ([cell]) => {
      answer = cell == null ? "plain" : new TextDecoder().decode(cell);
    });
    return answer;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end();
  }
}

function openssl(...words: readonly string[]): void {
  execFileSync("openssl", words, { stdio: "ignore" });
}

const elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

/** Creates `name`.key and `name`.crt and returns the certificate. */
function makeAuthority(folder: string, name: string): string {
  const at = join(folder, name);
  openssl("req", "-x509", ...elliptic, "-keyout", `${at}.key`, "-out", `${at}.crt`, "-subj", `/CN=${name}`);
  return execFileSync("openssl", ["x509", "-in", `${at}.crt`], { encoding: "utf8" });
}

/** Creates a certificate for `names`, signed by the authority; returns the path without `.crt` and `.key`. */
function makeCertificate(folder: string, authority: string, names: string): string {
  const at = join(folder, "server");
  const by = join(folder, authority);
  openssl("req", ...elliptic, "-keyout", `${at}.key`, "-out", `${at}.csr`, "-subj", "/CN=server");
  writeFileSync(`${at}.ext`, `subjectAltName=${names}\n`);
  openssl(
    "x509",
    "-req",
    "-in",
    `${at}.csr`,
    "-CA",
    `${by}.crt`,
    "-CAkey",
    `${by}.key`,
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    `${at}.ext`,
    "-out",
    `${at}.crt`,
  );
  return at;
}

function serveWith(server: PostgresServer, pair: string): void {
  const data = join(server.folder, "data");
  const { uid, gid } = statSync(data);
  for (const end of ["crt", "key"]) {
    const to = join(data, `server.${end}`);
    copyFileSync(`${pair}.${end}`, to);
    chownSync(to, uid, gid);
    chmodSync(to, 0o600);
  }
}

/** The server reloads its configuration asynchronously. */
async function reloaded(server: PostgresServer): Promise<void> {
  for (;;) {
    const [row] = await server.run("postgres", "show ssl");
    if (row?.["ssl"] === "on") return;
  }
}
