import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isVersionId, type VersionId } from "../../src/core/versions/digest.ts";
import { isFailure } from "../../src/core/failures/failure.ts";
import type { Environment, Vcs, VcsPlugin } from "../../src/plugins/vcs/vcs.ts";
import { hostileRevisions } from "./hostile-revisions.ts";

/**
 * A repository with this history, newest first; `tip` is the head, on branch `main`:
 *
 *     tip      "Tip, 日本語 and ␟\n\nwith a body"   f = "tip\n"
 *     merge    "Merge side"                        of left (first parent) and right; tagged v1.0
 *     right    "Right"                             adds g = "right\n"; branch `side`
 *     left     "Left"                              f = "left\n"
 *     root     "Root"                              f = "root\n", and a file that makes *.o ignored
 */
export interface ScriptedRepository {
  readonly plugin: VcsPlugin;
  readonly environment: Environment;
  /** Root of the working tree. */
  readonly path: string;
  readonly ids: Readonly<Record<"root" | "left" | "right" | "merge" | "tip", VersionId>>;
  /** Seconds of the committer date of `root`; each later one is 60 s after the one before. */
  readonly date: number;
  readonly author: string;
  readonly email: string;
  /** What the system itself keeps in a tree, and the file that says what is ignored. */
  readonly ownFiles: { readonly metadata: string; readonly ignore: string };
  /**
   * Puts `path` of the working tree into what is to be committed next; null where the next version is the tree as it
   * stands.
   */
  readonly stage: ((path: string) => void) | null;
  /**
   * Keeps the present changes aside in the user's own way, to see later that they are untouched; null where there is no
   * such way.
   */
  readonly stash: (() => void) | null;
  /** Makes the repository's own configuration run programs that create `canary` at every occasion the system offers. */
  plantTraps(canary: string): void;
  /** Everything of the user's that must never change: tree, index, stash, head. */
  fingerprint(): string;
  remove(): void;
}

/** What every version control system keeps to. */
export function vcsContract(name: string, makeRepository: () => ScriptedRepository): void {
  describe(`version control contract: ${name}`, () => {
    let repository: ScriptedRepository;
    let vcs: Vcs;
    let scratch: string;
    beforeEach(async () => {
      repository = makeRepository();
      vcs = await repository.plugin.open(repository.path, repository.environment);
      scratch = realpathSync(mkdtempSync(join(tmpdir(), "vcs-contract-")));
    });
    afterEach(() => {
      repository.remove();
      rmSync(scratch, { recursive: true, force: true });
    });
    const given = (): Given => ({ repository, vcs, scratch });
    tellsOfVersions(given);
    resolvesWords(given);
    seesChanges(given);
    keepsWorktrees(given);
    withstandsHostility(given);
    makesRepositories(given);
  });
}

interface Given {
  readonly repository: ScriptedRepository;
  readonly vcs: Vcs;
  readonly scratch: string;
}

