import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { vcsContract, type ScriptedRepository } from "../../../test/contracts/vcs.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { hg } from "./hg.ts";
import type { Environment } from "./vcs.ts";

const isInstalled = spawnSync("hg", ["--version"]).status === 0;
const templates = realpathSync(mkdtempSync(join(tmpdir(), "hg-test-")));
afterAll(() => rmSync(templates, { recursive: true, force: true }));

const environment: Environment = {
  PATH: process.env["PATH"],
  HOME: templates,
  HG_NODE: "of-a-hook",
  HGRCPATH: "/nonexistent",
};
const date = 1_700_000_000;
const author = "Zoë \x1f Ünal";

function run(directory: string, args: readonly string[], skipRepo = true): string {
  const own = {
    PATH: process.env["PATH"],
    HOME: templates,
    HGRCPATH: "",
    HGPLAIN: "1",
    HGENCODING: "UTF-8",
    LC_ALL: "C",
  };
  return execFileSync("hg", ["--config", "extensions.shelve=", ...args], {
    cwd: directory,
    encoding: "utf8",
    env: skipRepo ? { ...own, HGRCSKIPREPO: "1" } : own,
    stdio: "pipe",
  }).trimEnd();
}

/** Creates the history of the contract suite. */
function script(path: string): ScriptedRepository["ids"] {
  run(templates, ["init", path]);
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  const commit = (message: string, minute: number): VersionId => {
    run(path, ["addremove", "--quiet"]);
    run(path, [
      "commit",
      "--user",
      `${author} <zoe@example.com>`,
      "--date",
      `${date + minute * 60} -3600`,
      "--message",
      message,
    ]);
    return run(path, ["log", "--rev", ".", "--template", "{node}"]) as VersionId;
  };
  run(path, ["branch", "--quiet", "main"]);
  write("f", "root\n");
  write(".hgignore", "syntax: glob\n*.o\n");
  const root = commit("Root", 0);
  write("f", "left\n");
  const left = commit("Left", 1);
  run(path, ["update", "--quiet", "--rev", root]);
  run(path, ["branch", "--quiet", "side"]);
  write("g", "right\n");
  const right = commit("Right", 2);
  run(path, ["update", "--quiet", "--rev", left]);
  run(path, ["merge", "--quiet", "--rev", right]);
  const merge = commit("Merge side", 3);
  run(path, ["tag", "--local", "--rev", merge, "v1.0"]);
  write("f", "tip\n");
  const tip = commit("Tip, 日本語 and \x1f\n\nwith a body", 4);
  return { root, left, right, merge, tip };
}

let ids: ScriptedRepository["ids"] | undefined;

