import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Git } from "./git-process.ts";
import { isTaken, removeTree } from "./machine/folders.ts";
import { reasonOf, type Answer } from "./machine/program.ts";
import type { SavedState, Worktree } from "./vcs.ts";

export async function addWorktree(git: Git, path: string, version: VersionId): Promise<Worktree> {
  // git would refuse as well, but what it refuses is tidied up below, and what stands here is not ours to tidy.
  if (isTaken(path)) throw new Failure("worktree-failed", { version, path, reason: "something stands there already" });
  for (let attempt = 1; ; attempt++) {
    const answer = await git.run("worktree", "add", "--detach", "--quiet", path, id(version));
    if (answer.status === 0) return new GitWorktree(git.at(path), path);
    await removeWorktree(git, path);
    if (attempt === mostAttempts || !metAnother(answer)) throw refused(path, version, answer);
  }
}

/** How often to try when other trees are being added or removed at the same time. */
const mostAttempts = 10;

/** git reads the entries of all other trees, and gives up on one that another process is just making or removing. */
function metAnother({ stderr }: Answer): boolean {
  return /^fatal: (?:failed to read|could not open|unable to read) .*[/\\]worktrees[/\\]/m.test(stderr);
}

/** Only a partial clone ever wants to fetch here, and no transport is allowed to it. */
function refused(path: string, version: VersionId, answer: Answer): Failure {
  if (!/promisor remote|^fatal: transport .* not allowed/m.test(answer.stderr)) {
    return new Failure("worktree-failed", { version, path, reason: reasonOf(answer) });
  }
  const reason = "this partial clone lacks files of that version, and perfkeep fetches nothing";
  return new Failure("worktree-failed", {
    version,
    path,
    reason,
    remedy: "git fetch --refetch --no-filter brings them all",
  });
}

/**
 * Neither `git worktree list` nor `git worktree prune` is of use here: the first fails on an entry that a kill left
 * half made, the second keeps it because it is still locked ("initializing"), and would remove entries of the user's
 * that are none of our business.
 */
export async function removeWorktree(git: Git, path: string): Promise<void> {
  const common = git.answer("rev-parse", "--path-format=absolute", "--git-common-dir").slice(0, -1);
  for (const entry of entriesFor(join(common, "worktrees"), path)) removeTree(entry);
  removeTree(path);
}

/**
 * Entries that git made for the tree at `path`: it names them after its last segment, with a number behind when that
 * name was taken. A kill may have left an entry without its `gitdir` file, which tells whose it is; the name must do
 * then.
 */
function entriesFor(folder: string, path: string): string[] {
  const name = basename(path);
  return namesIn(folder)
    .filter((entry) => entry.startsWith(name) && /^\d*$/.test(entry.slice(name.length)))
    .map((entry) => join(folder, entry))
    .filter((entry) => lstatSync(entry).isDirectory() && isFor(entry, name));
}

function isFor(entry: string, name: string): boolean {
  const tree = dirname(contentOf(join(entry, "gitdir")));
  return tree === "." || basename(tree) === name;
}

function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

function contentOf(path: string): string {
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
      ? ["submodules are not initialised in the tree of another version"]
      : [];
    this.#git = git;
  }

  /**
   * `git stash create` makes the commit without entering it in the list of stashes, which all trees of a repository
   * have in common.
   */
  async saveState(): Promise<SavedState> {
    const head = this.#git.answer("rev-parse", "--verify", "HEAD").trimEnd() as VersionId;
    const saved = (await this.#do("stash", "create")).trimEnd();
    if (!isVersionId(saved)) return { head, saved: null };
    await this.#do("reset", "--hard", "--quiet");
    return { head, saved };
  }

  async restoreState({ head, saved }: SavedState): Promise<void> {
    await this.checkout(head);
    if (saved !== null) await this.#do("stash", "apply", "--index", "--quiet", id(saved));
  }

  /** Cleaned afterwards: what counts as ignored is for the new version to say. */
  async checkout(version: VersionId, clean: "untracked" | "all" = "untracked"): Promise<void> {
    await this.#do("checkout", "--detach", "--force", "--quiet", id(version), "--");
    await this.#do("clean", "-ff", "-d", "--quiet", ...(clean === "all" ? ["-x"] : []));
  }

  async #do(...args: string[]): Promise<string> {
    const answer = await this.#git.run(...args);
    if (answer.status !== 0) throw this.#git.failure(args, answer);
    return answer.stdout;
  }
}

function id(version: VersionId): VersionId {
  if (!isVersionId(version))
    throw new Failure("unknown-revision", { revision: String(version).slice(0, 100), reason: "it is no full id" });
  return version;
}