function tellsOfVersions(given: () => Given): void {
  it("knows its root, its head and its branch", async () => {
    const { vcs, repository } = given();
    expect(vcs.type).toBe(repository.plugin.name);
    expect(vcs.root).toBe(realpathSync(repository.path));
    expect(await vcs.head()).toBe(repository.ids.tip);
    expect(await vcs.majorHead()).toBe("main");
  });

  it("opens from a folder below the root", async () => {
    const { repository } = given();
    mkdirSync(join(repository.path, "a/b"), { recursive: true });
    const vcs = await repository.plugin.open(join(repository.path, "a/b"), repository.environment);
    expect(vcs.root).toBe(realpathSync(repository.path));
  });

  it("can do everything in an ordinary repository", async () => {
    for (const ability of ["tree", "worktrees", "history"] as const)
      expect(await given().vcs.limitation(ability)).toBeNull();
  });

  it("gives one version whole", async () => {
    const { vcs, repository } = given();
    const { ids, author, email, date } = repository;
    const description = "Tip, 日本語 and \x1f\n\nwith a body";
    expect(await vcs.info(ids.tip)).toEqual({
      id: ids.tip,
      parents: [ids.merge],
      author,
      email,
      date: date + 240,
      description,
    });
    expect(await vcs.info(ids.merge)).toMatchObject({ parents: [ids.left, ids.right], description: "Merge side" });
    expect(await vcs.info(ids.root)).toMatchObject({ parents: [], date, description: "Root" });
  });

  it("walks all ancestors, newest first, each once", async () => {
    const { vcs, repository } = given();
    const { tip, merge, right, left, root } = repository.ids;
    expect(await walked(vcs, tip)).toEqual([tip, merge, right, left, root]);
    expect(await walked(vcs, right)).toEqual([right, root]);
    expect(await walked(vcs, tip, 2)).toEqual([tip, merge]);
    expect(await walked(vcs, tip, 0)).toEqual([]);
  });

  it("walks in batches and singly alike, and as info tells", async () => {
    const { vcs, repository } = given();
    const singly = [];
    for await (const version of vcs.walk(repository.ids.tip)) singly.push(version);
    const batched = [];
    for await (const batch of vcs.walkBatches(repository.ids.tip)) batched.push(...batch);
    expect(batched).toEqual(singly);
    expect(await Promise.all(singly.map((version) => vcs.info(version.id)))).toEqual(singly);
  });

  it("lets a walk be left early", async () => {
    const { vcs, repository } = given();
    for await (const version of vcs.walk(repository.ids.tip)) {
      expect(version.id).toBe(repository.ids.tip);
      break;
    }
  });

  it("lists branches", async () => {
    const { vcs, repository } = given();
    const found = [];
    for await (const major of vcs.majors()) found.push(major);
    expect(found).toEqual([
      { name: "main", head: repository.ids.tip },
      { name: "side", head: repository.ids.right },
    ]);
  });

  it("lists tags", async () => {
    const { vcs, repository } = given();
    const found = [];
    for await (const tag of vcs.tags()) found.push(tag);
    expect(found).toEqual([{ name: "v1.0", version: repository.ids.merge }]);
  });

  it("shows the difference of two versions", async () => {
    const { vcs, repository } = given();
    const text = await vcs.diff(repository.ids.merge, repository.ids.tip);
    expect(text).toContain("-left\n+tip\n");
    expect(await vcs.diff(repository.ids.tip, repository.ids.tip)).toBe("");
  });

  it("tells the files that a version changed against its first parent", async () => {
    const { vcs, repository } = given();
    const { tip, merge, right, left, root } = repository.ids;
    const whole = (...paths: string[]): object => ({ paths, isCut: false });
    expect(await vcs.filesOf(left, 10)).toEqual(whole("f"));
    expect(await vcs.filesOf(right, 10)).toEqual(whole("g"));
    expect(await vcs.filesOf(merge, 10)).toEqual(whole("g"));
    expect(await vcs.filesOf(tip, 1)).toEqual(whole("f"));
    expect(await vcs.filesOf(root, 10)).toEqual(whole(repository.ownFiles.ignore, "f"));
    expect(await vcs.filesOf(root, 1)).toMatchObject({ paths: [expect.any(String)], isCut: true });
    await expectUnknown(vcs.filesOf(tip.replace(/./g, "1") as VersionId, 10));
  });
}

function resolvesWords(given: () => Given): void {
  it("resolves branches, tags, abbreviations and relatives", async () => {
    const { vcs, repository } = given();
    const { tip, merge, right, left } = repository.ids;
    const expected = {
      HEAD: tip,
      main: tip,
      side: right,
      "v1.0": merge,
      "HEAD~1": merge,
      "HEAD~1^2": right,
      [left]: left,
      [left.slice(0, 10)]: left,
    };
    for (const [word, id] of Object.entries(expected)) expect([word, await vcs.resolve(word)]).toEqual([word, id]);
  });

  it("resolves the tree of a version, which is no version", async () => {
    const { vcs } = given();
    const tree = await vcs.resolve("HEAD", "tree");
    expect(isVersionId(tree)).toBe(true);
    await expectUnknown(vcs.check(tree));
    await expectUnknown(vcs.info(tree));
  });

  it("tells versions of its own from others", async () => {
    const { vcs, repository } = given();
    for (const id of Object.values(repository.ids)) await vcs.check(id);
    const stranger = repository.ids.tip.replace(/./g, "1") as VersionId;
    await expectUnknown(vcs.check(stranger));
    await expectUnknown(vcs.info(stranger));
    await expectUnknown(walked(vcs, stranger));
    await expectUnknown(vcs.diff(stranger, repository.ids.tip));
    await expectUnknown(vcs.addWorktree(join(given().scratch, "stranger-tree"), stranger));
    await expectUnknown(vcs.resolve("no-such-branch"));
  });
}