function scripted(): ScriptedRepository {
  const template = join(templates, "template");
  ids ??= script(template);
  const path = realpathSync(mkdtempSync(join(tmpdir(), "hg-test-")));
  cpSync(template, path, { recursive: true, preserveTimestamps: true });
  return {
    plugin: hg,
    environment,
    path,
    ids,
    date,
    author,
    email: "zoe@example.com",
    ownFiles: { metadata: ".hg", ignore: ".hgignore" },
    stage: null,
    stash: () => run(path, ["shelve", "--quiet"]),
    plantTraps: (canary) => plantTraps(path, canary),
    fingerprint: () => fingerprint(path),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function fingerprint(path: string): string {
  mkdirSync(join(path, ".hg/shelved"), { recursive: true });
  const own = readdirSync(join(path, ".hg/shelved"), { recursive: true, encoding: "utf8" }).sort();
  const store = [
    "store/00changelog.i",
    "store/phaseroots",
    "localtags",
    "branch",
    "bookmarks",
    ...own.map((name) => `shelved/${name}`),
  ];
  const names = ["untracked", "ignored.o", "f", "g", ...store.map((name) => `.hg/${name}`)];
  return [
    run(path, ["status", "--all"]),
    readdirSync(path).join(),
    ...names.map((name) => hashOfFile(join(path, name))),
  ].join("\n");
}

function hashOfFile(path: string): string {
  try {
    return createHash("sha1").update(readFileSync(path)).digest("hex");
  } catch {
    return "missing";
  }
}

/** Every setting known to make hg run a program; each creates a file next to `canary`. */
function plantTraps(path: string, canary: string): void {
  const trap = join(path, ".hg/trap");
  writeFileSync(trap, `#!/bin/sh\ntouch '${canary}'-"$1"\nexit 0\n`);
  chmodSync(trap, 0o755);
  writeFileSync(join(path, ".hg/trap.py"), `open(${JSON.stringify(`${canary}-python`)}, "w").close()\n`);
  const hooks = [
    "preupdate",
    "update",
    "pre-log",
    "post-log",
    "pre-status",
    "pre-diff",
    "pre-share",
    "post-init",
    "pre-identify",
  ];
  const text = [
    "[hooks]",
    ...hooks.map((name) => `${name} = ${trap} ${name}`),
    "[extensions]",
    `trap = ${join(path, ".hg/trap.py")}`,
    "extdiff =",
    "[alias]",
    ...["log", "status", "diff", "update", "share", "purge", "branches"].map(
      (name) => `${name} = !${trap} alias-${name}`,
    ),
    "[ui]",
    `editor = ${trap} editor`,
    `merge = evil`,
    "verbose = true",
    "[merge-tools]",
    `evil.executable = ${trap}`,
    "[pager]",
    `pager = ${trap} pager`,
    "[defaults]",
    "log = --verbose",
    "[encode]",
    `** = pipe: ${trap} encode`,
    "[decode]",
    `** = pipe: ${trap} decode`,
    "[fsmonitor]",
    "mode = on",
  ];
  writeFileSync(join(path, ".hg/hgrc"), `${text.join("\n")}\n`);
  expect(() => run(path, ["log", "--rev", "."], false)).not.toThrow();
  for (const name of readdirSync(join(canary, ".."))) rmSync(join(canary, "..", name));
}

if (!isInstalled) it.skip("version control contract: hg (Mercurial is not installed)", () => {});
else vcsContract("hg", scripted);

describe.skipIf(!isInstalled)("Mercurial repositories of every kind", () => {
  let repository: ScriptedRepository;
  let scratch: string;
  beforeEach(() => {
    repository = scripted();
    scratch = realpathSync(mkdtempSync(join(tmpdir(), "hg-test-")));
  });
  afterEach(() => {
    repository.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("treats a bookmark as a branch", async () => {
    run(repository.path, ["bookmark", "work"]);
    const vcs = await hg.open(repository.path, environment);
    const names = [];
    for await (const { name } of vcs.majors()) names.push(name);
    expect([await vcs.majorHead(), names]).toEqual(["work", ["main", "side", "work"]]);
  });

  it("treats a missing file as a change and saves and restores it", async () => {
    const vcs = await hg.open(repository.path, environment);
    const tree = await vcs.addWorktree(join(scratch, "own"), repository.ids.tip);
    rmSync(join(tree.path, "f"));
    writeFileSync(join(tree.path, "g"), Buffer.from([0, 255, 10, 0]));
    expect(await (await hg.open(tree.path, environment)).isDirty()).toBe(true);
    const state = await tree.saveState();
    expect(readdirSync(tree.path).sort()).toEqual([".hg", ".hgignore", "f", "g"]);
    await tree.restoreState(state);
    expect(readdirSync(tree.path).sort()).toEqual([".hg", ".hgignore", "g"]);
    expect(readFileSync(join(tree.path, "g"))).toEqual(Buffer.from([0, 255, 10, 0]));
  });

  it("works in paths with characters that hg interprets in addresses", async () => {
    const odd = join(scratch, "a#b");
    cpSync(repository.path, odd, { recursive: true });
    const vcs = await hg.open(odd, environment);
    await vcs.addWorktree(join(scratch, "own"), repository.ids.left);
    expect([vcs.root, readFileSync(join(scratch, "own/f"), "utf8")]).toEqual([odd, "left\n"]);
  });

  it("does not fetch subrepositories", async () => {
    writeFileSync(join(repository.path, ".hgsub"), `sub = ${repository.path}\n`);
    mkdirSync(join(repository.path, "sub"));
    run(join(repository.path, "sub"), ["init"]);
    run(repository.path, ["add", ".hgsub"]);
    run(repository.path, ["commit", "--message", "Sub"]);
    const vcs = await hg.open(repository.path, environment);
    expect(await vcs.isDirty()).toBe(false);
    const attempt = vcs.addWorktree(join(scratch, "own"), await vcs.head());
    await expect(attempt).rejects.toMatchObject({
      code: "worktree-failed",
      message: expect.stringContaining("subrepo"),
    });
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("resolves neither the null revision nor the working directory", async () => {
    const vcs = await hg.open(repository.path, environment);
    for (const word of ["null", "wdir()", "0".repeat(40), "f".repeat(40), "HEAD~99"]) {
      await expect(vcs.resolve(word)).rejects.toMatchObject({ code: "unknown-revision" });
    }
  });
});

describe("an unusable hg program", () => {
  let folder: string;
  const fake = (body: string): Environment => {
    writeFileSync(join(folder, "hg"), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, "hg"), 0o755);
    return { ...environment, PATH: [folder, process.env["PATH"]].join(delimiter) };
  };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "hg-test-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is missing", async () => {
    await expect(hg.open(folder, { PATH: "/nonexistent" })).rejects.toMatchObject({ code: "vcs-missing", exit: 74 });
  });

  it("is too old", async () => {
    const old = fake(`case "$*" in *--version*) echo "Mercurial Distributed SCM (version 4.8.2)";; *) exit 255;; esac`);
    await expect(hg.open(folder, old)).rejects.toMatchObject({
      code: "vcs-too-old",
      message: expect.stringContaining("4.8.2"),
    });
  });

  it("fails for another reason", async () => {
    const failing = fake(
      `case "$*" in *--version*) echo "(version 6.3.2)";; *) echo "abort: disk on fire" >&2; exit 255;; esac`,
    );
    const failure = { code: "vcs-failed", message: expect.stringContaining("hg log failed") };
    await expect(hg.open(folder, failing)).rejects.toMatchObject(failure);
  });
});
