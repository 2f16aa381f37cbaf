import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { type ApiHandler, type ApiCall, encodedBody } from "./api.ts";
import { startServer, type RunningServer } from "./server.ts";

interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const calls: ApiCall[] = [];
const listeners = new Set<(what: string) => void>();
const errors: unknown[] = [];

const handler: ApiHandler = {
  reportError: (error) => void errors.push(error),
  watch: (changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  },
  handle: async (call) => {
    calls.push(call);
    if (call.name === "mistake") throw new TypeError("secret of ours");
    if (call.name === "busy") throw new Failure("database-busy", { path: "x.duckdb", pid: 7, seconds: 30 });
    if (call.name === "long") return { type: "application/json", body: JSON.stringify("x".repeat(20_000)) };
    if (call.name === "pieces") return { type: "application/json", body: ["[1,", "2]"] };
    return call.name === "known" ? { type: "application/json", body: `"it"` } : undefined;
  },
};

const files = new Map([
  ["/web/app.js", { type: "text/javascript", policy: "default-src 'none'", bytes: () => new Uint8Array([49]) }],
]);

describe("the server", () => {
  let server: RunningServer;
  let [port, token, cookie] = [0, "", ""];
  beforeAll(async () => {
    server = await startServer({ host: "127.0.0.1", port: 0 }, handler, files);
    const address = new URL(server.address);
    port = Number(address.port);
    token = address.hash.slice("#token=".length);
    cookie = `perfkeep-${port}=${token}`;
  });
  afterAll(() => server.close());

  function ask(
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<TestResponse> {
    const { method = "GET", headers = {}, body } = options;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { port, host: "127.0.0.1", path, method, headers: { cookie, ...headers } },
        (response) => {
          let text = "";
          response.on("data", (chunk) => (text += String(chunk)));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
          response.on("error", reject);
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  const status = async (...args: Parameters<typeof ask>): Promise<number> => (await ask(...args)).status;
  const json = { "content-type": "application/json" };

  test("exchanges the token for a cookie that scripts and other origins cannot read", async () => {
    expect(token).toMatch(/^[\w-]{32}$/);
    const entered = await ask("/enter", {
      method: "POST",
      headers: { ...json, cookie: "" },
      body: JSON.stringify({ token }),
    });
    expect(entered.status).toBe(204);
    expect(entered.headers["set-cookie"]).toEqual([`perfkeep-${port}=${token}; HttpOnly; SameSite=Strict; Path=/`]);
    expect(
      await status("/enter", { method: "POST", headers: json, body: JSON.stringify({ token: `${token}x` }) }),
    ).toBe(401);
    expect(await status("/enter", { method: "POST", headers: json, body: "null" })).toBe(401);
  });

  test("large answers are compressed for clients that read gzip", async () => {
    const data = JSON.stringify(Array.from({ length: 9000 }, (_, number) => number));
    const { bytes, encoding } = await encodedBody(data, "br, gzip");
    expect([encoding, gunzipSync(bytes).toString()]).toEqual([{ "content-encoding": "gzip" }, data]);
    expect(bytes.length).toBeLessThan(data.length);
    for (const refused of [undefined, "br", "gzip;q=0", "identity, gzip; q=0.0"])
      expect(await encodedBody(data, refused)).toEqual({ bytes: new TextEncoder().encode(data), encoding: {} });
    expect((await encodedBody("[]", "gzip")).encoding).toEqual({});
    const served = await ask("/api/long", { headers: { "accept-encoding": "gzip" } });
    // Not within this machine.
    expect(served.headers["content-encoding"]).toBeUndefined();
  });

  test("serves only the login page invalid the cookie", async () => {
    for (const invalid of [
      "",
      "perfkeep-1=x",
      `perfkeep-${port}=`,
      `perfkeep-${port}=${token.slice(1)}`,
      `other=${token}`,
    ]) {
      const headers = { cookie: invalid };
      for (const path of ["/api/known", "/api/changes", "/web/app.js", "/speedscope/", "/x"])
        expect(await status(path, { headers })).toBe(401);
      expect(await status("/api/known", { method: "POST", headers: { ...headers, ...json }, body: "1" })).toBe(401);
      const login = await ask("/", { headers });
      expect(login.status).toBe(200);
      expect(login.text).not.toContain("app.js");
      expect(login.text).not.toContain(token);
    }
    expect((await ask("/")).text).toContain("/web/app.js");
    expect((await ask("/")).text).not.toContain(token);
  });

  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", "[::ffff:127.0.0.1]"])(
    "rejects the host name %s",
    async (host) => expect(await status("/api/known", { headers: { host } })).toBe(421),
  );

  test("accepts each of its host names", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]"])
      expect(await status("/api/known", { headers: { host: `${name}:${port}` } })).toBe(200);
  });

  test("rejects requests from other origins", async () => {
    const own = `http://127.0.0.1:${port}`;
    for (const origin of [
      "http://evil.example",
      "null",
      "http://127.0.0.1:1",
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `${own}/`,
    ])
      expect(await status("/api/known", { headers: { origin } })).toBe(403);
    for (const site of ["cross-site", "same-site"])
      expect(await status("/api/known", { headers: { "sec-fetch-site": site } })).toBe(403);
    const fine = await ask("/api/known", { headers: { origin: own, "sec-fetch-site": "same-origin" } });
    expect(fine.status).toBe(200);
    expect(Object.keys(fine.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each(["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])("rejects the method %s", async (method) => {
    const { status: found, headers } = await ask("/api/known", { method });
    expect([found, headers["allow"]]).toEqual([405, "GET, POST"]);
  });

  test("rejects media types that forms of other pages can send", async () => {
    for (const type of [
      "",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json5",
    ])
      expect(
        await status("/api/known", {
          method: "POST",
          headers: type === "" ? {} : { "content-type": type },
          body: "{}",
        }),
      ).toBe(415);
    expect(await status("/api/known", { method: "POST", headers: json, body: "{" })).toBe(400);
    expect(await status("/api/known", { method: "POST", headers: json, body: "{}" })).toBe(200);
    expect(calls.at(-1)).toMatchObject({ method: "POST", name: "known", body: {} });
  });

  test("serves only its files, whatever the path", async () => {
    expect((await ask("/web/app.js")).text).toBe("1");
    const up = ["..", "%2e%2e", "..%2f..", "..%5c..", "%252e%252e", "....", ".%00.", "//", "\\..", "%c0%ae%c0%ae"];
    for (const each of up)
      for (const path of [
        `/web/${each}/package.json`,
        `/${each}/etc/passwd`,
        `/speedscope/${each}/app.js`,
        `/api/${each}/known`,
      ])
        expect(await status(path), path).toBe(404);
    for (const path of [
      "/web",
      "/web/",
      "/web/app.js/",
      "/web/APP.JS",
      "/__proto__",
      "/api/",
      "/api/__proto__",
      "http://evil.example/web/app.js",
    ])
      expect(await status(path), path).toBe(404);
  });

  test("sets security headers on every response", async () => {
    for (const path of ["/", "/web/app.js", "/api/known", "/nowhere"]) {
      const { headers } = await ask(path);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
    }
    expect((await ask("/")).headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  test("limits the size of requests", async () => {
    const large = JSON.stringify("x".repeat(1 << 20));
    expect(await status("/api/known", { method: "POST", headers: json, body: large })).toBe(413);
    const outgoing = ask("/api/known", {
      method: "POST",
      headers: { ...json, "transfer-encoding": "chunked" },
      body: large,
    });
    expect((await outgoing).status).toBe(413);
    expect(await status("/api/known", { headers: { "x-long": "x".repeat(20_000) } })).toBe(431);
  });

  test("times out incomplete requests", async () => {
    const impatient = await startServer({ host: "127.0.0.1", port: 0, requestTimeout: 300 }, handler, files);
    const { port: other, hash } = new URL(impatient.address);
    const entry = `Cookie: perfkeep-${other}=${hash.slice("#token=".length)}`;
    const headers = `Host: 127.0.0.1:${other}\r\n${entry}\r\nContent-Type: application/json\r\n`;
    const head = `POST /api/known HTTP/1.1\r\n${headers}`;
    for (const partial of [`${head}Content-Length: 9\r\n\r\n{`, "GET / HTTP/1.1\r\nHost: x"]) {
      const text = await new Promise<string>((resolve) => {
        let all = "";
        const socket = connect(Number(other), "127.0.0.1", () => socket.write(partial));
        socket.on("data", (chunk) => (all += String(chunk)));
        socket.on("close", () => resolve(all));
        socket.on("error", () => resolve(all));
      });
      expect(text).toMatch(/^(?:HTTP\/1.1 408|$)/);
    }
    await impatient.close();
  });

  test("answers although others hold as many idle connections as there may be", async () => {
    const sockets = Array.from({ length: 300 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    sockets.slice(0, 20).forEach((socket) => socket.write("GET / HTTP/1.1\r\nHost: x"));
    const closed = (): number => sockets.filter(({ destroyed }) => destroyed).length;
    await expect.poll(closed).toBeGreaterThan(40);
    for (let i = 0; i < 3; i++)
      expect(await status("/api/known", { method: "POST", headers: json, body: "{}" })).toBe(200);
    expect(closed()).toBeLessThan(60);
    for (const socket of sockets) socket.destroy();
  });

  test("reports failures, but no details of internal errors", async () => {
    const busy = await ask("/api/busy");
    expect(busy.status).toBe(503);
    expect(JSON.parse(busy.text)).toEqual({ message: expect.stringContaining("in use by process 7: waited 30 s") });
    const mistake = await ask("/api/mistake");
    expect(mistake.status).toBe(500);
    expect(mistake.text).not.toContain("secret");
    expect(errors).toHaveLength(1);
    expect((await ask("/api/pieces")).text).toBe("[1,2]");
  });

  test("streams changes to four pages, and rejects a fifth", async () => {
    const open = Array.from({ length: 4 }, () => {
      const socket = connect(port, "127.0.0.1");
      let all = "";
      socket.on("data", (chunk) => (all += String(chunk)));
      socket.write(`GET /api/changes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`);
      return { socket, text: () => all };
    });
    await expect.poll(() => listeners.size).toBe(4);
    expect(await status("/api/changes")).toBe(204);
    for (const notify of listeners) notify("triage");
    for (const { text } of open) await expect.poll(text).toContain('data: "triage"\n\n');
    for (const { socket } of open) socket.destroy();
    await expect.poll(() => listeners.size).toBe(0);
  });

  test("reports why it cannot listen", async () => {
    await expect(startServer({ host: "127.0.0.1", port }, handler, files)).rejects.toMatchObject({
      code: "cannot-listen",
    });
    await expect(startServer({ host: "192.0.2.1", port: 0 }, handler, files)).rejects.toMatchObject({
      code: "cannot-listen",
    });
  });
});