function seesChanges(given: () => Given): void {
  it("is clean at first, and with files it does not track", async () => {
    const { vcs, repository } = given();
    writeFileSync(join(repository.path, "untracked"), "x");
    writeFileSync(join(repository.path, "f"), readFileSync(join(repository.path, "f")));
    const before = repository.fingerprint();
    expect(await vcs.isDirty()).toBe(false);
    expect(await vcs.dirtyDigest()).toBeNull();
    expect(repository.fingerprint()).toBe(before);
  });

  it("is dirty by a change, staged or not, and the digest tells changes apart", async () => {
    const { vcs, repository } = given();
    const digests = [];
    for (const content of ["one\n", "two\n", Buffer.from([0xff, 0xfe, 10]), Buffer.from([0xfe, 0xff, 10])]) {
      writeFileSync(join(repository.path, "f"), content);
      expect(await vcs.isDirty()).toBe(true);
      digests.push(await vcs.dirtyDigest());
    }
    repository.stage?.("f");
    if (repository.stage) digests.push(await vcs.dirtyDigest());
    expect(await vcs.isDirty()).toBe(true);
    expect(new Set(digests).size).toBe(repository.stage ? 5 : 4);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{40}$/);
  });

  it("is dirty when the tree was put back but the change is still staged", async (context) => {
    const { vcs, repository } = given();
    if (repository.stage === null) return context.skip("there is no staging area");
    const before = readFileSync(join(repository.path, "f"));
    writeFileSync(join(repository.path, "f"), "staged\n");
    repository.stage("f");
    writeFileSync(join(repository.path, "f"), before);
    expect(await vcs.isDirty()).toBe(true);
    expect(await vcs.dirtyDigest()).not.toBeNull();
  });
}

