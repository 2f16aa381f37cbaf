import { describe, expect, test } from "vitest";
import { Playground, timeProfile, type Running } from "./program.ts";

/** Lets a program in as a page is. */
async function entered(line: string): Promise<{ readonly origin: string; readonly cookie: string }> {
  const { origin, hash } = new URL(line);
  const post = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: hash.slice("#token=".length) }),
  };
  return { origin, cookie: (await fetch(`${origin}/enter`, post)).headers.get("set-cookie")?.split(";")[0] ?? "" };
}

async function begun(place: Playground, ...words: string[]): Promise<Running & { readonly line: string }> {
  const running = place.begin(["serve", ...words]);
  const line = await new Promise<string>((resolve) =>
    running.child.stdout.once("data", (text) => resolve(String(text))),
  );
  return { ...running, line };
}

const hex = "0".repeat(40);
const words = ["", "__proto__", "..%2f..%2fetc%2fpasswd", hex, "%00", "%E0%A4%A", "-1", "1e9", "99999999999"];
const asking = [
  "points?block",
  "profiles?version",
  "views?object",
  "first-view?object",
  "evidence?series",
  "experiment?name",
  "variables?experiment",
  "mine?experiment",
];
const hostileCalls = (object: string): string[] => [
  ...(
    "nothing points profiles views first-view view evidence " +
    "difference experiment variables mine stored-queries query triage"
  ).split(" "),
  ...asking.flatMap((call) => words.map((word) => `${call}=${word}`)),
  ...words.flatMap((word) => [`view?object=${word}&view=bars&options={}`, `difference?base=${word}&target=${hex}`]),
  ...["[", "[]", "1", '{"a":1}', '{"__proto__":{"a":1}}'].map(
    (options) => `view?object=${object}&view=bars&options=${encodeURIComponent(options)}`,
  ),
  ...words.map((word) => `view?object=${object}&view=${word}`),
  `profile/${hex}.speedscope.json`,
  "profile/..%2f..%2fx.speedscope.json",
];

describe("perfkeep serve", () => {
  const place = new Playground();

  test("prints one address, works without a repository, and ends when asked to", async () => {
    const { line, child, ended } = await begun(place);
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}\n$/);
    const { origin, cookie } = await entered(line);
    const overview = await fetch(`${origin}/api/overview`, { headers: { cookie } });
    expect(await overview.json()).toMatchObject({ schema: "perfkeep.overview/2", totals: { series: 0, profiles: 0 } });
    const port = new URL(origin).port;
    expect(place.run(["serve", "--port", port])).toMatchObject({
      status: 74,
      stderr: expect.stringContaining("another program listens on it"),
    });
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0, stdout: line, stderr: "Press Ctrl-C to stop.\n" });
  });

  test("answers whatever is asked by a sentence", async () => {
    const full = new Playground();
    const commit = full.commit("first");
    full.ok("init");
    full.write("io.exp", "*experiment io\n*parameter size int\n*result rate float MB/s\n");
    full.ok("experiment", "create", "io.exp");
    full.ok("add", full.write("p.perf", timeProfile({ origin: commit, amounts: [1, 2] })));
    const { line, child, ended } = await begun(full);
    const { origin, cookie } = await entered(line);
    const [profile] = (await (await fetch(`${origin}/api/profiles?version=0`, { headers: { cookie } })).json()) as {
      object: string;
    }[];
    const object = profile?.object ?? "";
    expect((await fetch(`${origin}/api/view?object=${object}&view=bars`, { headers: { cookie } })).status).toBe(200);
    for (const asked of hostileCalls(object)) {
      const answer = await fetch(`${origin}/api/${asked}`, { headers: { cookie } });
      expect([400, 404], `${asked}: ${answer.status}`).toContain(answer.status);
      expect(await answer.json()).toEqual({ message: expect.stringMatching(/^[^\n]+$/) });
    }
    const headers = { cookie, "content-type": "application/json" };
    for (const call of ["query", "stored-queries", "triage"])
      for (const body of [
        "null",
        "[]",
        "1",
        '{"experiment":1}',
        '{"experiment":"x","text":"SOURCE","name":"","key":"","state":"renamed","note":""}',
      ]) {
        const answer = await fetch(`${origin}/api/${call}`, { method: "POST", headers, body });
        expect([400, 404], `${call} ${body}: ${answer.status}`).toContain(answer.status);
      }
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ status: 0, stderr: "Press Ctrl-C to stop.\n" });
  });

  test("tells the newest runs that a point rests on, and how many more there are", async () => {
    const full = new Playground();
    full.commit("first");
    full.ok("init");
    full.write("io.exp", "*experiment io\n*parameter size int\n*result rate float MB/s\n");
    full.write("io.inp", "TABLE size row=size pos=1\nTABLE rate row=size pos=2\n");
    const files = Array.from({ length: 103 }, (_, at) => `out/${at}.txt`);
    for (const [at, file] of files.entries()) full.write(file, `size rate\n1 ${at}\n`);
    full.ok("experiment", "create", "io.exp");
    full.ok("import", "-e", "io", "-d", "io.inp", ...files);
    const { line, child, ended } = await begun(full);
    const { origin, cookie } = await entered(line);
    const evidence = async (): Promise<{ runs: { number: number; files: string[] }[]; more: number }> =>
      (await (await fetch(`${origin}/api/evidence?series=0&version=0`, { headers: { cookie } })).json()) as never;
    await expect.poll(async () => (await evidence()).more, { timeout: 60_000 }).toBe(3);
    const { runs } = await evidence();
    expect(runs.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => at + 4));
    expect(runs[99]).toMatchObject({ files: [expect.stringContaining("102.txt")], moreFiles: 0 });
    child.kill("SIGTERM");
    await ended;
  });

  test("lets other machines in only when that is meant, and says so", async () => {
    const refused = place.run(["serve", "--host", "0.0.0.0"]);
    expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("--allow-remote") });
    const { child, ended } = await begun(place, "--host", "0.0.0.0", "--allow-remote");
    child.kill("SIGINT");
    expect((await ended).stderr).toContain("warning: other machines can reach 0.0.0.0");
  });

  test.each([
    ["--port", "65536"],
    ["--port", "x"],
    ["--min-effect", "many"],
  ])("refuses %s %s", (...words) => {
    expect(place.run(["serve", ...words])).toMatchObject({ status: 2, stdout: "" });
  });
});
