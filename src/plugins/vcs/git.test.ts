import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { vcsContract, type ScriptedRepository } from "../../../test/contracts/vcs.ts";
import type { VersionId } from "../../core/digest.ts";
import { git } from "./git.ts";
import type { Environment } from "./vcs.ts";

const templates = realpathSync(mkdtempSync(join(tmpdir(), "git-test-")));
afterAll(() => rmSync(templates, { recursive: true, force: true }));

const environment: Environment = {
  PATH: process.env["PATH"],
  HOME: templates,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_DIR: "/nonexistent/of-a-hook",
  GIT_INDEX_FILE: "/nonexistent/index",
};
const date = 1_700_000_000;

function run(directory: string, args: readonly string[], at = date): string {
  const stamp = `${at} +0100`;
  const own = { PATH: process.env["PATH"], HOME: templates, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Zoë \x1f Ünal"],
    [`GIT_${role}_EMAIL`, "zoe@example.com"],
    [`GIT_${role}_DATE`, stamp],
  ]);
  return execFileSync("git", [...args], {
    cwd: directory,
    encoding: "utf8",
    env: { ...own, ...Object.fromEntries(who) },
    stdio: "pipe",
  }).trimEnd();
}

/** The history of the contract, scripted. */
function script(path: string, format: string): ScriptedRepository["ids"] {
  run(templates, ["init", "--quiet", `--object-format=${format}`, "--initial-branch=main", path]);
  const write = (name: string, content: string): void => writeFileSync(join(path, name), content);
  const commit = (message: string, minute: number): VersionId => {
    run(path, ["add", "--all"]);
    run(path, ["commit", "--quiet", "--allow-empty", "-m", message], date + minute * 60);
    return run(path, ["rev-parse", "HEAD"]) as VersionId;
  };
  write("f", "root\n");
  write(".gitignore", "*.o\n");
  const root = commit("Root", 0);
  write("f", "left\n");
  const left = commit("Left", 1);
  run(path, ["checkout", "--quiet", "-b", "side", root]);
  write("g", "right\n");
  const right = commit("Right", 2);
  run(path, ["checkout", "--quiet", "main"]);
  run(path, ["merge", "--quiet", "--no-ff", "-m", "Merge side", "side"], date + 180);
  const merge = run(path, ["rev-parse", "HEAD"]) as VersionId;
  run(path, ["tag", "-a", "-m", "annotated", "v1.0"]);
  write("f", "tip\n");
  const tip = commit("Tip, 日本語 and \x1f\n\nwith a body", 4);
  return { root, left, right, merge, tip };
}

function scripted(format: string): () => ScriptedRepository {
  const template = join(templates, format);
  let ids: ScriptedRepository["ids"] | undefined;
  return () => {
    ids ??= script(template, format);
    const path = realpathSync(mkdtempSync(join(tmpdir(), "git-test-")));
    cpSync(template, path, { recursive: true, preserveTimestamps: true });
    return {
      plugin: git,
      environment,
      path,
      ids,
      date,
      author: "Zoë \x1f Ünal",
      email: "zoe@example.com",
      ownFiles: { metadata: ".git", ignore: ".gitignore" },
      stage: (name) => run(path, ["add", "--", name]),
      stash: () => run(path, ["stash", "--quiet"]),
      plantTraps: (canary) => plantTraps(path, canary),
      fingerprint: () => fingerprint(path),
      remove: () => rmSync(path, { recursive: true, force: true }),
    };
  };
}

