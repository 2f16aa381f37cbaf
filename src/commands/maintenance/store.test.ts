import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { ownIdentity } from "../../store/durable/process-identity.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { init } from "../configuration/init.ts";
import { recover } from "./store.ts";

const id = "0123456789abcdef0123456789abcdef";
const digits = "1".repeat(40) as VersionId;

let scratch: string;
let workspace: Workspace;

function opened(): Workspace {
  const environment = {
    PATH: process.env["PATH"],
    HOME: scratch,
    TMPDIR: join(scratch, "trees"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return new Workspace({
    directory: join(scratch, "project"),
    environment,
    now: () => 0,
    random: () => 0,
    command: "perfkeep recover",
  });
}

/** An unused process id. */
function deadPid(): number {
  return spawnSync("true").pid;
}

beforeEach(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "recover-test-")));
  for (const name of ["project", "trees"]) mkdirSync(join(scratch, name));
  await init(opened(), { vcsType: "git", vcsParams: {}, vcsFlags: [], template: "master" });
  workspace = opened();
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

it("finds nothing to do in a sound instance, even before the first commit", async () => {
  expect(await recover(workspace)).toEqual({ runs: [], removed: [], unlocked: null });
});

it("removes the worktree and the journal of a killed run", async () => {
  const worktree = join(scratch, "trees", `perfkeep-${id}`);
  mkdirSync(join(worktree, "built"), { recursive: true });
  const journals = join(workspace.perun(), "run");
  mkdirSync(journals, { recursive: true });
  const owner = { ...ownIdentity(), pid: deadPid(), start: "1" };
  writeFileSync(join(journals, `${id}.json`), JSON.stringify({ owner, version: digits, worktree }));
  const result = await recover(workspace);
  expect(result.runs).toEqual([{ id, version: digits, worktree, outcome: "removed" }]);
  expect([existsSync(worktree), readdirSync(journals)]).toEqual([false, []]);
});

it("needs an instance", async () => {
  const environment = { PATH: process.env["PATH"] };
  const outside = new Workspace({ directory: scratch, environment, now: () => 0, random: () => 0, command: "" });
  await expect(recover(outside)).rejects.toMatchObject({ code: "no-instance" });
});
