import { Failure } from "../../core/failures/index.ts";
import {
  isVersionId,
  type VersionId,
  type MajorVersion,
  type MinorVersion,
  type TaggedVersion,
} from "../../core/versions/index.ts";
import { isOccupied, removeTree } from "./machine/folders.ts";
import { firstPaths } from "./machine/path-list.ts";
import { changedPaths, treeDifference } from "./tagit-difference.ts";
import { entryAt, ignoreOf, restore, sweep } from "./tagit-folder.ts";
import { TagitIgnore } from "./tagit-ignore.ts";
import { TagitObjects } from "./tagit-objects.ts";
import { TagitRecorder } from "./tagit-recorder.ts";
import { hasState, readState, type TagitState } from "./tagit-state.ts";
import { encodeTree, type TagitEntry } from "./tagit-tree.ts";
import { TagitVersions } from "./tagit-versions.ts";
import type { Ability, Recorder, TouchedFiles, Vcs, Worktree, SavedState } from "./vcs.ts";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/**
 * A folder whose `.tagit` names the repository and the version, and holds the saved states.
 */
class TagitWorktree implements Worktree {
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
    tree.#recordHead(head);
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

  /** Cleans after the checkout: the ignore rules of the new version apply. */
  async checkout(version: VersionId, clean: "untracked" | "all" = "untracked"): Promise<void> {
    if (!this.#versions.has(version))
      throw new Failure("unknown-revision", { revision: String(version).slice(0, 100) });
    const entries = this.#versions.entries(version);
    await restore(this.path, entries, this.#versions.objects);
    this.#sweep(entries, clean === "all" ? new TagitIgnore("") : ignoreOf(this.path));
    this.#recordHead(version);
  }

  #sweep(entries: readonly TagitEntry[], ignore: TagitIgnore): void {
    sweep(this.path, new Set(entries.map(({ path }) => path)), ignore);
  }

  #recordHead(head: VersionId): void {
    this.#head = head;
    writeFileSync(
      join(this.path, ".tagit", "worktree.json"),
      `${JSON.stringify({ repository: this.#repository, head })}\n`,
    );
  }
}

/** Versions per batch. */
const batchLength = 500;

/**
 * Opens the repository around `path`, or that of the worktree around it. Fails with `not-a-repository`.
 */
export function openRepository(path: string): Vcs {
  const root = rootOf(path);
  const folder = join(root, ".tagit");
  const link = join(folder, "worktree.json");
  if (!existsSync(link)) return new TagitRepository(root, folder, readState(folder), null);
  const { repository, head } = JSON.parse(readFileSync(link, "utf8")) as { repository: string; head: VersionId };
  if (!isAbsolute(repository) || !isVersionId(head) || !hasState(repository)) {
    throw new Failure("not-a-repository", {
      path: root,
      type: "tagit",
      reason: "the repository of this worktree does not exist",
    });
  }
  return new TagitRepository(root, repository, readState(repository), head);
}

class TagitRepository implements Vcs {
  readonly type = "tagit";
  readonly root: string;
  readonly recorder?: Recorder;
  readonly #folder: string;
  readonly #state: TagitState;
  readonly #head: VersionId | null;
  readonly #isDetached: boolean;
  readonly #versions: TagitVersions;

