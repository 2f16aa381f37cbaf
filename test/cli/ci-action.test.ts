import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readCommands } from "../reports/annotations.ts";
import { Playground, scratchFolder } from "./program.ts";

const token = "ghs-b5c1T0KEN";
const repository = "org/project";
const root = process.cwd();

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
  };
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;
const step = action.runs.steps.find(({ run }) => run?.includes("ci/github.mjs") === true);

/** A program `perfkeep` on the path: the built one, or a script. */
function pathWith(script: string): string {
  const tools = new Playground(scratchFolder());
  chmodSync(tools.write("perfkeep", `#!/bin/sh\n${script}\n`), 0o755);
  return `${tools.folder}:${process.env["PATH"]}`;
}

const place = new Playground();
const built = pathWith(`exec '${process.execPath}' '${place.program}' "$@"`);
const environment = { LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null" };

/** A report of hyperfine with a spread of one percent. */
function report(level: number): string {
  const times = Array.from({ length: 12 }, (_, at) => level * (1 + (((at * 7) % 5) - 2) / 200));
  const [min, max] = [Math.min(...times), Math.max(...times)];
  const statistics = { mean: level, stddev: level / 100, median: level, user: 0, system: 0, min, max };
  return JSON.stringify({ results: [{ command: "sort", ...statistics, times, exit_codes: times.map(() => 0) }] });
}

interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly type: string };
}

/** What the service keeps, and a stand-in for its API. */
const service = { comments: [] as Comment[], head: "", requests: [] as string[], isReadOnly: false };

function answerOf(request: IncomingMessage, body: string): readonly [status: number, answer: unknown] {
  const path = new URL(request.url ?? "", "http://service").pathname;
  service.requests.push(`${request.method} ${path}`);
  if (request.headers.authorization !== `Bearer ${token}`) return [401, {}];
  if (path === `/repos/${repository}/pulls/7`) return [200, { head: { sha: service.head } }];
  if (request.method === "GET") return [200, service.comments];
  if (service.isReadOnly) return [403, {}];
  const text = (JSON.parse(body) as { body: string }).body;
  const known = service.comments.find(({ id }) => path.endsWith(`/comments/${id}`));
  if (known === undefined)
    service.comments.push({ id: service.comments.length + 1, body: text, user: { type: "Bot" } });
  else known.body = text;
  return [200, {}];
}

let server: Server;
let address = "";

