import { createHash, type Hash } from "node:crypto";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readRepositoryState, type Git } from "./git-process.ts";
import { isOwn, scopedSettings } from "./git-settings.ts";

/** Options that make the difference of two states the same text under any configuration. */
const plainDifference = [
  "--no-ext-diff --no-textconv --no-color --no-relative --no-renames --full-index --binary --src-prefix=a/",
  "--dst-prefix=b/ --unified=3 --inter-hunk-context=0 --diff-algorithm=myers --no-indent-heuristic -O/dev/null",
  "--submodule=short --ignore-submodules=dirty",
].flatMap((words) => words.split(" "));

/**
 * True when tracked files of the tree at `root`, or of its submodules, have staged or unstaged changes. Runs no filter
 * that the repository or a submodule configures.
 */
export async function isTreeDirty(git: Git, root: string): Promise<boolean> {
  return isDirtyWith(await withoutOwnFilters(git), root);
}

async function isDirtyWith(git: Git, root: string): Promise<boolean> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--ignore-submodules=dirty", "--no-renames"];
  const result = await git.run(...args);
  if (result.status !== 0) throw git.failure(args, result);
  if (result.stdout.split("\0").some((record) => record !== "" && !record.startsWith("#"))) return true;
  for (const { git: inner, root: innerRoot } of await submodulesOf(git, root))
    if (await isTreeDirty(inner, innerRoot)) return true;
  return false;
}

/** SHA-1 (hex) of the staged and unstaged differences of the tree and its submodules; null when clean. */
export async function treeDigest(git: Git, root: string): Promise<string | null> {
  const unfiltered = await withoutOwnFilters(git);
  if (!(await isDirtyWith(unfiltered, root))) return null;
  const hash = createHash("sha1");
  for (const which of [["--cached"], []]) await hashDifference(hash, unfiltered, which);
  for (const { path, git: inner, root: innerRoot } of await submodulesOf(unfiltered, root)) {
    const digest = await treeDigest(inner, innerRoot);
    if (digest !== null) hash.update(`${path}\0${digest}\0`);
  }
  return hash.digest("hex");
}

async function hashDifference(hash: Hash, git: Git, which: readonly string[]): Promise<void> {
  for await (const bytes of git.stream("diff", ...which, ...plainDifference, "--")) hash.update(bytes);
  hash.update("\0");
}

/**
 * The same git without the filters of the repository's own configuration, which name programs; filters of the user and
 * of the machine stay. A file that such a filter converts is then compared as it is, if its time or size has changed.
 */
async function withoutOwnFilters(git: Git): Promise<Git> {
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
