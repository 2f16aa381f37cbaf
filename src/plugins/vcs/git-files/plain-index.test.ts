import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isUnmarkedIndex, mayHaveFilters, mayHaveMarks, replacesCommits } from "./plain-repository.ts";

const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "plain-index-"));
  git("init", "--quiet", "--initial-branch=main");
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: path, env: environment });
  if (status !== 0) throw new Error(stderr.toString());
}

/** Names of every length around the eight bytes that entries are filled up to, and of folders. */
function addFiles(): void {
  for (let length = 1; length <= 20; length++) {
    const file = join(path, `folder-${length % 3}`, "a".repeat(length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, String(length));
  }
  git("add", ".");
}

const index = (): Buffer => readFileSync(join(path, ".git/index"));

/** Sets a path in the index that is longer than its entry can say and than a file system allows. */
function addLongName(): void {
  const name = Array.from({ length: 25 }, () => "b".repeat(200)).join("/");
  git("update-index", "--add", "--cacheinfo", `100644,${"1".repeat(40)},${name}`);
}

it("finds no marks without an index, in a new one and in one of 20 files", () => {
  expect(mayHaveMarks(join(path, ".git"))).toBe(false);
  addFiles();
  expect(mayHaveMarks(join(path, ".git"))).toBe(false);
  git("rm", "-r", "--cached", "--quiet", ".");
  expect(mayHaveMarks(join(path, ".git"))).toBe(false);
});

it.each([
  { name: "filters", ask: mayHaveFilters },
  { name: "marks", ask: mayHaveMarks },
  { name: "replaced commits", ask: replacesCommits },
])("leaves $name of an unreadable folder to git", ({ ask }) => {
  // Longer than any path of a system may be: opening it fails, whatever the rights of the user.
  expect(ask(`/${"a".repeat(5000)}`)).toBe(true);
});

const file = `folder-1/${"a".repeat(7)}`;

it.each<{ what: string; change: () => void; may: boolean }>([
  { what: "a name of 5,000 bytes", change: addLongName, may: false },
  { what: "a file of version 3", change: () => (addNew(), git("add", "--intent-to-add", "new")), may: false },
  { what: "assume-unchanged", change: () => git("update-index", "--assume-unchanged", file), may: true },
  { what: "skip-worktree", change: () => git("update-index", "--skip-worktree", file), may: true },
  { what: "version 4", change: () => git("update-index", "--index-version", "4"), may: true },
  { what: "a split index", change: () => git("update-index", "--split-index"), may: true },
])("reports whether git must read an index with $what", ({ change, may }) => {
  addFiles();
  change();
  expect(mayHaveMarks(join(path, ".git"))).toBe(may);
});

function addNew(): void {
  writeFileSync(join(path, "new"), "");
}

it("leaves every shortened index to git, and never fails on a damaged one", () => {
  addFiles();
  addLongName();
  const bytes = index();
  for (let length = 0; length < bytes.length; length += 7)
    expect(isUnmarkedIndex(bytes.subarray(0, length)), String(length)).toBe(false);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const damaged = Buffer.from(bytes);
      damaged[at] = value;
      isUnmarkedIndex(damaged);
    }),
  );
});
