import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Playground, programPath, timeProfile } from "./program.ts";

const place = new Playground();
let client: Client;

async function connected(): Promise<Client> {
  const made = new Client({ name: "test", version: "1" });
  const env = { HOME: place.home, PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C.UTF-8" };
  await made.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programPath, "mcp"],
      cwd: place.folder,
      env,
      stderr: "pipe",
    }),
  );
  return made;
}

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  /** Of an answer that is no error. */
  readonly json: Record<string, unknown>;
}

async function call(name: string, given: Record<string, unknown> = {}): Promise<Answer> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as { text: string }[];
  const text = first?.text ?? "";
  return { isError: isError === true, text, json: isError === true ? {} : (JSON.parse(text) as Answer["json"]) };
}

beforeAll(async () => {
  place.commit("start");
  place.ok("init");
  for (const [at, level] of [10, 10, 10, 10, 20, 20, 20, 20].entries()) {
    const origin = place.commit(`level ${level}, ${at}`);
    place.ok("add", place.write("p.perf", timeProfile({ origin, amounts: [level, level + 0.1, level - 0.1] })));
  }
  place.write("a.exp", "*experiment a\n*parameter n int - NULL\n*result t float s\n");
  place.write("a.inp", "RULES stream\nTABLE t row=#t skip=1 pos=1\n");
  place.write("a.txt", `#t\n${Array.from({ length: 30 }, (_, at) => `${at}.5\n`).join("")}`);
  place.ok("experiment", "create", "a.exp");
  place.ok("import", "-q", "-d", "a.inp", "-e", "a", "a.txt");
  client = await connected();
}, 60_000);

afterAll(async () => client?.close());

test("names its tools with schemas, all of them read-only", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list",
    "what_changed",
    "why",
    "compare",
    "history",
    "query",
    "experiment",
  ]);
  for (const { annotations, inputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  }
  expect(client.getServerVersion()).toMatchObject({ name: "perfkeep" });
});

describe("answers", () => {
  test("what there is", async () => {
    const { json } = await call("list");
    expect(json).toMatchObject({ schema: "perfkeep.overview/2", totals: { profiles: 8, experiments: 1 } });
  });

  test("what changed, and why", async () => {
    const changed = await call("what_changed");
    expect(changed.json).toMatchObject({ schema: "perfkeep.verdicts/2", verdicts: [{ outcome: "worse" }] });
    const since = (changed.json["verdicts"] as { since: { after: string } }[])[0]?.since.after;
    expect(since).toBe(place.git("rev-parse", "HEAD~3"));
    const why = await call("why", { range: "HEAD~6..HEAD" });
    expect(why.json["verdicts"]).toMatchObject([{ why: { suspects: [{ subject: "level 20, 4" }] } }]);
  });

  test("a comparison, although it ends with another status", async () => {
    const { json } = await call("compare", { old: "HEAD~7", new: "HEAD" });
    expect(json).toMatchObject({
      schema: "perfkeep.compare/1",
      rows: [{ benchmark: "time ./work", delta: 1 }, { benchmark: "a" }],
    });
  });

  test("the history of a number, the newest points of it", async () => {
    const { json } = await call("history", { limit: 3 });
    const [series] = json["series"] as { points: object[]; pointsOmitted: number }[];
    expect(series).toMatchObject({ pointsOmitted: 5 });
    expect(JSON.stringify(series?.points.at(-1))).toContain(place.git("rev-parse", "HEAD"));
  });

  test("queries, within the limit", async () => {
    const rows = await call("query", { experiment: "a", values: ["t"], where: ["t>3"], limit: 4 });
    expect(rows.json["rows"]).toHaveLength(4);
    const mean = await call("query", { experiment: "a", values: ["t"], stat: ["mean"] });
    expect(JSON.stringify(mean.json["rows"])).toContain("15");
    expect((await call("experiment", { experiment: "a" })).json["schema"]).toBe("perfkeep.experiment/2");
  });
});

describe("what is wrong is told", () => {
  test.each([
    ["no_such_tool", {}, "bad-option"],
    ["query", {}, "bad-option"],
    ["query", { experiment: 7 }, "bad-option"],
    ["query", { experiment: "a", limit: 0 }, "bad-option"],
    ["query", { experiment: "a", limit: 1e9 }, "bad-option"],
    ["query", { experiment: "a", file: "/tmp/x" }, "bad-option"],
    ["query", { experiment: "none" }, "unknown-experiment"],
    ["compare", { old: "HEAD", new: "no-such-side" }, ""],
  ])("%s %j", async (name, given, code) => {
    const { isError, text } = await call(name, given);
    expect(isError).toBe(true);
    expect(text).toContain("perfkeep: error: ");
    if (code !== "") expect(text).toContain(`[${code}]`);
  });

  test("no value becomes an option: nothing is written", async () => {
    const target = join(place.folder, "written");
    for (const value of [`-o${target}`, `--output=${target}`, "--", `--format=csv`])
      for (const [name, given] of [
        ["query", { experiment: value }],
        ["query", { experiment: "a", values: [value], by: [value], where: [value] }],
        ["compare", { old: value, new: value }],
        ["history", { range: value, experiment: value }],
      ] as const)
        expect((await call(name, given)).isError).toBe(true);
    expect(existsSync(target)).toBe(false);
  });
});

test("nothing of the repository runs before trust", async () => {
  const local = join(place.folder, ".perun/local.yml");
  const before = readFileSync(local, "utf8");
  const ran = join(place.folder, "ran");
  place.write("evil.mjs", `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ran)}, "");\n`);
  writeFileSync(local, `${before}\nplugins:\n  - ./evil.mjs\n`);
  for (const name of ["list", "what_changed", "why", "history"]) await call(name);
  await call("compare", { old: "HEAD~7", new: "HEAD" });
  await call("query", { experiment: "a" });
  expect(existsSync(ran)).toBe(false);
  writeFileSync(local, before);
});

test("ends with its standard input", async () => {
  const { child, ended } = place.begin(["mcp"]);
  child.stdin.end();
  expect(await ended).toEqual({ status: 0, stdout: "", stderr: "" });
});