  /** `detached`: the head of a worktree; null in the repository itself. */
  constructor(root: string, folder: string, state: TagitState, detached: VersionId | null) {
    this.root = root;
    this.#folder = folder;
    this.#state = state;
    this.#head = detached ?? state.branches.get(state.branch) ?? null;
    this.#isDetached = detached !== null;
    this.#versions = new TagitVersions(new TagitObjects(join(folder, "objects")));
    if (!this.#isDetached) this.recorder = new TagitRecorder(root, folder, this.#versions);
  }

  async limitation(of: Ability): Promise<string | null> {
    return of === "worktrees" && this.#head === null ? "it has no commits yet" : null;
  }

  async head(): Promise<VersionId> {
    if (this.#head === null) throw new Failure("no-versions-yet", { path: this.root });
    return this.#head;
  }

  async majorHead(): Promise<string> {
    return this.#isDetached ? this.head() : this.#state.branch;
  }

  async resolve(revision: string, type: "commit" | "tree" = "commit"): Promise<VersionId> {
    const { id, tree } = this.#versions.resolve(revision, this.#head, this.#state);
    return type === "tree" ? tree : id;
  }

  async check(id: VersionId): Promise<void> {
    if (!this.#versions.has(id)) throw new Failure("unknown-revision", { revision: String(id).slice(0, 100) });
  }

  async info(id: VersionId): Promise<MinorVersion> {
    const { tree: _tree, ...version } = this.#versions.get(id);
    return version;
  }

  async *walk(head: VersionId, limit?: number): AsyncGenerator<MinorVersion> {
    for await (const batch of this.walkBatches(head, limit)) yield* batch;
  }

  async *walkBatches(head: VersionId, limit = Number.POSITIVE_INFINITY): AsyncGenerator<readonly MinorVersion[]> {
    await this.check(head);
    const maximum = Math.max(0, Math.floor(limit));
    let [count, batch]: [number, MinorVersion[]] = [0, []];
    if (maximum === 0) return;
    for (const { tree: _tree, ...version } of this.#versions.walk(head)) {
      batch.push(version);
      if (++count >= maximum) break;
      if (batch.length < batchLength) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  async *majors(): AsyncGenerator<MajorVersion> {
    for (const [name, head] of sorted(this.#state.branches)) yield { name, head };
  }

  async *tags(): AsyncGenerator<TaggedVersion> {
    for (const [name, version] of sorted(this.#state.tags)) yield { name, version };
  }

  async diff(from: VersionId, to: VersionId): Promise<string> {
    const read = (entry: { blob: string }): Buffer => this.#versions.objects.read("blob", entry.blob);
    return treeDifference(
      { entries: this.#versions.entries(from), read },
      { entries: this.#versions.entries(to), read },
    );
  }

  async filesOf(id: VersionId, limit: number): Promise<TouchedFiles> {
    const [parent] = this.#versions.get(id).parents;
    return firstPaths(
      changedPaths(parent === undefined ? [] : this.#versions.entries(parent), this.#versions.entries(id)),
      limit,
    );
  }

  async isDirty(): Promise<boolean> {
    return !this.#changes().next().done;
  }

  async dirtyDigest(): Promise<string | null> {
    const changes = [...this.#changes()];
    if (changes.length === 0) return null;
    const hash = createHash("sha1");
    for (const change of changes) hash.update(`${change}\0`, "latin1");
    return hash.digest("hex");
  }

  async addWorktree(path: string, id: VersionId): Promise<Worktree> {
    await this.check(id);
    if (isOccupied(path))
      throw new Failure("worktree-failed", { version: id, path, reason: "the path already exists" });
    try {
      return await TagitWorktree.make(path, this.#folder, id);
    } catch (error) {
      removeTree(path);
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Failure(
        "worktree-failed",
        { version: id, path, reason: error instanceof Failure ? message : (code ?? message) },
        error,
      );
    }
  }

  /** The repository does not record its worktrees. */
  async removeWorktree(path: string): Promise<void> {
    removeTree(path);
  }

  /** Describes each changed file of the head; untracked files are ignored. */
  *#changes(): Generator<string> {
    if (this.#head === null) return;
    for (const { path, kind, blob } of this.#versions.entries(this.#head)) {
      const now = entryAt(this.root, path);
      if (now === null) yield `gone ${path}`;
      else if (now.kind !== kind || now.blob !== blob) yield `${now.kind} ${now.blob} ${path}`;
    }
  }
}

function rootOf(path: string): string {
  if (!existsSync(path)) throw new Failure("not-a-repository", { path, type: "tagit", reason: "no such directory" });
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const own = join(folder, ".tagit");
    if (hasState(own) || existsSync(join(own, "worktree.json"))) return folder;
    if (dirname(folder) === folder) throw new Failure("not-a-repository", { path, type: "tagit" });
  }
}

function sorted(names: ReadonlyMap<string, VersionId>): [string, VersionId][] {
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1));
}
