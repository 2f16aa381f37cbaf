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
let paths: RunContext;
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
  for (const text of ["first", "second"]) {
    writeFileSync(join(repository, "f"), text);
    run("add", "f");
    run("commit", "--quiet", "-m", text);
  }
  vcs = await git.open(repository, environment);
  first = await vcs.resolve("HEAD~1");
  const listeners = new Set<() => void>();
  interrupt = () => listeners.forEach((listener) => listener());
  paths = {
    ...runPaths(join(repository, ".perun"), { TMPDIR: join(scratch, "trees") }),
    interrupts: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    graceMilliseconds: 60_000,
  };
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** No leftovers of any run. */
function expectNoLeftovers(): void {
  const entries = join(repository, ".git/worktrees");
  expect([
    readdirSync(paths.trees),
    existsSync(entries) ? readdirSync(entries) : [],
    readdirSync(paths.journals),
  ]).toEqual([[], [], []]);
}

/** A journal left by a dead process. */
function plantJournal(text: object | string, name = id): void {
  mkdirSync(paths.journals, { recursive: true });
  writeFileSync(join(paths.journals, `${name}.json`), typeof text === "string" ? text : JSON.stringify(text));
}

const dead = (): object => ({ ...ownIdentity(), pid: 2 ** 22 + 1, start: "1" });
const ownTree = (): string => join(paths.trees, `perfkeep-${id}`);

it("calls the action with a private tree outside of the user's, and removes it", async () => {
  const seen = await withVersion(paths, vcs, first, async ({ path }) => {
    expect(readdirSync(paths.journals)).toHaveLength(1);
    expect(path.startsWith(paths.trees)).toBe(true);
    expect(statSync(path).mode & 0o77).toBe(0);
    return readFileSync(join(path, "f"), "utf8");
  });
  expect(seen).toBe("first");
  expectNoLeftovers();
});

it("runs several at the same time", async () => {
  const head = await vcs.head();
  const seen = await Promise.all(
    [first, head, first].map((id) =>
      withVersion(paths, vcs, id, async ({ path }) => readFileSync(join(path, "f"), "utf8")),
    ),
  );
  expect(seen).toEqual(["first", "second", "first"]);
  expectNoLeftovers();
});

it("creates trees of several versions, skips failing ones, and removes all", async () => {
  const [head, missing] = [await vcs.head(), "1".repeat(40) as VersionId];
  const refused: unknown[] = [];
  const refuse = (version: VersionId, error: unknown): void => void refused.push([version, error]);
  const seen = await withVersions(paths, vcs, { versions: [first, missing, head], refuse }, async (trees) =>
    Array.from(trees, ([version, { path }]) => [version, readFileSync(join(path, "f"), "utf8")]),
  );
  expect(seen).toEqual([
    [first, "first"],
    [head, "second"],
  ]);
  expect(refused).toMatchObject([[missing, { code: "unknown-revision" }]]);
  expectNoLeftovers();
  const versions = [first, head];
  await expect(
    withVersions(paths, vcs, { versions, refuse }, () => Promise.reject(new Error("of the action"))),
  ).rejects.toThrow("of the");
  expectNoLeftovers();
  const stopped = withVersions(paths, vcs, { versions, refuse }, async () => interrupt());
  await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
  expectNoLeftovers();
});

it("detects journals of dead runs, and sweeps unfinished ones", () => {
  expect(hasDeadRun(paths.journals)).toBe(false);
  mkdirSync(paths.journals);
  writeFileSync(join(paths.journals, temporaryName().replace(`-${process.pid}-`, `-${2 ** 22 + 1}-`)), "");
  expect([hasDeadRun(paths.journals), readdirSync(paths.journals)]).toEqual([false, []]);
  plantJournal({ owner: ownIdentity(), version: first, worktree: ownTree() });
  expect(hasDeadRun(paths.journals)).toBe(false);
  plantJournal({ owner: dead(), version: first, worktree: ownTree() });
  expect(hasDeadRun(paths.journals)).toBe(true);
});

it("removes the tree when the action fails, and rethrows", async () => {
  const attempt = withVersion(paths, vcs, first, async ({ path }) => {
    writeFileSync(join(path, "built"), "x");
    throw new Error("of the action");
  });
  await expect(attempt).rejects.toThrow("of the action");
  expectNoLeftovers();
});

it("leaves nothing if the version or the folder of trees is missing", async () => {
  await expect(withVersion(paths, vcs, "1".repeat(40) as VersionId, async () => {})).rejects.toMatchObject({
    code: "unknown-revision",
  });
  expectNoLeftovers();
  const nowhere = { ...paths, trees: join(scratch, "missing") };
  await expect(withVersion(nowhere, vcs, first, async () => {})).rejects.toMatchObject({ code: "cannot-write" });
  expectNoLeftovers();
});

it("waits for an interrupted action, then fails", async () => {
  const attempt = withVersion(paths, vcs, first, async ({ path }) => {
    interrupt();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(existsSync(join(path, "f"))).toBe(true);
  });
  await expect(attempt).rejects.toMatchObject({ code: "interrupted", exit: 130 });
  expectNoLeftovers();
});

