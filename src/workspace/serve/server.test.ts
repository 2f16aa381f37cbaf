import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import type { ApiHandler, ApiCall } from "./api.ts";
import { startServer, type RunningServer } from "./server.ts";

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const calls: ApiCall[] = [];
const told = new Set<(what: string) => void>();
const wrong: unknown[] = [];

const answers: ApiHandler = {
  reportError: (error) => void wrong.push(error),
  watch: (changed) => {
    told.add(changed);
    return () => told.delete(changed);
  },
  handle: async (call) => {
    calls.push(call);
    if (call.name === "mistake") throw new TypeError("secret of ours");
    if (call.name === "busy") throw new Failure("database-busy", { path: "x.duckdb", pid: 7, seconds: 30 });
    if (call.name === "pieces") return { type: "application/json", body: ["[1,", "2]"] };
    return call.name === "known" ? { type: "application/json", body: `"it"` } : undefined;
  },
};

const files = new Map([
  ["/web/app.js", { type: "text/javascript", policy: "default-src 'none'", bytes: () => new Uint8Array([49]) }],
]);

describe("the server of pages", () => {
  let server: RunningServer;
  let [port, token, cookie] = [0, "", ""];
  beforeAll(async () => {
    server = await startServer({ host: "127.0.0.1", port: 0 }, answers, files);
    const address = new URL(server.address);
    port = Number(address.port);
    token = address.hash.slice("#token=".length);
    cookie = `perfkeep-${port}=${token}`;
  });
  afterAll(() => server.close());

  function ask(
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answered> {
    const { method = "GET", headers = {}, body } = options;
    return new Promise((resolve, reject) => {
      const asked = request({ port, host: "127.0.0.1", path, method, headers: { cookie, ...headers } }, (response) => {
        let text = "";
        response.on("data", (piece) => (text += String(piece)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on("error", reject);
      });
      asked.on("error", reject);
      asked.end(body);
    });
  }

  const status = async (...words: Parameters<typeof ask>): Promise<number> => (await ask(...words)).status;
  const json = { "content-type": "application/json" };

  test("lets in who has the token, by a cookie that scripts and pages of others do not get", async () => {
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

  test("shows nothing to those without it but a door", async () => {
    for (const without of [
      "",
      "perfkeep-1=x",
      `perfkeep-${port}=`,
      `perfkeep-${port}=${token.slice(1)}`,
      `other=${token}`,
    ]) {
      const headers = { cookie: without };
      for (const path of ["/api/known", "/api/changes", "/web/app.js", "/speedscope/", "/x"])
        expect(await status(path, { headers })).toBe(401);
      expect(await status("/api/known", { method: "POST", headers: { ...headers, ...json }, body: "1" })).toBe(401);
      const door = await ask("/", { headers });
      expect(door.status).toBe(200);
      expect(door.text).not.toContain("app.js");
      expect(door.text).not.toContain(token);
    }
    expect((await ask("/")).text).toContain("/web/app.js");
    expect((await ask("/")).text).not.toContain(token);
  });

  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", "[::ffff:127.0.0.1]"])(
    "answers to no other name: %s",
    async (host) => expect(await status("/api/known", { headers: { host } })).toBe(421),
  );

  test("answers to each of its names", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]"])
      expect(await status("/api/known", { headers: { host: `${name}:${port}` } })).toBe(200);
  });

  test("answers no page of others", async () => {
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

  test.each(["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])("knows no method %s", async (method) => {
    const { status: found, headers } = await ask("/api/known", { method });
    expect([found, headers["allow"]]).toEqual([405, "GET, POST"]);
  });

  test("takes nothing that a form of another page can send", async () => {
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

  test("hands out its files and nothing else, however a path is written", async () => {
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

  test("says in each answer what pages may do", async () => {
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

  test("takes no more than it can hold", async () => {
    const large = JSON.stringify("x".repeat(1 << 20));
    expect(await status("/api/known", { method: "POST", headers: json, body: large })).toBe(413);
    const asked = ask("/api/known", {
      method: "POST",
      headers: { ...json, "transfer-encoding": "chunked" },
      body: large,
    });
    expect((await asked).status).toBe(413);
    expect(await status("/api/known", { headers: { "x-long": "x".repeat(20_000) } })).toBe(431);
  });

  test("waits for nobody who sends no more", async () => {
    const hasty = await startServer({ host: "127.0.0.1", port: 0, requestTimeout: 300 }, answers, files);
    const { port: other, hash } = new URL(hasty.address);
    const entry = `Cookie: perfkeep-${other}=${hash.slice("#token=".length)}`;
    const head = `POST /api/known HTTP/1.1\r\nHost: 127.0.0.1:${other}\r\n${entry}\r\nContent-Type: application/json\r\n`;
    for (const begun of [`${head}Content-Length: 9\r\n\r\n{`, "GET / HTTP/1.1\r\nHost: x"]) {
      const text = await new Promise<string>((resolve) => {
        let all = "";
        const socket = connect(Number(other), "127.0.0.1", () => socket.write(begun));
        socket.on("data", (piece) => (all += String(piece)));
        socket.on("close", () => resolve(all));
        socket.on("error", () => resolve(all));
      });
      expect(text).toMatch(/^(?:HTTP\/1.1 408|$)/);
    }
    await hasty.close();
  });

  test("tells what went wrong, and of a mistake of ours nothing but that", async () => {
    const busy = await ask("/api/busy");
    expect(busy.status).toBe(503);
    expect(JSON.parse(busy.text)).toEqual({ message: expect.stringContaining("in use by process 7: waited 30 s") });
    const mistake = await ask("/api/mistake");
    expect(mistake.status).toBe(500);
    expect(mistake.text).not.toContain("secret");
    expect(wrong).toHaveLength(1);
    expect((await ask("/api/pieces")).text).toBe("[1,2]");
  });

  test("tells four pages of changes, and a fifth that it is not told", async () => {
    const open = Array.from({ length: 4 }, () => {
      const socket = connect(port, "127.0.0.1");
      let all = "";
      socket.on("data", (piece) => (all += String(piece)));
      socket.write(`GET /api/changes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`);
      return { socket, text: () => all };
    });
    await expect.poll(() => told.size).toBe(4);
    expect(await status("/api/changes")).toBe(204);
    for (const tell of told) tell("triage");
    for (const { text } of open) await expect.poll(text).toContain('data: "triage"\n\n');
    for (const { socket } of open) socket.destroy();
    await expect.poll(() => told.size).toBe(0);
  });

  test("says why it cannot listen", async () => {
    await expect(startServer({ host: "127.0.0.1", port }, answers, files)).rejects.toMatchObject({
      code: "cannot-listen",
    });
    await expect(startServer({ host: "192.0.2.1", port: 0 }, answers, files)).rejects.toMatchObject({
      code: "cannot-listen",
    });
  });
});