beforeAll(async () => {
  place.commit("first");
  place.commit("second");
  place.write("old.json", report(1));
  place.write("slow.json", report(1.2));
  server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const [status, answer] = answerOf(request, text);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

beforeEach(() => {
  Object.assign(service, { comments: [], head: "", requests: [], isReadOnly: false });
  for (const name of ["outputs", "steps.md"]) place.write(name, "");
  rmSync(join(place.folder, "perfkeep-comment"), { recursive: true, force: true });
});

interface Done {
  readonly status: number | null;
  readonly text: string;
  readonly outputs: string;
}

/** Runs the step of the action as a runner does: inputs with their defaults as environment. */
async function run(inputs: Readonly<Record<string, string>>, event: object): Promise<Done> {
  const given: Readonly<Record<string, string>> = { token, ...inputs };
  const values = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(expression)?.[1] ?? "";
    expect(Object.keys(action.inputs)).toContain(input);
    return [name, given[input] ?? action.inputs[input]?.default ?? ""] as const;
  });
  const child = spawn("bash", ["-e", "-o", "pipefail", "-c", step?.run ?? "exit 9"], {
    cwd: place.folder,
    env: {
      ...environment,
      ...Object.fromEntries(values),
      PATH: built,
      HOME: place.home,
      GITHUB_ACTION_PATH: root,
      GITHUB_API_URL: address,
      GITHUB_EVENT_PATH: place.write("event.json", JSON.stringify(event)),
      GITHUB_JOB: "compare",
      GITHUB_OUTPUT: join(place.folder, "outputs"),
      GITHUB_REPOSITORY: repository,
      GITHUB_STEP_SUMMARY: join(place.folder, "steps.md"),
      GITHUB_WORKFLOW: "performance",
    },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(text).not.toContain(token);
  return { status, text, outputs: readFileSync(join(place.folder, "outputs"), "utf8") };
}

const pull = (from = repository): object => ({
  number: 7,
  pull_request: { base: { sha: place.git("rev-parse", "HEAD~1") }, head: { repo: { full_name: from } } },
});
const slower = { files: "slow.json\n", baseline: "old.json\n" };
const equal = { files: "old.json", baseline: "old.json" };

describe("the GitHub action", () => {
  test("fails if something is worse, reports it, and keeps one comment up to date", async () => {
    const first = await run(slower, pull());
    expect(first).toMatchObject({ status: 1, outputs: "status=1\nsummary=perfkeep-summary.md\n" });
    expect(
      readCommands(
        first.text
          .split("\n")
          .filter((line) => line.startsWith("::"))
          .join("\n"),
      ),
    ).not.toHaveLength(0);
    expect(readFileSync(join(place.folder, "steps.md"), "utf8")).toContain("got worse");
    expect(service.comments).toHaveLength(1);
    expect(service.comments[0]?.body).toMatch(/^<!-- perfkeep: action performance compare -->\n[^]*got worse/);
    const fixed = await run(equal, pull());
    expect(fixed.status).toBe(0);
    expect(service.comments).toHaveLength(1);
    expect(service.comments[0]?.body).toContain("did not get worse");
  });

  test.each([
    ["on-change", 0],
    ["always", 1],
    ["never", 0],
  ])("comments on equal performance: %s", async (comment, count) => {
    expect(await run({ ...equal, comment }, pull())).toMatchObject({ status: 0 });
    expect(service.comments).toHaveLength(count);
  });

  test("measures base and head alternately, and is no failure of a pull request without a change of code", async () => {
    chmodSync(place.write("bench.sh", "#!/bin/sh\nexit 0\n"), 0o755);
    place.commit("bench", "bench.sh");
    place.commit("docs");
    const build = "cp bench.sh built\nmv built bench";
    const done = await run({ build, command: "./bench", "max-pairs": "6", threshold: "50%", comment: "never" }, pull());
    expect(done.outputs).toMatch(/^status=[03]$/m);
    expect(done.status).toBe(0);
    expect(readFileSync(join(place.folder, "steps.md"), "utf8")).toContain("time ./bench");
  }, 60_000);

  test("keeps the comment of a fork, which another workflow posts to that pull request only", async () => {
    const kept = await run(slower, pull("someone/fork"));
    expect(kept).toMatchObject({ status: 1, outputs: expect.stringContaining("pending=true") });
    expect(service.requests).toEqual([]);
    service.head = "abc";
    expect(await run({ mode: "post" }, { workflow_run: { head_sha: "def" } })).toMatchObject({
      status: 2,
      text: expect.stringContaining("another head than the run"),
    });
    expect(await run({ mode: "post" }, { workflow_run: { head_sha: "abc" } })).toMatchObject({ status: 0 });
    expect(service.comments).toMatchObject([{ body: expect.stringContaining("got worse") }]);
    for (const [name, text] of [
      ["summary.md", "@everyone"],
      ["summary.md", `<!-- perfkeep: ${"x".repeat(70_000)}`],
      ["pull.json", JSON.stringify({ number: "8/merge" })],
    ] as const) {
      place.write(`perfkeep-comment/${name}`, text);
      expect(await run({ mode: "post" }, { workflow_run: { head_sha: "abc" } })).toMatchObject({ status: 2 });
    }
    expect(service.comments).toHaveLength(1);
  });

  test("keeps the comment if the token may not write", async () => {
    service.isReadOnly = true;
    expect((await run(slower, pull())).outputs).toContain("pending=true");
    expect(existsSync(join(place.folder, "perfkeep-comment/summary.md"))).toBe(true);
  });

  test.each([
    ["neither a command nor files", {}],
    ["both", { command: "./bench", ...equal }],
    ["files without a baseline", { files: "old.json" }],
    ["an unknown choice", { ...equal, comment: "sometimes" }],
    ["a file that is none", { files: "--help", baseline: "old.json" }],
    ["mode post for a pull request", { mode: "post" }],
  ])("refuses %s", async (_, inputs) => {
    expect(await run(inputs, pull())).toMatchObject({
      status: 2,
      text: expect.stringContaining("::error title=perfkeep::"),
    });
    expect(service.comments).toEqual([]);
  });
});

test("the GitLab component measures, and writes all reports", () => {
  const [, jobs = ""] = readFileSync("templates/perfkeep.yml", "utf8").split("\n---\n");
  const { script } = (parse(jobs) as { readonly perfkeep: { readonly script: readonly string[] } }).perfkeep;
  const { status, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script.join("\n")], {
    cwd: place.folder,
    encoding: "utf8",
    env: {
      ...environment,
      PATH: built,
      HOME: place.home,
      PERFKEEP_BASE: "HEAD~1",
      PERFKEEP_BUILD: "cp bench.sh bench",
      PERFKEEP_COMMAND: "./bench",
      PERFKEEP_THRESHOLD: "50%",
      PERFKEEP_MAX_PAIRS: "6",
    },
  });
  expect([0, 3], stderr).toContain(status);
  for (const name of ["junit.xml", "metrics.txt", "code-quality.json"])
    expect(existsSync(join(place.folder, name))).toBe(true);
}, 60_000);

describe("the pre-push hook", () => {
  const pushed = new Playground();

  beforeAll(() => {
    pushed.commit("first");
    pushed.git("init", "-q", "--bare", "remote.git");
    pushed.git("remote", "add", "origin", join(pushed.folder, "remote.git"));
    pushed.git("push", "-q", "origin", "HEAD:main");
    const hook = readFileSync("examples/git-hooks/pre-push", "utf8");
    chmodSync(pushed.write(".git/hooks/pre-push", hook), 0o755);
    pushed.commit("second");
  });

  /** Pushes with a perfkeep that writes its arguments to a file and ends with a status. */
  function push(
    status: number,
    ...words: readonly string[]
  ): { readonly status: number | null; readonly called: string } {
    const calls = pushed.write("calls", "");
    const env = { ...process.env, ...environment, PATH: pathWith(`echo "$@" >> '${calls}'; exit ${status}`) };
    const done = spawnSync("git", ["push", "-q", "origin", ...words], { cwd: pushed.folder, env, encoding: "utf8" });
    return { status: done.status, called: readFileSync(calls, "utf8") };
  }

  test("stops a push that is slower, and no other", () => {
    expect(push(1, "HEAD:main")).toEqual({ status: 0, called: "" });
    pushed.git("push", "-q", "--no-verify", "--force", "origin", "HEAD~1:main");
    pushed.git("config", "perfkeep.command", "./bench --all");
    const [base, head] = [pushed.git("rev-parse", "HEAD~1"), pushed.git("rev-parse", "HEAD")];
    expect(push(1, "HEAD:main")).toEqual({
      status: 1,
      called: `run ab --max-pairs=20 --cmd=./bench --all -- ${base} ${head}\n`,
    });
    pushed.git("config", "perfkeep.build", "make bench");
    const built = push(3, "HEAD:main");
    expect(built.status).toBe(0);
    expect(built.called).toContain("--cmd=./bench --all --build=make bench -- ");
    expect(push(1, "HEAD:new")).toEqual({ status: 0, called: "" });
    expect(push(1, ":new")).toEqual({ status: 0, called: "" });
  });
});
