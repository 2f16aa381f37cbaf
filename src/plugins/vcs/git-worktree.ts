import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import type { Git } from "./git-process.ts";
import { isOccupied, removeTree } from "./machine/folders.ts";
import { reasonOf, type ProcessResult, requireId } from "./machine/program.ts";
import type { SavedState, Worktree } from "./vcs.ts";

export async function addWorktree(git: Git, path: string, version: VersionId): Promise<Worktree> {
  // Checked before git does: the cleanup below must not remove what is already there.
  if (isOccupied(path)) throw new Failure("worktree-failed", { version, path, reason: "the path already exists" });
  for (let attempt = 1; ; attempt++) {
    const result = await git.run("worktree", "add", "--detach", "--quiet", path, requireId(version));
    if (result.status === 0) return new GitWorktree(git.at(path), path);
    await removeWorktree(git, path);
    if (attempt === maxAttempts || !isConcurrentChange(result)) throw worktreeFailure(path, version, result);
  }
}

/** Attempts while other processes add or remove worktrees. */
const maxAttempts = 10;

/** git reads the entries of all worktrees and fails on one that another process is adding or removing. */
function isConcurrentChange({ stderr }: ProcessResult): boolean {
  return /^fatal: (?:failed to read|could not open|unable to read) .*[/\\]worktrees[/\\]/m.test(stderr);
}

/** Only a partial clone tries to fetch here; all transports are disabled. */
function worktreeFailure(path: string, version: VersionId, result: ProcessResult): Failure {
  if (!/promisor remote|^fatal: transport .* not allowed/m.test(result.stderr)) {
    return new Failure("worktree-failed", { version, path, reason: reasonOf(result) });
  }
  const reason = "this partial clone lacks files of that commit, and perfkeep fetches nothing";
  return new Failure("worktree-failed", {
    version,
    path,
    reason,
    remedy: "run git fetch --refetch --no-filter to get them",
  });
}

/**
 * Does not use `git worktree list`, which fails on an entry left incomplete by a kill, nor `git worktree prune`, which
 * keeps such an entry because it is locked ("initializing") and may remove the user's entries.
 */
export async function removeWorktree(git: Git, path: string): Promise<void> {
  const common = git.output("rev-parse", "--path-format=absolute", "--git-common-dir").slice(0, -1);
  for (const entry of entriesFor(join(common, "worktrees"), path)) removeTree(entry);
  removeTree(path);
}

/**
 * Entries of the worktree at `path`: git names them after its last segment, with a number appended if that name was
 * taken. The `gitdir` file identifies the worktree; if a kill left none, the name decides.
 */
function entriesFor(folder: string, path: string): string[] {
  const name = basename(path);
  return namesIn(folder)
    .filter((entry) => entry.startsWith(name) && /^\d*$/.test(entry.slice(name.length)))
    .map((entry) => join(folder, entry))
    .filter((entry) => lstatSync(entry).isDirectory() && isFor(entry, name));
}

function isFor(entry: string, name: string): boolean {
  const tree = dirname(readText(join(entry, "gitdir")));
  return tree === "." || basename(tree) === name;
}

function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

class GitWorktree implements Worktree {
  readonly path: string;
  readonly notices: readonly string[];
  readonly #git: Git;

  constructor(git: Git, path: string) {
    this.path = path;
    this.notices = existsSync(join(path, ".gitmodules"))
      ? ["the tree of another commit has submodules: check them out in execute.pre_run, by git submodule update --init"]
      : [];
    this.#git = git;
  }

  /**
   * `git stash create` makes the commit without adding it to the list of stashes, which all worktrees share.
   */
  async saveState(): Promise<SavedState> {
    const head = this.#git.output("rev-parse", "--verify", "HEAD").trimEnd() as VersionId;
    const saved = (await this.#do("stash", "create")).trimEnd();
    if (!isVersionId(saved)) return { head, saved: null };
    await this.#do("reset", "--hard", "--quiet");
    return { head, saved };
  }

  async restoreState({ head, saved }: SavedState): Promise<void> {
    await this.checkout(head);
    if (saved !== null) await this.#do("stash", "apply", "--index", "--quiet", requireId(saved));
  }

  /** Cleans after the checkout: the ignore rules of the new version apply. */
  async checkout(version: VersionId, clean: "untracked" | "all" = "untracked"): Promise<void> {
    await this.#do("checkout", "--detach", "--force", "--quiet", requireId(version), "--");
    await this.#do("clean", "-ff", "-d", "--quiet", ...(clean === "all" ? ["-x"] : []));
  }

  async #do(...args: string[]): Promise<string> {
    const result = await this.#git.run(...args);
    if (result.status !== 0) throw this.#git.failure(args, result);
    return result.stdout;
  }
}