function keepsWorktrees(given: () => Given): void {
  it("makes a tree of a version and removes it, and the user's tree never changes", async () => {
    const { vcs, repository, scratch } = given();
    disturb(repository);
    const before = repository.fingerprint();
    const path = join(scratch, "tree-one");
    const tree = await vcs.addWorktree(path, repository.ids.left);
    expect([tree.path, tree.notices]).toEqual([path, []]);
    expect(readFileSync(join(path, "f"), "utf8")).toBe("left\n");
    expect(existsSync(join(path, "g"))).toBe(false);
    expect(repository.fingerprint()).toBe(before);
    await vcs.removeWorktree(path);
    await vcs.removeWorktree(path);
    expect(existsSync(path)).toBe(false);
    expect(repository.fingerprint()).toBe(before);
  });

  it("keeps trees of several versions side by side", async () => {
    const { vcs, repository, scratch } = given();
    const { root, left, right } = repository.ids;
    const paths = [root, left, right].map((_, index) => join(scratch, `tree-${index}`));
    await Promise.all([root, left, right].map((id, index) => vcs.addWorktree(paths[index] ?? "", id)));
    await vcs.removeWorktree(paths[1] ?? "");
    expect(paths.map((path) => existsSync(path))).toEqual([true, false, true]);
    const seen = await repository.plugin.open(paths[0] ?? "", repository.environment);
    expect([await seen.head(), await seen.majorHead()]).toEqual([root, root]);
    await Promise.all(paths.map((path) => vcs.removeWorktree(path)));
  });

  it("changes, keeps aside and restores in its own tree only", async () => {
    const { vcs, repository, scratch } = given();
    disturb(repository);
    const before = repository.fingerprint();
    const path = join(scratch, "tree-state");
    const tree = await vcs.addWorktree(path, repository.ids.left);
    writeFileSync(join(path, "f"), "changed\n");
    const state = await tree.saveState();
    expect(state.head).toBe(repository.ids.left);
    expect(readFileSync(join(path, "f"), "utf8")).toBe("left\n");
    await tree.checkout(repository.ids.right);
    expect([readFileSync(join(path, "f"), "utf8"), readFileSync(join(path, "g"), "utf8")]).toEqual([
      "root\n",
      "right\n",
    ]);
    await tree.restoreState(state);
    expect([readFileSync(join(path, "f"), "utf8"), existsSync(join(path, "g"))]).toEqual(["changed\n", false]);
    expect((await tree.saveState()).saved).not.toBeNull();
    expect((await tree.saveState()).saved).toBeNull();
    await vcs.removeWorktree(path);
    expect(repository.fingerprint()).toBe(before);
  });

  it("leaves no build products to the next version, but ignored ones if so wished", async () => {
    const { vcs, repository, scratch } = given();
    const path = join(scratch, "tree-clean");
    const own = [repository.ownFiles.metadata, repository.ownFiles.ignore];
    const tree = await vcs.addWorktree(path, repository.ids.tip);
    for (const name of ["g.txt", "x.o", "f"]) writeFileSync(join(path, name), "built");
    mkdirSync(join(path, "dir"));
    await tree.checkout(repository.ids.left);
    expect(readdirSync(path).sort()).toEqual([...own, "f", "x.o"]);
    await tree.checkout(repository.ids.left, "all");
    expect(readdirSync(path).sort()).toEqual([...own, "f"]);
    await vcs.removeWorktree(path);
  });

  it("says why it cannot make a tree, and leaves nothing behind", async () => {
    const { vcs, repository, scratch } = given();
    writeFileSync(join(scratch, "file"), "in the way");
    await expect(vcs.addWorktree(join(scratch, "file/tree-x"), repository.ids.left)).rejects.toMatchObject({
      code: "worktree-failed",
    });
    expect(readFileSync(join(scratch, "file"), "utf8")).toBe("in the way");
    await expect(vcs.addWorktree(join(scratch, "file"), repository.ids.left)).rejects.toMatchObject({
      code: "worktree-failed",
    });
    expect(readFileSync(join(scratch, "file"), "utf8")).toBe("in the way");
    mkdirSync(join(scratch, "folder/of-the-user"), { recursive: true });
    await expect(vcs.addWorktree(join(scratch, "folder"), repository.ids.left)).rejects.toMatchObject({
      code: "worktree-failed",
    });
    expect(readdirSync(join(scratch, "folder"))).toEqual(["of-the-user"]);
  });

  it("makes a tree in an empty folder, with the rights it has", async () => {
    const { vcs, repository, scratch } = given();
    const path = join(scratch, "tree-private");
    mkdirSync(path, 0o700);
    await vcs.addWorktree(path, repository.ids.left);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    await vcs.removeWorktree(path);
    expect(readdirSync(scratch)).toEqual([]);
  });
}

