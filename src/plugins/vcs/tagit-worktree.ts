import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { entryAt, ignoreOf, restore, sweep } from "./tagit-folder.ts";
import { TagitIgnore } from "./tagit-ignore.ts";
import { TagitObjects } from "./tagit-objects.ts";
import { encodeTree, type TagitEntry } from "./tagit-tree.ts";
import { TagitVersions } from "./tagit-versions.ts";
import type { SavedState, Worktree } from "./vcs.ts";

/**
 * A folder whose `.tagit` tells the repository and the version. What it keeps aside lies there too and goes with it.
 */
export class TagitWorktree implements Worktree {
  readonly path: string;
  readonly notices: readonly string[] = [];
  readonly #repository: string;
  readonly #versions: TagitVersions;
  #head: VersionId;

  private constructor(path: string, repository: string, head: VersionId) {
    this.path = path;
    this.#repository = repository;
    this.#head = head;
    const base = new TagitObjects(join(repository, "objects"));
    this.#versions = new TagitVersions(new TagitObjects(join(path, ".tagit", "objects"), base));
  }

  static async make(path: string, repository: string, head: VersionId): Promise<TagitWorktree> {
    mkdirSync(join(path, ".tagit", "objects"), { recursive: true });
    const tree = new TagitWorktree(path, repository, head);
    tree.#note(head);
    await restore(path, tree.#versions.entries(head), tree.#versions.objects);
    return tree;
  }

  async saveState(): Promise<SavedState> {
    const head = this.#head;
    const before = this.#versions.entries(head);
    const after = before.flatMap(({ path }) => entryAt(this.path, path, this.#versions.objects) ?? []);
    if (encodeTree(before).equals(encodeTree(after))) return { head, saved: null };
    const tree = this.#versions.objects.write("tree", encodeTree(after)) as VersionId;
    const saved = this.#versions.put({
      tree,
      parents: [head],
      author: "",
      email: "",
      date: 0,
      description: "kept aside",
    });
    await restore(this.path, before, this.#versions.objects);
    return { head, saved };
  }

  async restoreState({ head, saved }: SavedState): Promise<void> {
    await this.checkout(head);
    if (saved === null) return;
    const entries = this.#versions.entries(saved);
    await restore(this.path, entries, this.#versions.objects);
    this.#sweep(entries, ignoreOf(this.path));
  }

  /** Cleaned afterwards: what counts as ignored is for the new version to say. */
  async checkout(version: VersionId, clean: "untracked" | "all" = "untracked"): Promise<void> {
    if (!this.#versions.has(version))
      throw new Failure("unknown-revision", { revision: String(version).slice(0, 100) });
    const entries = this.#versions.entries(version);
    await restore(this.path, entries, this.#versions.objects);
    this.#sweep(entries, clean === "all" ? new TagitIgnore("") : ignoreOf(this.path));
    this.#note(version);
  }

  #sweep(entries: readonly TagitEntry[], ignore: TagitIgnore): void {
    sweep(this.path, new Set(entries.map(({ path }) => path)), ignore);
  }

  #note(head: VersionId): void {
    this.#head = head;
    writeFileSync(
      join(this.path, ".tagit", "worktree.json"),
      `${JSON.stringify({ repository: this.#repository, head })}\n`,
    );
  }
}
