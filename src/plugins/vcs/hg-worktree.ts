import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import type { Hg } from "./hg-process.ts";
import { isOccupied, removeTree } from "./machine/folders.ts";
import { reasonOf, requireId } from "./machine/program.ts";
import type { SavedState, Worktree } from "./vcs.ts";

/**
 * Creates a share: a tree with its own state over the history of the repository at `root`, which does not record it.
 */
export async function addWorktree(hg: Hg, root: string, path: string, version: VersionId): Promise<Worktree> {
  if (isOccupied(path)) throw new Failure("worktree-failed", { version, path, reason: "the path already exists" });
  // Run inside the repository: hg parses `#` in a path as the start of a branch name.
  const shared = await hg.inTree(root).run("share", "--noupdate", ".", path);
  const result = shared.status === 0 ? await hg.inTree(path).run("update", "--clean", "--rev", version) : shared;
  if (result.status === 0) return new HgWorktree(hg.inTree(path), path);
  removeTree(path);
  throw new Failure("worktree-failed", { version, path, reason: reasonOf(result) });
}

class HgWorktree implements Worktree {
  readonly path: string;
  readonly notices: readonly string[] = [];
  readonly #hg: Hg;

  constructor(hg: Hg, path: string) {
    this.path = path;
    this.#hg = hg;
  }

  /**
   * Stored as a patch in the share's `.hg`; `hg shelve` would add a version to the store that all trees share.
   */
  async saveState(): Promise<SavedState> {
    const head = (await this.#do("log", "--rev", ".", "--template", "{node}")) as VersionId;
    const patch = await this.#patch();
    if (patch.length === 0) return { head, saved: null };
    const saved = createHash("sha1").update(patch).digest("hex") as VersionId;
    writeFileSync(this.#patchPath(saved), patch);
    await this.#do("update", "--clean", "--rev", head);
    return { head, saved };
  }

  async restoreState({ head, saved }: SavedState): Promise<void> {
    await this.checkout(head);
    if (saved === null) return;
    if (!isVersionId(saved) || !existsSync(this.#patchPath(saved)))
      throw new Failure("unknown-revision", { revision: String(saved) });
    await this.#do("import", "--no-commit", "--force", "--quiet", this.#patchPath(saved));
  }

  /** Cleans after the checkout: the ignore rules of the new version apply. */
  async checkout(version: VersionId, clean: "untracked" | "all" = "untracked"): Promise<void> {
    requireId(version);
    await this.#do("update", "--clean", "--rev", version);
    await this.#do("purge", ...(clean === "all" ? ["--all"] : []));
  }

  /** Treats a missing file as removed, like `hg addremove`. */
  async #patch(): Promise<Uint8Array> {
    const missing = (await this.#do("status", "--deleted", "--no-status", "--print0"))
      .split("\0")
      .filter((name) => name !== "");
    for (const name of missing) await this.#do("remove", "--after", "--", join(this.path, name));
    const chunks: Buffer[] = [];
    for await (const bytes of this.#hg.stream("diff", "--git", "--text")) chunks.push(bytes);
    return Buffer.concat(chunks);
  }

  #patchPath(saved: VersionId): string {
    return join(this.path, ".hg", `perfkeep-${saved}.patch`);
  }

  async #do(...args: string[]): Promise<string> {
    const result = await this.#hg.run(...args);
    if (result.status !== 0) throw this.#hg.failure(args, result);
    return result.stdout;
  }
}
