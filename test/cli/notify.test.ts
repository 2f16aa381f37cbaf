import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { Playground, timeProfile, type Ended } from "./program.ts";

const secret = "T0KEN-b5c1";
const place = new Playground();
let server: Server | undefined;

interface Received {
  readonly path: string;
  readonly type: string;
  readonly body: Record<string, unknown>;
}

/** A server that answers with these statuses in turn, the last one again and again. Answers what it received. */
async function webhook(...statuses: readonly (number | string)[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 200;
      const body = JSON.parse(text) as Received["body"];
      received.push({ path: request.url ?? "", type: request.headers["content-type"] ?? "", body });
      if (typeof status === "string") response.writeHead(302, { location: status }).end();
      else response.writeHead(status, { "retry-after": "0" }).end(`no: ${request.url}`);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/services/${secret}`, received };
}

/** Runs notify; the secret is in none of its output. */
async function notify(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const ended = await place.begin(["notify", ...words], { env: environment }).ended;
  expect(ended.stdout + ended.stderr).not.toContain(secret);
  return ended;
}

beforeAll(() => {
  place.commit("start");
  place.ok("init");
  for (const [at, level] of [10, 10, 10, 10, 20, 20, 20, 20].entries()) {
    const origin = place.commit(`level ${level}, ${at}`);
    place.ok("add", place.write("p.perf", timeProfile({ origin, amounts: [level] })));
  }
});

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  server = undefined;
});

describe("perfkeep notify", () => {
  test.each(["slack", "mattermost", "teams", "json"])("posts the verdicts once, as %s", async (format) => {
    const { url, received } = await webhook(200);
    const ended = await notify(["--format", format, "check", "series"], { PERFKEEP_NOTIFY_URL: url });
    expect(ended).toEqual({ status: 1, stdout: "", stderr: "posted\n" });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ path: `/services/${secret}`, type: "application/json" });
    const { body } = received[0] as Received;
    const key = { slack: "blocks", mattermost: "text", teams: "attachments", json: "verdicts" }[format] ?? "";
    expect(Object.keys(body)).toContain(key);
    if (format !== "json") expect(JSON.stringify(body)).toContain("performance got worse: 1 worse");
    else expect(body).toMatchObject({ schema: "perfkeep.verdicts/2", verdicts: [{ outcome: "worse" }] });
  });

  test("tries again after errors of the server, three times at most", async () => {
    const once = await webhook(503, 429, 200);
    expect(await notify(["--url", once.url, "check", "series"])).toMatchObject({ status: 1 });
    expect(once.received).toHaveLength(3);
    server?.close();
    const never = await webhook(500);
    const ended = await notify(["--url", never.url, "check", "series"]);
    expect(ended).toMatchObject({ status: 74, stdout: "" });
    expect(ended.stderr).toMatch(
      /127\.0\.0\.1:\d+ did not accept the message: it answered with HTTP status 500; .*\[notify-failed\]/,
    );
    expect(never.received).toHaveLength(3);
  });

  test("does not try again after a refusal, and follows no redirect", async () => {
    const refusing = await webhook(404);
    expect(await notify(["--url", refusing.url, "check", "series"])).toMatchObject({ status: 74 });
    expect(refusing.received).toHaveLength(1);
    server?.close();
    const moved = await webhook("/elsewhere", 200);
    expect(await notify(["--url", moved.url, "check", "series"])).toMatchObject({ status: 74 });
    expect(moved.received).toHaveLength(1);
  });

  test("posts only what is worse if asked to, and nothing of a check that failed", async () => {
    const { url, received } = await webhook(200);
    const words = ["--url", url, "--when", "worse", "--"];
    expect(await notify([...words, "check", "series", "HEAD~1..HEAD"])).toMatchObject({ status: 0 });
    expect(await notify([...words, "check", "series", "--min-effect", "900%"])).not.toMatchObject({ status: 1 });
    expect(await notify([...words, "compare", "HEAD", "no-such-commit"])).toMatchObject({ status: 5 });
    expect(await notify([...words, "check", "series", "--no-such-option"])).toMatchObject({ status: 2 });
    expect(received).toEqual([]);
    expect(await notify([...words, "check", "series"])).toMatchObject({ status: 1 });
    expect(received).toHaveLength(1);
  });

  test("reports that there is nothing to compare", async () => {
    const { url, received } = await webhook(200);
    const ended = await notify(["--format", "slack", "--url", url, "compare", "HEAD~8", "HEAD~8"]);
    expect(ended.status).toBe(3);
    expect(JSON.stringify(received[0]?.body)).toContain("nothing could be compared");
  });

  test("shows no address that it refuses", async () => {
    for (const url of [`ftp://h/${secret}`, secret, `https://user:${secret}@h/`, `http://127.0.0.1:1/${secret}`])
      expect((await notify(["--url", url, "check", "series"])).status).not.toBe(1);
    expect(await notify(["check", "series"])).toMatchObject({ status: 2 });
    expect(await notify(["--url", "https://h/", "status"])).toMatchObject({ status: 2 });
  });

  test("prints the message instead of posting it", async () => {
    const { stdout, status } = await notify(["--dry-run", "--format", "slack", "check", "series"]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ mrkdwn: false });
  });
});
