import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Hg } from "./hg-process.ts";
import { isTaken, removeTree } from "./machine/folders.ts";
import { reasonOf } from "./machine/program.ts";
import type { SavedState, Worktree } from "./vcs.ts";

/** A share: a tree with a state of its own over the history of the repository at `root`, which never learns of it. */
export async function addWorktree(hg: Hg, root: string, path: string, version: VersionId): Promise<Worktree> {
  if (isTaken(path)) throw new Failure("worktree-failed", { version, path, reason: "something stands there already" });
  // From inside the repository, because hg would read a `#` in a path as the beginning of the name of a branch.
  const shared = await hg.inTree(root).run("share", "--noupdate", ".", path);
  const answer = shared.status === 0 ? await hg.inTree(path).run("update", "--clean", "--rev", version) : shared;
  if (answer.status === 0) return new HgWorktree(hg.inTree(path), path);
  removeTree(path);
  throw new Failure("worktree-failed", { version, path, reason: reasonOf(answer) });
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
   * As a patch beside the share's own files. `hg shelve` would make a version in the store that all trees have in
   * common.
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

  /** Cleaned afterwards: what counts as ignored is for the new version to say. */
  async checkout(version: VersionId, clean: "untracked" | "all" = "untracked"): Promise<void> {
    if (!isVersionId(version))
      throw new Failure("unknown-revision", { revision: String(version).slice(0, 100), reason: "it is no full id" });
    await this.#do("update", "--clean", "--rev", version);
    await this.#do("purge", ...(clean === "all" ? ["--all"] : []));
  }

  /** A missing file counts as removed, as `hg addremove` would have it. */
  async #patch(): Promise<Uint8Array> {
    const missing = (await this.#do("status", "--deleted", "--no-status", "--print0"))
      .split("\0")
      .filter((name) => name !== "");
    for (const name of missing) await this.#do("remove", "--after", "--", join(this.path, name));
    const pieces: Buffer[] = [];
    for await (const bytes of this.#hg.stream("diff", "--git", "--text")) pieces.push(bytes);
    return Buffer.concat(pieces);
  }

  #patchPath(saved: VersionId): string {
    return join(this.path, ".hg", `perfkeep-${saved}.patch`);
  }

  async #do(...args: string[]): Promise<string> {
    const answer = await this.#hg.run(...args);
    if (answer.status !== 0) throw this.#hg.failure(args, answer);
    return answer.stdout;
  }
}
