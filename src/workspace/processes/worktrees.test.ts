import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { git } from "../../plugins/vcs/git.ts";
import type { Vcs } from "../../plugins/vcs/vcs.ts";
import { temporaryName } from "../../store/durable/temporary-files.ts";
import { ownIdentity } from "../../store/durable/process-identity.ts";
import { openShell } from "./shell.ts";
import {
  hasDeadRun,
  recordProcessGroup,
  recoverRuns,
  runPaths,
  withVersion,
  withVersions,
  type RunContext,
} from "./worktrees.ts";

const id = "0123456789abcdef0123456789abcdef";
const environment = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  HOME: "/nonexistent",
};

let scratch: string;
let repository: string;
let places: RunContext;
let vcs: Vcs;
let first: VersionId;
let interrupt: () => void;

function run(...args: string[]): string {
  const identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: repository, env: environment, encoding: "utf8" }).trim();
}

beforeEach(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "worktrees-test-")));
  repository = join(scratch, "repository");
  for (const folder of ["repository/.perun", "trees"]) mkdirSync(join(scratch, folder), { recursive: true });
  run("init", "--quiet");
  for (const content of ["first", "second"]) {
    writeFileSync(join(repository, "f"), content);
    run("add", "f");
    run("commit", "--quiet", "-m", content);
  }
  vcs = await git.open(repository, environment);
  first = await vcs.resolve("HEAD~1");
  const listeners = new Set<() => void>();
  interrupt = () => listeners.forEach((listener) => listener());
  places = {
    ...runPaths(join(repository, ".perun"), { TMPDIR: join(scratch, "trees") }),
    interrupts: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    graceMilliseconds: 60_000,
  };
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** Nothing is left of any run. */
function expectTidy(): void {
  const entries = join(repository, ".git/worktrees");
  expect([
    readdirSync(places.trees),
    existsSync(entries) ? readdirSync(entries) : [],
    readdirSync(places.journals),
  ]).toEqual([[], [], []]);
}

/** A journal as a process that no longer exists would have left it. */
function plantJournal(content: object | string, name = id): void {
  mkdirSync(places.journals, { recursive: true });
  writeFileSync(join(places.journals, `${name}.json`), typeof content === "string" ? content : JSON.stringify(content));
}

const dead = (): object => ({ ...ownIdentity(), pid: 2 ** 22 + 1, start: "1" });
const ownTree = (): string => join(places.trees, `perfkeep-${id}`);

it("gives the action a tree of the version, private, outside of the user's, and removes it", async () => {
  const seen = await withVersion(places, vcs, first, async ({ path }) => {
    expect(readdirSync(places.journals)).toHaveLength(1);
    expect(path.startsWith(places.trees)).toBe(true);
    expect(statSync(path).mode & 0o77).toBe(0);
    return readFileSync(join(path, "f"), "utf8");
  });
  expect(seen).toBe("first");
  expectTidy();
});

it("runs several at a time", async () => {
  const head = await vcs.head();
  const seen = await Promise.all(
    [first, head, first].map((id) =>
      withVersion(places, vcs, id, async ({ path }) => readFileSync(join(path, "f"), "utf8")),
    ),
  );
  expect(seen).toEqual(["first", "second", "first"]);
  expectTidy();
});

it("gives trees of several versions at the same time, leaves out those that cannot have one, and removes all", async () => {
  const [head, missing] = [await vcs.head(), "1".repeat(40) as VersionId];
  const refused: unknown[] = [];
  const refuse = (version: VersionId, error: unknown): void => void refused.push([version, error]);
  const seen = await withVersions(places, vcs, { versions: [first, missing, head], refuse }, async (trees) =>
    Array.from(trees, ([version, { path }]) => [version, readFileSync(join(path, "f"), "utf8")]),
  );
  expect(seen).toEqual([
    [first, "first"],
    [head, "second"],
  ]);
  expect(refused).toMatchObject([[missing, { code: "unknown-revision" }]]);
  expectTidy();
  const versions = [first, head];
  await expect(
    withVersions(places, vcs, { versions, refuse }, () => Promise.reject(new Error("of the action"))),
  ).rejects.toThrow("of the");
  expectTidy();
  const stopped = withVersions(places, vcs, { versions, refuse }, async () => interrupt());
  await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
  expectTidy();
});

