import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { init } from "../configuration/init.ts";
import { cleanStats, deleteStats, getStats, listStats, putStats, syncStats } from "./stats.ts";
import { deleteTemp, listTemp, protectTemp } from "./store.ts";

let scratch: string;
let workspace: Workspace;
let ids: string[];

function git(date: number, ...words: string[]): string {
  const env = {
    ...process.env,
    GIT_AUTHOR_DATE: `${date} +0000`,
    GIT_COMMITTER_DATE: `${date} +0000`,
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: scratch,
  };
  const { status, stdout, stderr } = spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...words], {
    cwd: scratch,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

beforeEach(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-stats-command-test-")));
  const environment = { PATH: process.env["PATH"], HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" };
  const opened = (): Workspace =>
    new Workspace({ directory: scratch, environment, now: () => 0, random: () => 0, command: "perfkeep stats" });
  await init(opened(), { vcsType: "git", vcsParams: {}, vcsFlags: [], template: "master" });
  ids = [1, 2, 3].map((number) => {
    git(1_600_000_000 + number * 86_400, "commit", "-q", "--allow-empty", "-m", String(number));
    return git(0, "rev-parse", "HEAD");
  });
  workspace = opened();
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

async function put(minor: string, name: string, json = '{"v": 1}', merge = false): Promise<void> {
  writeFileSync(join(scratch, "x.json"), json);
  await putStats(workspace, { name, minor, id: "id", file: "x.json", merge });
}

const listed = async (choice: Parameters<typeof listStats>[1] = {}): Promise<string[]> =>
  (await listStats(workspace, choice)).map(
    ({ version, files }) => `${ids.indexOf(version)}: ${files.map(({ name }) => name).join(" ")}`,
  );

test("lists commits newest first, and from a commit on", async () => {
  for (const [minor, name] of [
    ["HEAD~2", "a"],
    ["HEAD", "b"],
    ["HEAD~1", "a"],
    ["HEAD~1", "c"],
  ] as const)
    await put(minor, name);
  expect(await listed()).toEqual(["2: b", "1: a c", "0: a"]);
  expect(await listed({ top: 1 })).toEqual(["2: b"]);
  expect(await listed({ from: "HEAD~1" })).toEqual(["1: a c", "0: a"]);
  rmSync(join(workspace.perun(), "stats", ".index"));
  expect(await listed()).toEqual(["2: b", "1: a c", "0: a"]);
  expect([await syncStats(workspace), (await listStats(workspace, {}))[0]?.date.slice(0, 7)]).toEqual([3, "2020-09"]);
});

test("reads complete files or single entries", async () => {
  await put("HEAD", "a");
  await put("HEAD", "a", '{"w": 2.50}', true);
  const text = async (id?: string): Promise<string> =>
    new TextDecoder().decode(await getStats(workspace, { name: "a" }, id));
  expect(await text("id")).toBe('{\n  "v": 1,\n  "w": 2.5\n}\n');
  expect(JSON.parse(await text())).toEqual({ id: { v: 1, w: 2.5 } });
  await expect(text("other")).rejects.toThrow(expect.objectContaining({ code: "no-stats" }));
  await expect(getStats(workspace, { name: "a", minor: "HEAD~1" })).rejects.toThrow(
    expect.objectContaining({ code: "no-stats" }),
  );
});

test.each([
  ["[1]", "bad-stats"],
  ["7", "bad-stats"],
  ["null", "bad-stats"],
  ["{", "not-json"],
])("refuses JSON that is not an object: %s", async (json, code) => {
  await expect(put("HEAD", "a", json)).rejects.toThrow(expect.objectContaining({ code }));
  expect(await listed()).toEqual([]);
});

test("deletes files of one commit, of all, or everything", async () => {
  for (const minor of ["HEAD", "HEAD~1", "HEAD~2"]) for (const name of ["a", "b"]) await put(minor, name);
  expect(await deleteStats(workspace, { name: "a", minor: "HEAD", keepFolders: false })).toHaveLength(1);
  expect(await listed()).toEqual(["2: b", "1: a b", "0: a b"]);
  expect(await deleteStats(workspace, { name: "a", keepFolders: false })).toHaveLength(2);
  expect(await deleteStats(workspace, { minor: "HEAD~1", keepFolders: true })).toHaveLength(1);
  expect(await listed()).toEqual(["2: b", "1: ", "0: b"]);
  await expect(deleteStats(workspace, { name: "a", keepFolders: false })).rejects.toThrow(
    expect.objectContaining({ code: "no-stats" }),
  );
  expect(await deleteStats(workspace, { keepFolders: false })).toHaveLength(2);
  expect(await listed()).toEqual([]);
});

test("keeps unknown commits and lists them last", async () => {
  await put("HEAD", "a");
  const unknown = "f".repeat(40);
  mkdirSync(join(workspace.perun(), "stats", "ff", unknown.slice(2)), { recursive: true });
  expect(await cleanStats(workspace, { foreign: false, empty: true })).toEqual([]);
  expect((await listStats(workspace, {})).map(({ version, date }) => [version === unknown, date === ""])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(await cleanStats(workspace, { foreign: false, empty: false })).toEqual([`stats/ff/${unknown.slice(2)}`]);
});

test("keeps protected temporary files unless forced; --warn fails before deleting", () => {
  const folder = join(workspace.perun(), "tmp", "trace");
  mkdirSync(folder, { recursive: true });
  for (const name of ["a", "b"]) writeFileSync(join(folder, name), name);
  expect(protectTemp(workspace, "trace/b", true)).toEqual(["trace/b"]);
  const how = { path: "trace", warn: false, force: false, keepFolders: false };
  expect(() => deleteTemp(workspace, { ...how, warn: true })).toThrow(
    expect.objectContaining({ code: "temp-protected" }),
  );
  expect(listTemp(workspace, ".")).toHaveLength(2);
  expect(deleteTemp(workspace, how)).toEqual({ removed: ["trace/a"], kept: ["trace/b"] });
  expect(deleteTemp(workspace, { ...how, force: true })).toEqual({ removed: ["trace/b"], kept: [] });
  expect(() => listTemp(workspace, "trace")).toThrow(expect.objectContaining({ code: "no-temp" }));
});