function withstandsHostility(given: () => Given): void {
  it("lets no word create a file, run a program or come out as anything but an id", async () => {
    const { vcs, repository, scratch } = given();
    const before = [repository.fingerprint(), readdirSync(repository.path)];
    const words = hostileRevisions(join(scratch, "canary"));
    expect(words.length).toBeGreaterThanOrEqual(60);
    for (const word of words) {
      const outcome = await vcs.resolve(word).catch((error: unknown) => error);
      if (!isFailure(outcome, "unknown-revision")) expect([word, isVersionId(String(outcome))]).toEqual([word, true]);
      if (isVersionId(word)) continue;
      await expectUnknown(vcs.check(word as VersionId));
      await expectUnknown(vcs.info(word as VersionId));
    }
    expect([repository.fingerprint(), readdirSync(repository.path)]).toEqual(before);
    expect(readdirSync(scratch)).toEqual([]);
  }, 60_000);

  it("hands nothing but ids to the operations that take ids", async () => {
    const { vcs, repository, scratch } = given();
    const canary = join(scratch, "canary");
    for (const word of [`--output=${canary}`, "HEAD", "", "main", "\0"] as VersionId[]) {
      await expectUnknown(vcs.diff(word, repository.ids.tip));
      await expectUnknown(vcs.diff(repository.ids.tip, word));
      await expectUnknown(vcs.filesOf(word, 10));
      await expectUnknown(walked(vcs, word));
      await expectUnknown(vcs.addWorktree(join(scratch, "tree-x"), word));
    }
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("runs nothing that the repository's own configuration names", async () => {
    const { repository, scratch } = given();
    const canary = join(scratch, "canary");
    repository.plantTraps(canary);
    const vcs = await repository.plugin.open(repository.path, repository.environment);
    await everyOperation(vcs, repository, join(scratch, "tree-trap"));
    expect(readdirSync(scratch)).toEqual([]);
  });
}

function makesRepositories(given: () => Given): void {
  it("makes a repository, empty at first, and is content to find it made", async () => {
    const { repository, scratch } = given();
    const { plugin, environment } = repository;
    const path = join(scratch, "new/repository");
    await plugin.init(path, {}, [], environment);
    await plugin.init(path, {}, [], environment);
    const vcs = await plugin.open(path, environment);
    await expect(vcs.head()).rejects.toMatchObject({ code: "no-versions-yet" });
    expect(await vcs.limitation("worktrees")).not.toBeNull();
    expect(await vcs.isDirty()).toBe(false);
  });

  it("removes a folder it made when that fails", async () => {
    const { repository, scratch } = given();
    for (const [params, flags] of [
      [{ "no-such-option": "x" }, []] as const,
      [{}, ["--no-such-flag"]] as const,
      [{ "; touch x": "y" }, []] as const,
    ]) {
      const attempt = repository.plugin.init(join(scratch, "a/b/c"), params, flags, repository.environment);
      await expect(attempt).rejects.toMatchObject({ code: "vcs-init-failed" });
    }
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("says when there is no repository", async () => {
    const { repository, scratch } = given();
    const open = (path: string): Promise<Vcs> => repository.plugin.open(path, repository.environment);
    await expect(open(scratch)).rejects.toMatchObject({ code: "not-a-repository" });
    await expect(open(join(scratch, "missing"))).rejects.toMatchObject({ code: "not-a-repository" });
  });
}

async function everyOperation(vcs: Vcs, repository: ScriptedRepository, treePath: string): Promise<void> {
  const { tip, left } = repository.ids;
  writeFileSync(join(repository.path, "f"), "changed\n");
  expect(await vcs.head()).toBe(tip);
  expect(await vcs.majorHead()).toBe("main");
  await vcs.resolve("v1.0");
  await vcs.check(left);
  await vcs.info(left);
  expect((await walked(vcs, tip)).length).toBe(5);
  for await (const major of vcs.majors()) expect(isVersionId(major.head)).toBe(true);
  expect(await vcs.diff(left, tip)).toContain("-left\n+tip\n");
  expect(await vcs.filesOf(left, 10)).toEqual({ paths: ["f"], isCut: false });
  expect(await vcs.isDirty()).toBe(true);
  await vcs.dirtyDigest();
  const tree = await vcs.addWorktree(treePath, left);
  writeFileSync(join(treePath, "f"), "changed\n");
  const state = await tree.saveState();
  await tree.checkout(tip, "all");
  await tree.restoreState(state);
  await vcs.removeWorktree(treePath);
}

/** The user's tree in the worst case: something stashed, staged, changed, untracked and ignored. */
function disturb(repository: ScriptedRepository): void {
  const write = (name: string, content: string): void => writeFileSync(join(repository.path, name), content);
  write("f", "stashed\n");
  repository.stash?.();
  write("g", "staged\n");
  repository.stage?.("g");
  write("g", "staged and changed\n");
  write("f", "changed\n");
  write("untracked", "untracked\n");
  write("ignored.o", "ignored\n");
}

async function walked(vcs: Vcs, head: VersionId, limit?: number): Promise<VersionId[]> {
  const ids: VersionId[] = [];
  for await (const version of vcs.walk(head, limit)) ids.push(version.id);
  return ids;
}

async function expectUnknown(attempt: Promise<unknown>): Promise<void> {
  await expect(attempt).rejects.toMatchObject({ code: "unknown-revision" });
}