it("knows whether a run that has ended left its journal, and sweeps one that it never finished", () => {
  expect(hasDeadRun(places.journals)).toBe(false);
  mkdirSync(places.journals);
  writeFileSync(join(places.journals, temporaryName().replace(`-${process.pid}-`, `-${2 ** 22 + 1}-`)), "");
  expect([hasDeadRun(places.journals), readdirSync(places.journals)]).toEqual([false, []]);
  plantJournal({ owner: ownIdentity(), version: first, worktree: ownTree() });
  expect(hasDeadRun(places.journals)).toBe(false);
  plantJournal({ owner: dead(), version: first, worktree: ownTree() });
  expect(hasDeadRun(places.journals)).toBe(true);
});

it("removes the tree when the action fails, and passes its failure on", async () => {
  const attempt = withVersion(places, vcs, first, async ({ path }) => {
    writeFileSync(join(path, "built"), "x");
    throw new Error("of the action");
  });
  await expect(attempt).rejects.toThrow("of the action");
  expectTidy();
});

it("leaves nothing when there is no such version, or no place for trees", async () => {
  await expect(withVersion(places, vcs, "1".repeat(40) as VersionId, async () => {})).rejects.toMatchObject({
    code: "unknown-revision",
  });
  expectTidy();
  const nowhere = { ...places, trees: join(scratch, "missing") };
  await expect(withVersion(nowhere, vcs, first, async () => {})).rejects.toMatchObject({ code: "cannot-write" });
  expectTidy();
});

it("lets an interrupted action end, then says so", async () => {
  const attempt = withVersion(places, vcs, first, async ({ path }) => {
    interrupt();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(existsSync(join(path, "f"))).toBe(true);
  });
  await expect(attempt).rejects.toMatchObject({ code: "interrupted", exit: 130 });
  expectTidy();
});

const forever = (): Promise<never> => (interrupt(), new Promise(() => {}));

it("does not wait for the action after a second request, nor after the grace", async () => {
  const twice = withVersion(places, vcs, first, () => (interrupt(), forever()));
  await expect(twice).rejects.toMatchObject({ code: "interrupted" });
  await expect(withVersion({ ...places, graceMilliseconds: 1 }, vcs, first, forever)).rejects.toMatchObject({
    code: "interrupted",
  });
  expectTidy();
});

it("does not begin the action once interrupted", async () => {
  const attempt = withVersion(places, vcs, first, async () => expect.unreachable());
  await Promise.resolve();
  interrupt();
  await expect(attempt).rejects.toMatchObject({ code: "interrupted" });
  expectTidy();
});

it("notes the groups of the shell while they run", async () => {
  const shell = openShell({ environment, cacheFolder: scratch, launcher: { clock: "none", prefix: [] } });
  const notes = `cat ${places.journals}/*.child`;
  const script = `until ${notes} 2>&1 | grep -q boot; do sleep 0.01; done; ${notes}; echo; echo $$`;
  await withVersion(places, vcs, first, async ({ path }) => {
    const { stdout } = await shell.run(["sh", "-c", script], { directory: path });
    const [note = "", pid] = new TextDecoder().decode(stdout).trim().split("\n");
    expect(JSON.parse(note)).toMatchObject({ pid: Number(pid), boot: ownIdentity().boot });
    expect(readdirSync(places.journals)).toHaveLength(1);
  });
  recordProcessGroup(process.pid, scratch)();
  expectTidy();
});

