import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitRepositories } from "../../../test/contracts/git-repositories.ts";
import { vcsContract, type ScriptedRepository } from "../../../test/contracts/vcs.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { git } from "./git.ts";
import type { Environment } from "./vcs.ts";

const sha1 = gitRepositories(git, "sha1");
const sha256 = gitRepositories(git, "sha256");
const { environment, date, run } = sha1;
afterAll(() => [sha1, sha256].forEach((repositories) => repositories.removeAll()));

vcsContract("git, sha1", sha1.make);
vcsContract("git, sha256", sha256.make);

describe("git repositories of every kind", () => {
  let repository: ScriptedRepository;
  let scratch: string;
  beforeEach(() => {
    repository = sha1.make();
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

  it("works from a linked worktree of the user", async () => {
    const linked = join(scratch, "linked");
    run(repository.path, ["worktree", "add", "--quiet", linked, "side"]);
    const vcs = await git.open(linked, environment);
    expect([vcs.root, await vcs.majorHead(), await vcs.isDirty()]).toEqual([linked, "side", false]);
    const path = join(scratch, "own");
    await vcs.addWorktree(path, repository.ids.left);
    await vcs.removeWorktree(path);
    expect(readdirSync(join(repository.path, ".git/worktrees"))).toEqual(["linked"]);
  });

  /** A filter that leaves a file in `scratch` and changes nothing; `keep` is the name of the file. */
  function plantFilter(tree: string, keep: string, file?: string): void {
    const where = file === undefined ? [] : ["--file", file];
    for (const kind of ["clean", "smudge", "process"] as const)
      run(tree, ["config", ...where, `filter.a=b "${keep}".${kind}`, `touch '${scratch}/${keep}-${kind}'; cat`]);
    run(tree, ["config", ...where, `filter.a=b "${keep}".required`, "true"]);
    // The pattern of attributes cannot name such a filter, so a plain one does what is measured.
    run(tree, ["config", ...where, `filter.${keep}.clean`, `touch '${scratch}/${keep}'; cat`]);
    run(tree, ["config", ...where, `filter.${keep}.required`, "true"]);
    const folder = run(tree, ["rev-parse", "--path-format=absolute", "--git-common-dir"]).trimEnd();
    mkdirSync(join(folder, "info"), { recursive: true });
    writeFileSync(join(folder, "info/attributes"), `* filter=${keep}\n`);
  }

  it("runs no filter of the repository to compare the tree, but those of the user", async () => {
    const { path } = repository;
    writeFileSync(join(path, "filtered"), "1");
    run(path, ["add", "filtered"]);
    run(path, ["commit", "--quiet", "-m", "filtered"]);
    plantFilter(path, "planted");
    writeFileSync(join(path, "filtered"), "2");
    const vcs = await git.open(path, environment);
    expect([await vcs.isDirty(), (await vcs.dirtyDigest())?.length]).toEqual([true, 40]);
    expect(readdirSync(scratch)).toEqual([]);

    const global = join(scratch, "global");
    plantFilter(path, "planted", global);
    const users = await git.open(path, { ...environment, GIT_CONFIG_GLOBAL: global });
    expect(await users.isDirty()).toBe(true);
    expect(readdirSync(scratch)).toEqual(["global", "planted"]);
  });

  it("compares submodules without running their filters", async () => {
    const { path } = repository;
    run(path, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path, "inner"]);
    run(path, ["commit", "--quiet", "-m", "inner"]);
    const inner = join(path, "inner");
    const vcs = await git.open(path, environment);
    expect([await vcs.isDirty(), await vcs.dirtyDigest()]).toEqual([false, null]);
    plantFilter(inner, "planted");
    const [tracked = ""] = run(inner, ["ls-files"]).split("\n");
    writeFileSync(join(inner, "untracked"), "x");
    expect(await vcs.isDirty()).toBe(false);
    const digests = [];
    for (const text of ["one", "two"]) {
      writeFileSync(join(inner, tracked), text);
      digests.push(await vcs.dirtyDigest());
    }
    expect(await vcs.isDirty()).toBe(true);
    expect(new Set(digests).size).toBe(2);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it.each(["assume-unchanged", "skip-worktree"])(
    "sees changes of files marked %s, which git overlooks",
    async (mark) => {
      const { path } = repository;
      const [file = ""] = run(path, ["ls-files"]).split("\n");
      const vcs = await git.open(path, environment);
      run(path, ["update-index", `--${mark}`, file]);
      expect([await vcs.isDirty(), await vcs.dirtyDigest()]).toEqual([false, null]);
      const digests = [];
      for (const text of ["one", "two"]) {
        writeFileSync(join(path, file), text);
        digests.push(await vcs.dirtyDigest());
      }
      expect([await vcs.isDirty(), new Set(digests).size]).toEqual([true, 2]);
      rmSync(join(path, file));
      // A file outside of a sparse checkout is missing.
      expect(await vcs.isDirty()).toBe(mark === "assume-unchanged");
      symlinkSync("elsewhere", join(path, file));
      expect(await vcs.isDirty()).toBe(true);
    },
  );

  it("works in a bare repository without a tree", async () => {
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

  it("accepts flags of git init", async () => {
    await git.init(join(scratch, "b.git"), {}, ["bare"], environment);
    expect((await git.open(join(scratch, "b.git"), environment)).root).toBe(join(scratch, "b.git"));
  });

  it("reports what a shallow clone lacks", async () => {
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
    await expect(vcs.resolve(repository.ids.root)).rejects.toMatchObject({
      remedy: expect.stringContaining("unshallow"),
    });
  });

  it("reports what a partial clone lacks and does not fetch it", async () => {
    const partial = join(scratch, "partial");
    run(repository.path, ["config", "uploadpack.allowFilter", "true"]);
    run(scratch, ["clone", "--quiet", "--filter=blob:none", `file://${repository.path}`, partial]);
    run(partial, ["config", "remote.origin.uploadpack", `touch ${join(scratch, "canary")}; git-upload-pack`]);
    run(partial, ["config", "protocol.allow", "always"]);
    const vcs = await git.open(partial, environment);
    expect(await vcs.head()).toBe(repository.ids.tip);
    const attempt = vcs.addWorktree(join(scratch, "own"), repository.ids.left);
    await expect(attempt).rejects.toMatchObject({
      code: "worktree-failed",
      remedy: expect.stringContaining("git fetch --refetch"),
    });
    expect(readdirSync(scratch)).toEqual(["partial"]);
  });

  it("reports who checks out submodules", async () => {
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

  it("works in a folder with a newline in its name", async () => {
    const odd = join(scratch, "a\nb");
    cpSync(repository.path, odd, { recursive: true });
    expect((await git.open(odd, environment)).root).toBe(odd);
  });

  it("refuses to work inside .git", async () => {
    await expect(git.open(join(repository.path, ".git"), environment)).rejects.toMatchObject({
      code: "not-a-repository",
    });
  });

  it("honours GIT_DIR and GIT_WORK_TREE set by the user", async () => {
    const tree = join(scratch, "elsewhere");
    mkdirSync(tree);
    const own = { ...environment, GIT_DIR: join(repository.path, ".git"), GIT_WORK_TREE: tree };
    const vcs = await git.open(tree, own);
    expect([vcs.root, await vcs.head()]).toEqual([tree, repository.ids.tip]);
    await expect(git.open(scratch, own)).rejects.toMatchObject({ code: "not-a-repository" });
  });

  it("reads names and messages with invalid UTF-8, and messages truncated by NUL", async () => {
    const tree = run(repository.path, ["rev-parse", "HEAD^{tree}"]);
    const raw = Buffer.from(
      `tree ${tree}\nauthor \xe9\xff <a@b> ${date} +0000\ncommitter C <c@d> ${date} +0000\n\ncaf\xe9\0hidden\n`,
      "latin1",
    );
    const hashed = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], {
      cwd: repository.path,
      input: raw,
    });
    const id = hashed.stdout.toString().trim() as VersionId;
    const vcs = await git.open(repository.path, environment);
    const seen = [];
    for await (const version of vcs.walk(id)) seen.push(version);
    expect(seen).toEqual([
      { id, parents: [], author: "\ufffd\ufffd", email: "a@b", date, description: "caf\ufffd", finalNewlines: 0 },
    ]);
  });

  it("reports a name that a branch and a tag share, and reads its full forms", async () => {
    const { path, ids } = repository;
    run(path, ["branch", "both", ids.left]);
    run(path, ["tag", "both", ids.tip]);
    const vcs = await git.open(path, environment);
    for (const word of ["both", "both~0", "both^{commit}"])
      await expect(vcs.resolve(word)).rejects.toMatchObject({
        code: "unknown-revision",
        message: expect.stringContaining("'both' is the name of several branches or tags"),
      });
    expect([await vcs.resolve("heads/both"), await vcs.resolve("refs/tags/both")]).toEqual([ids.left, ids.tip]);
  });
});

describe("an unusable git program", () => {
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
    await expect(git.init(join(folder, "x"), {}, [], { PATH: "/nonexistent" })).rejects.toMatchObject({
      code: "vcs-missing",
    });
  });

  it("reports an ambiguous abbreviation", async () => {
    run(folder, ["init", "--quiet"]);
    run(folder, ["commit", "--quiet", "--allow-empty", "-m", "first"]);
    // Ids that begin alike cannot be made on purpose; the text is that of git 2.39.
    const short = fake(
      'case "$*" in *abcd*) echo "error: short object ID abcd is ambiguous" >&2; exit 128;; esac\n' +
        `PATH='${process.env["PATH"]}' exec git "$@"`,
    );
    const vcs = await git.open(folder, short);
    await expect(vcs.resolve("abcd")).rejects.toMatchObject({ message: expect.stringContaining("several commits") });
  });

  it("is too old", async () => {
    const old = fake(
      `case "$*" in *--version*) echo git version 2.20.1;; *) echo --path-format=absolute; exit 0;; esac`,
    );
    await expect(git.open(folder, old)).rejects.toMatchObject({
      code: "vcs-too-old",
      message: expect.stringContaining("2.20.1"),
    });
  });

  it("does not trust the owner of the repository", async () => {
    const text = `fatal: detected dubious ownership in repository at '/home/other/it'\nTo add an exception ...`;
    const distrusting = fake(
      `case "$*" in *--version*) echo git version 2.39.5;; *) printf '%s' "${text}" >&2; exit 128;; esac`,
    );
    const failure = {
      code: "repository-not-trusted",
      exit: 77,
      remedy: expect.stringContaining("safe.directory /home/other/it"),
    };
    await expect(git.open(folder, distrusting)).rejects.toMatchObject(failure);
  });

  it("fails for another reason", async () => {
    const failing = fake(
      `case "$*" in *--version*) echo git version 2.39.5;; *) echo "fatal: disk on fire" >&2; exit 128;; esac`,
    );
    await expect(git.open(folder, failing)).rejects.toMatchObject({
      code: "vcs-failed",
      message: expect.stringContaining("disk on fire"),
    });
  });
});
