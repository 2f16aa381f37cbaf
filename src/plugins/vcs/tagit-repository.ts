import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { MajorVersion, MinorVersion, TaggedVersion } from "../../core/versions/version.ts";
import { isTaken, removeTree } from "./machine/folders.ts";
import { firstPaths } from "./machine/path-list.ts";
import { changedPaths, treeDifference } from "./tagit-difference.ts";
import { entryAt } from "./tagit-folder.ts";
import { TagitObjects } from "./tagit-objects.ts";
import { TagitRecorder } from "./tagit-recorder.ts";
import { hasState, readState, type TagitState } from "./tagit-state.ts";
import { TagitVersions } from "./tagit-versions.ts";
import { TagitWorktree } from "./tagit-worktree.ts";
import type { Ability, Recorder, TouchedFiles, Vcs, Worktree } from "./vcs.ts";

/** Versions handed over at a time. */
const batchLength = 500;

/**
 * The repository around `path`, or the one that the tree of ours around it belongs to. Fails with `not-a-repository`.
 */
export function openRepository(path: string): Vcs {
  const root = rootOf(path);
  const folder = join(root, ".tagit");
  const link = join(folder, "worktree.json");
  if (!existsSync(link)) return new TagitRepository(root, folder, readState(folder), null);
  const { repository, head } = JSON.parse(readFileSync(link, "utf8")) as { repository: string; head: VersionId };
  if (!isAbsolute(repository) || !isVersionId(head) || !hasState(repository)) {
    throw new Failure("not-a-repository", { path: root, type: "tagit", reason: "the repository of this tree is gone" });
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

  /** `detached`: the head of a tree of ours. */
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
    return of === "worktrees" && this.#head === null ? "it has no versions yet" : null;
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
    const most = Math.max(0, Math.floor(limit));
    let [told, batch]: [number, MinorVersion[]] = [0, []];
    if (most === 0) return;
    for (const { tree: _tree, ...version } of this.#versions.walk(head)) {
      batch.push(version);
      if (++told >= most) break;
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
    const content = (entry: { blob: string }): Buffer => this.#versions.objects.read("blob", entry.blob);
    return treeDifference(
      { entries: this.#versions.entries(from), content },
      { entries: this.#versions.entries(to), content },
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
    if (isTaken(path))
      throw new Failure("worktree-failed", { version: id, path, reason: "something stands there already" });
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

  /** Nobody but the tree itself knows of it. */
  async removeWorktree(path: string): Promise<void> {
    removeTree(path);
  }

  /** What became of each changed file of the head. Files that no version holds yet are none. */
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