function fingerprint(path: string): string {
  const index = readFileSync(join(path, ".git/index"));
  const hashes = ["untracked", "ignored.o", "f", "g"].map((name) => {
    const found = spawnSync("sha1sum", [name], { cwd: path, encoding: "utf8" });
    return found.stdout;
  });
  const seen = [
    readFileSync(join(path, ".git/HEAD"), "utf8"),
    createHash("sha1").update(index).digest("hex"),
    run(path, ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--show-stash", "--ignored"]),
    run(path, ["stash", "list"]),
    run(path, ["for-each-ref"]),
    readdirSync(path).join(),
  ];
  return [...seen, ...hashes].join("\n");
}

/** Every setting known to make git run a program, each creating a file beside `canary`. */
function plantTraps(path: string, canary: string): void {
  const trap = join(path, ".git/trap");
  writeFileSync(trap, `#!/bin/sh\ntouch '${canary}'-"$(basename "$0")"\nexit 0\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(path, ".git/traps"));
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "pre-commit", "post-merge", "fsmonitor-watchman"]) {
    cpSync(trap, join(path, ".git/hooks", hook));
    cpSync(trap, join(path, ".git/traps", hook));
  }
  const settings = {
    "core.fsmonitor": trap,
    "core.hooksPath": join(path, ".git/traps"),
    "core.pager": trap,
    "core.editor": trap,
    "core.sshCommand": trap,
    "core.askPass": trap,
    "core.alternateRefsCommand": trap,
    "pager.log": trap,
    "pager.diff": trap,
    "diff.external": trap,
    "diff.evil.command": trap,
    "diff.evil.textconv": trap,
    "log.showSignature": "true",
    "gpg.program": trap,
    "credential.helper": trap,
    "log.follow": "true",
    "log.decorate": "full",
    "format.pretty": "oneline",
    "color.ui": "always",
    "diff.noprefix": "true",
    "status.showStash": "true",
    "alias.log": `!${trap}`,
    "alias.rev-parse": `!${trap}`,
    "submodule.recurse": "true",
    "extensions.partialClone": "evil",
    "remote.evil.promisor": "true",
    "remote.evil.url": join(path, ".git"),
    "remote.evil.uploadpack": trap,
    "protocol.allow": "always",
  };
  run(path, ["config", "core.repositoryFormatVersion", "1"]);
  for (const [name, value] of Object.entries(settings)) run(path, ["config", name, value]);
  writeFileSync(join(path, ".git/info/attributes"), "* diff=evil\n");
}

const makeSha1 = scripted("sha1");
vcsContract("git, sha1", makeSha1);
vcsContract("git, sha256", scripted("sha256"));

describe("git repositories of every kind", () => {
  let repository: ScriptedRepository;
  let scratch: string;
  beforeEach(() => {
    repository = makeSha1();
    scratch = realpathSync(mkdtempSync(join(tmpdir(), "git-test-")));
  });
  afterEach(() => {
    repository.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("reads a detached head", async () => {
    run(repository.path, ["checkout", "--quiet", "--detach", "side"]);
    const vcs = await git.open(repository.path, environment);
    expect([await vcs.head(), await vcs.majorHead()]).toEqual([repository.ids.right, repository.ids.right]);
  });

  it("works from a linked worktree of the user's", async () => {
    const linked = join(scratch, "linked");
    run(repository.path, ["worktree", "add", "--quiet", linked, "side"]);
    const vcs = await git.open(linked, environment);
    expect([vcs.root, await vcs.majorHead(), await vcs.isDirty()]).toEqual([linked, "side", false]);
    const path = join(scratch, "own");
    await vcs.addWorktree(path, repository.ids.left);
    await vcs.removeWorktree(path);
    expect(readdirSync(join(repository.path, ".git/worktrees"))).toEqual(["linked"]);
  });

  it("works in a bare repository, which has no tree of its own", async () => {
    const bare = join(scratch, "bare.git");
    run(scratch, ["clone", "--quiet", "--bare", repository.path, bare]);
    const vcs = await git.open(bare, environment);
    expect([vcs.root, await vcs.head(), await vcs.majorHead()]).toEqual([bare, repository.ids.tip, "main"]);
    expect([await vcs.isDirty(), await vcs.dirtyDigest()]).toEqual([false, null]);
    expect(await vcs.limitation("tree")).toContain("bare");
    expect(await vcs.limitation("worktrees")).toBeNull();
    await vcs.addWorktree(join(scratch, "own"), repository.ids.left);
    expect(readFileSync(join(scratch, "own/f"), "utf8")).toBe("left\n");
    await vcs.removeWorktree(join(scratch, "own"));
    expect(readdirSync(scratch)).toEqual(["bare.git"]);
  });

  it("names the branch of an empty repository, with a file named HEAD in the way", async () => {
    const empty = join(scratch, "empty");
    await git.init(empty, { initial_branch: "trunk" }, [], environment);
    writeFileSync(join(empty, "HEAD"), "");
    const vcs = await git.open(empty, environment);
    expect([vcs.root, await vcs.majorHead()]).toEqual([empty, "trunk"]);
    writeFileSync(join(empty, "f"), "x");
    run(empty, ["add", "f"]);
    expect(await vcs.isDirty()).toBe(true);
    expect(await vcs.dirtyDigest()).toMatch(/^[0-9a-f]{40}$/);
    await expect(vcs.resolve("trunk")).rejects.toMatchObject({ code: "unknown-revision" });
  });

  it("takes flags of git init", async () => {
    await git.init(join(scratch, "b.git"), {}, ["bare"], environment);
    expect((await git.open(join(scratch, "b.git"), environment)).root).toBe(join(scratch, "b.git"));
  });

  it("tells what a shallow clone lacks", async () => {
    const shallow = join(scratch, "shallow");
    run(scratch, ["clone", "--quiet", "--depth=2", `file://${repository.path}`, shallow]);
    const vcs = await git.open(shallow, environment);
    expect(await vcs.limitation("history")).toContain("unshallow");
    const seen = [];
    for await (const { id, parents } of vcs.walk(await vcs.head())) seen.push([id, parents.length]);
    expect(seen).toEqual([
      [repository.ids.tip, 1],
      [repository.ids.merge, 0],
    ]);
    await expect(vcs.resolve(repository.ids.root)).rejects.toMatchObject({ remedy: expect.stringContaining("unshallow") });
  });

  it("does not fetch what a partial clone lacks, and says so", async () => {
    const partial = join(scratch, "partial");
    run(repository.path, ["config", "uploadpack.allowFilter", "true"]);
    run(scratch, ["clone", "--quiet", "--filter=blob:none", `file://${repository.path}`, partial]);
    run(partial, ["config", "remote.origin.uploadpack", `touch ${join(scratch, "canary")}; git-upload-pack`]);
    run(partial, ["config", "protocol.allow", "always"]);
    const vcs = await git.open(partial, environment);
    expect(await vcs.head()).toBe(repository.ids.tip);
    const attempt = vcs.addWorktree(join(scratch, "own"), repository.ids.left);
    await expect(attempt).rejects.toMatchObject({ code: "worktree-failed", remedy: expect.stringContaining("git fetch --refetch") });
    expect(readdirSync(scratch)).toEqual(["partial"]);
  });

  it("does not initialise submodules, and says so", async () => {
    writeFileSync(join(repository.path, ".gitmodules"), `[submodule "x"]\n\tpath = x\n\turl = ${repository.path}\n`);
    run(repository.path, ["update-index", "--add", "--cacheinfo", `160000,${repository.ids.root},x`]);
    run(repository.path, ["add", ".gitmodules"]);
    run(repository.path, ["commit", "--quiet", "-m", "Submodule"]);
    const vcs = await git.open(repository.path, environment);
    const tree = await vcs.addWorktree(join(scratch, "own"), await vcs.head());
    expect(tree.notices).toEqual([expect.stringContaining("submodules")]);
    expect(readdirSync(join(scratch, "own/x"))).toEqual([]);
    await vcs.removeWorktree(join(scratch, "own"));
  });

  it("is at home in a folder whose name holds a newline", async () => {
    const odd = join(scratch, "a\nb");
    cpSync(repository.path, odd, { recursive: true });
    expect((await git.open(odd, environment)).root).toBe(odd);
  });

  it("refuses to work inside .git", async () => {
    await expect(git.open(join(repository.path, ".git"), environment)).rejects.toMatchObject({ code: "not-a-repository" });
  });

  it("keeps GIT_DIR and GIT_WORK_TREE that the user set for himself", async () => {
    const tree = join(scratch, "elsewhere");
    mkdirSync(tree);
    const own = { ...environment, GIT_DIR: join(repository.path, ".git"), GIT_WORK_TREE: tree };
    const vcs = await git.open(tree, own);
    expect([vcs.root, await vcs.head()]).toEqual([tree, repository.ids.tip]);
    await expect(git.open(scratch, own)).rejects.toMatchObject({ code: "not-a-repository" });
  });

  it("reads names and messages that are no UTF-8, and messages cut by NUL", async () => {
    const tree = run(repository.path, ["rev-parse", "HEAD^{tree}"]);
    const raw = Buffer.from(
      `tree ${tree}\nauthor \xe9\xff <a@b> ${date} +0000\ncommitter C <c@d> ${date} +0000\n\ncaf\xe9\0hidden\n`,
      "latin1",
    );
    const hashed = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], { cwd: repository.path, input: raw });
    const id = hashed.stdout.toString().trim() as VersionId;
    const vcs = await git.open(repository.path, environment);
    const seen = [];
    for await (const version of vcs.walk(id)) seen.push(version);
    expect(seen).toEqual([{ id, parents: [], author: "\ufffd\ufffd", email: "a@b", date, description: "caf\ufffd" }]);
  });

  it("says which abbreviation is ambiguous", async () => {
    for (let n = 0; n < 40; n++) run(repository.path, ["commit", "--quiet", "--allow-empty", "-m", `n${n}`], date + n);
    const ids = run(repository.path, ["rev-list", "--all"]).split("\n");
    const prefix = ids.map((id) => id.slice(0, 4)).find((short, index, all) => all.indexOf(short) !== index);
    const vcs = await git.open(repository.path, environment);
    if (prefix)
      await expect(vcs.resolve(prefix)).rejects.toMatchObject({ code: "unknown-revision", message: expect.stringContaining("several") });
  });
});

