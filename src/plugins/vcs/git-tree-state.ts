import { createHash, type Hash } from "node:crypto";
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readRepositoryState, type Git } from "./git-process.ts";
import { mayHaveFilters, mayHaveMarks } from "./git-files/plain-repository.ts";
import { isOwn, scopedSettings } from "./git-settings.ts";

/** Options that make the difference of two states the same text under any configuration. */
const plainDifference = [
  "--no-ext-diff --no-textconv --no-color --no-relative --no-renames --full-index --binary --src-prefix=a/",
  "--dst-prefix=b/ --unified=3 --inter-hunk-context=0 --diff-algorithm=myers --no-indent-heuristic -O/dev/null",
  "--submodule=short --ignore-submodules=dirty",
].flatMap((words) => words.split(" "));

/**
 * True when tracked files of the tree at `root`, or of its submodules, have staged or unstaged changes, also changes
 * that git is set to overlook. Runs no filter that the repository or a submodule configures. `folder` is the `.git` of
 * a plain repository: its files are read, so that most trees need one process of git.
 */
export async function isTreeDirty(git: Git, root: string, folder?: string): Promise<boolean> {
  return isDirtyWith(await withoutOwnFilters(git, folder), root, folder);
}

async function isDirtyWith(git: Git, root: string, folder?: string): Promise<boolean> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=dirty", "--no-renames"];
  const result = await git.run(...args);
  if (result.status !== 0) throw git.failure(args, result);
  if (result.stdout.split("\0").some((record) => record !== "" && !record.startsWith("#"))) return true;
  if ((await overlookedChanges(git.at(root), root, folder)).length > 0) return true;
  for (const { git: inner, root: innerRoot } of await submodulesOf(git, root))
    if (await isTreeDirty(inner, innerRoot)) return true;
  return false;
}

/** SHA-1 (hex) of the staged and unstaged differences of the tree and its submodules; null when clean. */
export async function treeDigest(git: Git, root: string, folder?: string): Promise<string | null> {
  const unfiltered = await withoutOwnFilters(git, folder);
  if (!(await isDirtyWith(unfiltered, root, folder))) return null;
  const hash = createHash("sha1");
  for (const which of [["--cached"], []]) await hashDifference(hash, unfiltered, which);
  for (const { path, id } of await overlookedChanges(unfiltered.at(root), root, folder))
    hash.update(`${path}\0${id}\0`);
  for (const { path, git: inner, root: innerRoot } of await submodulesOf(unfiltered, root)) {
    const digest = await treeDigest(inner, innerRoot);
    if (digest !== null) hash.update(`${path}\0${digest}\0`);
  }
  return hash.digest("hex");
}

interface OverlookedFile {
  readonly path: string;
  /** Object id of its bytes; empty if it is missing. */
  readonly id: string;
}

/** Paths in one call of git: fewer bytes than any system allows for arguments. */
const pathsPerCall = 200;

/**
 * Changed files that `git status` skips, marked as `assume-unchanged` or `skip-worktree`. A missing file with the
 * latter mark is outside of a sparse checkout.
 */
async function overlookedChanges(git: Git, root: string, folder?: string): Promise<OverlookedFile[]> {
  if (folder !== undefined && !mayHaveMarks(folder)) return [];
  const marked = git
    .output("ls-files", "-v", "--stage", "-z")
    .split("\0")
    .flatMap((line) => {
      const [, mark = "", id = "", path = ""] = /^([a-zS]) (?!160000)\d{6} ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
      return mark === "" ? [] : [{ path, id, isSparse: /s/i.test(mark) }];
    });
  const found: OverlookedFile[] = [];
  for (let at = 0; at < marked.length; at += pathsPerCall) {
    const some = marked.slice(at, at + pathsPerCall);
    const ids = await objectIds(
      git,
      root,
      some.map(({ path }) => path),
      some[0]?.id.length ?? 40,
    );
    for (const { path, id, isSparse } of some) {
      const now = ids.get(path) ?? "";
      if (now !== id && !(now === "" && isSparse)) found.push({ path, id: now });
    }
  }
  return found;
}

/** The object ids that git would give files; a link is its target. Missing files have none. */
async function objectIds(
  git: Git,
  root: string,
  paths: readonly string[],
  idLength: number,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const files: string[] = [];
  for (const path of paths) {
    const facts = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (facts?.isSymbolicLink()) ids.set(path, blobId(readlinkSync(join(root, path), "buffer"), idLength));
    else if (facts?.isFile()) files.push(path);
  }
  if (files.length === 0) return ids;
  const args = ["hash-object", "--", ...files];
  const result = await git.run(...args);
  if (result.status !== 0) throw git.failure(args, result);
  for (const [at, id] of result.stdout.trimEnd().split("\n").entries()) ids.set(files[at]!, id);
  return ids;
}

function blobId(bytes: Buffer, length: number): string {
  const hash = createHash(length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function hashDifference(hash: Hash, git: Git, which: readonly string[]): Promise<void> {
  for await (const bytes of git.stream("diff", ...which, ...plainDifference, "--")) hash.update(bytes);
  hash.update("\0");
}

/**
 * The same git without the filters of the repository's own configuration, which name programs; filters of the user and
 * of the machine stay. A file that such a filter converts is then compared as it is, if its time or size has changed.
 */
async function withoutOwnFilters(git: Git, folder?: string): Promise<Git> {
  if (folder !== undefined && !mayHaveFilters(folder)) return git;
  const settings = await scopedSettings(git, "^filter\\..*\\.(clean|smudge|process|required)$");
  const names = new Set(settings.filter(isOwn).map(({ name }) => name));
  const users = new Map(settings.filter((setting) => !isOwn(setting)).map(({ name, value }) => [name, value]));
  return git.with([...names].map((name) => [name, users.get(name) ?? (name.endsWith(".required") ? "false" : "")]));
}

interface Submodule {
  readonly path: string;
  readonly git: Git;
  readonly root: string;
}

/**
 * Checked-out submodules. They are compared one by one: git would start itself in each, with the filters of its
 * configuration.
 */
async function submodulesOf(git: Git, root: string): Promise<Submodule[]> {
  if (!existsSync(join(root, ".gitmodules"))) return [];
  const list = git.at(root).output("ls-files", "--stage", "-z");
  const paths = list.split("\0").flatMap((line) => /^160000 \S+ \d\t(.+)$/s.exec(line)?.[1] ?? []);
  return paths.flatMap((path) => {
    const folder = join(root, path);
    if (!isCheckedOut(folder)) return [];
    const inner = git.at(folder);
    // Without a repository of its own, git would find the one around it.
    const innerRoot = readRepositoryState(inner).root;
    return innerRoot === realpathSync(folder) ? [{ path, git: inner, root: innerRoot }] : [];
  });
}

function isCheckedOut(folder: string): boolean {
  return existsSync(join(folder, ".git")) && lstatSync(folder).isDirectory();
}