const forever = (): Promise<never> => (interrupt(), new Promise(() => {}));

it("does not wait after a second interrupt, nor after the grace period", async () => {
  const twice = withVersion(paths, vcs, first, () => (interrupt(), forever()));
  await expect(twice).rejects.toMatchObject({ code: "interrupted" });
  await expect(withVersion({ ...paths, graceMilliseconds: 1 }, vcs, first, forever)).rejects.toMatchObject({
    code: "interrupted",
  });
  expectNoLeftovers();
});

it("does not start the action after an interrupt", async () => {
  const attempt = withVersion(paths, vcs, first, async () => expect.unreachable());
  await Promise.resolve();
  interrupt();
  await expect(attempt).rejects.toMatchObject({ code: "interrupted" });
  expectNoLeftovers();
});

it("records process groups of the shell while they run", async () => {
  const shell = openShell({ environment, cacheFolder: scratch, launcher: { clock: "none", prefix: [] } });
  const notes = `cat ${paths.journals}/*.child`;
  const script = `until ${notes} 2>&1 | grep -q boot; do sleep 0.01; done; ${notes}; echo; echo $$`;
  await withVersion(paths, vcs, first, async ({ path }) => {
    const { stdout } = await shell.run(["sh", "-c", script], { directory: path });
    const [note = "", pid] = new TextDecoder().decode(stdout).trim().split("\n");
    expect(JSON.parse(note)).toMatchObject({ pid: Number(pid), boot: ownIdentity().boot });
    expect(readdirSync(paths.journals)).toHaveLength(1);
  });
  recordProcessGroup(process.pid, scratch)();
  expectNoLeftovers();
});

it("removes leftovers of a killed run: tree, partial entry, processes, journal", async () => {
  const worktree = ownTree();
  await vcs.addWorktree(worktree, first);
  const entry = join(repository, ".git/worktrees", `perfkeep-${id}`);
  for (const name of ["gitdir", "commondir", "HEAD"]) rmSync(join(entry, name));
  writeFileSync(join(entry, "locked"), "initializing");
  const child = spawn("sleep", ["600"], { cwd: worktree, detached: true, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  plantJournal({ owner: dead(), version: first, worktree });
  writeFileSync(
    join(paths.journals, `${id}-${child.pid}.child`),
    JSON.stringify({ ...ownIdentity(), pid: child.pid, start: "1" }),
  );
  expect(await recoverRuns(paths, vcs)).toEqual([{ id, version: first, worktree, outcome: "removed" }]);
  expect(await ended).toBe("SIGKILL");
  expectNoLeftovers();
  expect(await recoverRuns(paths, vcs)).toEqual([]);
});

it("kills processes that a run had not recorded yet", async () => {
  const shell = openShell({ environment, cacheFolder: scratch, launcher: { clock: "none", prefix: [] } });
  const mark = await withVersion(paths, vcs, first, async ({ path }) => {
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
  await recoverRuns(paths, vcs);
  expect(await ended).toBe("SIGKILL");
  expectNoLeftovers();
});

it("keeps other processes in the folder, and the user's own worktrees", async () => {
  const worktree = ownTree();
  run("worktree", "add", "--quiet", "--detach", join(scratch, "mine"), first);
  rmSync(join(scratch, "mine"), { recursive: true });
  await vcs.addWorktree(worktree, first);
  const child = spawn("sleep", ["600"], { cwd: worktree, detached: true, stdio: "ignore" });
  plantJournal({ owner: dead(), version: first, worktree });
  await recoverRuns(paths, vcs);
  const ended = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  child.kill("SIGINT");
  expect(await ended).toBe("SIGINT");
  expect(readdirSync(join(repository, ".git/worktrees"))).toEqual(["mine"]);
});

it("keeps runs of live owners and of other machines", async () => {
  const worktree = ownTree();
  mkdirSync(worktree);
  plantJournal({ owner: ownIdentity(), version: first, worktree });
  expect(await recoverRuns(paths, vcs)).toMatchObject([{ outcome: "running" }]);
  plantJournal({ owner: { ...ownIdentity(), host: "elsewhere" }, version: first, worktree });
  expect(await recoverRuns(paths, vcs)).toMatchObject([{ outcome: "elsewhere" }]);
  expect(existsSync(worktree)).toBe(true);
});

it("does not remove paths of forged or damaged journals", async () => {
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
    expect(await recoverRuns(paths, vcs)).toEqual([{ id, worktree: ownTree(), outcome: "removed" }]);
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
    expect(await recoverRuns(paths, vcs)).toMatchObject([{ outcome: "removed" }]);
  }
  expect(readdirSync(precious)).toEqual([`x-perfkeep-${id}`]);
  plantJournal({ owner: dead(), version: first, worktree: precious }, "not-an-id");
  expect(await recoverRuns(paths, vcs)).toEqual([]);
});

it("refuses a link instead of the folder of journals", async () => {
  mkdirSync(join(scratch, "other"));
  symlinkSync(join(scratch, "other"), paths.journals);
  await expect(withVersion(paths, vcs, first, async () => {})).rejects.toMatchObject({ code: "not-a-plain-file" });
});