describe("a git program that is not as it should be", () => {
  let folder: string;
  const fake = (body: string): Environment => {
    writeFileSync(join(folder, "git"), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, "git"), 0o755);
    return { ...environment, PATH: [folder, process.env["PATH"]].join(delimiter) };
  };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "git-test-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is missing", async () => {
    await expect(git.open(folder, { PATH: "/nonexistent" })).rejects.toMatchObject({ code: "vcs-missing", exit: 74 });
    await expect(git.init(join(folder, "x"), {}, [], { PATH: "/nonexistent" })).rejects.toMatchObject({ code: "vcs-missing" });
  });

  it("is too old", async () => {
    const old = fake(`case "$*" in *--version*) echo git version 2.20.1;; *) echo --path-format=absolute; exit 0;; esac`);
    await expect(git.open(folder, old)).rejects.toMatchObject({ code: "vcs-too-old", message: expect.stringContaining("2.20.1") });
  });

  it("distrusts the owner of the repository, and is not overridden", async () => {
    const text = `fatal: detected dubious ownership in repository at '/home/other/it'\nTo add an exception ...`;
    const distrusting = fake(`case "$*" in *--version*) echo git version 2.39.5;; *) printf '%s' "${text}" >&2; exit 128;; esac`);
    const failure = { code: "repository-not-trusted", exit: 77, remedy: expect.stringContaining("safe.directory /home/other/it") };
    await expect(git.open(folder, distrusting)).rejects.toMatchObject(failure);
  });

  it("fails for a reason of its own", async () => {
    const failing = fake(`case "$*" in *--version*) echo git version 2.39.5;; *) echo "fatal: disk on fire" >&2; exit 128;; esac`);
    await expect(git.open(folder, failing)).rejects.toMatchObject({ code: "vcs-failed", message: expect.stringContaining("disk on fire") });
  });
});