it("recovers what a killed run left: tree, half-made entry, processes, journal", async () => {
  const worktree = ownTree();
  await vcs.addWorktree(worktree, first);
  const entry = join(repository, ".git/worktrees", `perfkeep-${id}`);
  for (const name of ["gitdir", "commondir", "HEAD"]) rmSync(join(entry, name));
  writeFileSync(join(entry, "locked"), "initializing");
  const child = spawn("sleep", ["600"], { cwd: worktree, detached: true, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  plantJournal({ owner: dead(), version: first, worktree });
  writeFileSync(
    join(places.journals, `${id}-${child.pid}.child`),
    JSON.stringify({ ...ownIdentity(), pid: child.pid, start: "1" }),
  );
  expect(await recoverRuns(places, vcs)).toEqual([{ id, version: first, worktree, outcome: "removed" }]);
  expect(await ended).toBe("SIGKILL");
  expectTidy();
  expect(await recoverRuns(places, vcs)).toEqual([]);
});

it("ends what a run had started but not yet noted", async () => {
  const shell = openShell({ environment, cacheFolder: scratch, launcher: { clock: "none", prefix: [] } });
  const mark = await withVersion(places, vcs, first, async ({ path }) => {
    const { stdout } = await shell.run(["sh", "-c", "echo $PERFKEEP_WORKTREE"], { directory: path });
    return [new TextDecoder().decode(stdout).trim(), path];
  });
  expect(mark[0]).toBe(mark[1]);
  const worktree = ownTree();
  const child = spawn("sleep", ["600"], {
    detached: true,
    stdio: "ignore",
    env: { ...environment, PERFKEEP_WORKTREE: worktree },
  });
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  plantJournal({ owner: dead(), version: first, worktree });
  await recoverRuns(places, vcs);
  expect(await ended).toBe("SIGKILL");
  expectTidy();
});

it("leaves alone who merely stands in the folder, and the user's own worktrees", async () => {
  const worktree = ownTree();
  run("worktree", "add", "--quiet", "--detach", join(scratch, "mine"), first);
  rmSync(join(scratch, "mine"), { recursive: true });
  await vcs.addWorktree(worktree, first);
  const child = spawn("sleep", ["600"], { cwd: worktree, detached: true, stdio: "ignore" });
  plantJournal({ owner: dead(), version: first, worktree });
  await recoverRuns(places, vcs);
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  child.kill("SIGINT");
  expect(await ended).toBe("SIGINT");
  expect(readdirSync(join(repository, ".git/worktrees"))).toEqual(["mine"]);
});

it("leaves runs of the living and of other machines alone", async () => {
  const worktree = ownTree();
  mkdirSync(worktree);
  plantJournal({ owner: ownIdentity(), version: first, worktree });
  expect(await recoverRuns(places, vcs)).toMatchObject([{ outcome: "running" }]);
  plantJournal({ owner: { ...ownIdentity(), host: "elsewhere" }, version: first, worktree });
  expect(await recoverRuns(places, vcs)).toMatchObject([{ outcome: "elsewhere" }]);
  expect(existsSync(worktree)).toBe(true);
});

it("removes nothing that a forged or damaged journal names", async () => {
  const precious = join(scratch, "precious");
  mkdirSync(join(precious, `x-perfkeep-${id}`), { recursive: true });
  const forged = [
    precious,
    join(precious, `x-perfkeep-${id}`),
    `perfkeep-${id}`,
    `${precious}/perfkeep-${id}/..`,
    `${precious}\0/perfkeep-${id}`,
  ];
  for (const worktree of forged) {
    plantJournal({ owner: dead(), version: first, worktree });
    expect(await recoverRuns(places, vcs)).toEqual([{ id, worktree: ownTree(), outcome: "removed" }]);
  }
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    `{"owner":${"[".repeat(60_000)}`,
    JSON.stringify({ owner: dead(), version: "HEAD", worktree: ownTree() }),
  ]) {
    plantJournal(text);
    expect(await recoverRuns(places, vcs)).toMatchObject([{ outcome: "removed" }]);
  }
  expect(readdirSync(precious)).toEqual([`x-perfkeep-${id}`]);
  plantJournal({ owner: dead(), version: first, worktree: precious }, "not-an-id");
  expect(await recoverRuns(places, vcs)).toEqual([]);
});

it("follows no link in the place of the folder of journals", async () => {
  mkdirSync(join(scratch, "other"));
  symlinkSync(join(scratch, "other"), places.journals);
  await expect(withVersion(places, vcs, first, async () => {})).rejects.toMatchObject({ code: "not-a-plain-file" });
});
