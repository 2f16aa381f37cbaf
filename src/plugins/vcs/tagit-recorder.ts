import { lstatSync, mkdirSync, readFileSync, readlinkSync } from "node:fs";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { isOccupied, removeTree } from "./machine/folders.ts";
import { treeDifference } from "./tagit-difference.ts";
import { entryAt, filesIn, nativePath, restore } from "./tagit-folder.ts";
import { readState, writeState, type TagitState } from "./tagit-state.ts";
import { encodeTree, type TagitEntry } from "./tagit-tree.ts";
import type { TagitVersions } from "./tagit-versions.ts";
import type { Recorder, SnapshotFacts } from "./vcs.ts";

/**
 * Records versions of the tree at `root`. It writes objects before names, so a kill leaves at worst unreferenced
 * objects.
 */
export class TagitRecorder implements Recorder {
  readonly #root: string;
  readonly #folder: string;
  readonly #versions: TagitVersions;

  constructor(root: string, folder: string, versions: TagitVersions) {
    this.#root = root;
    this.#folder = folder;
    this.#versions = versions;
  }

  async snapshot(facts: SnapshotFacts): Promise<{ readonly version: VersionId; readonly isNew: boolean }> {
    if (facts.branch !== undefined) refuseBadName("branch", facts.branch);
    const { objects } = this.#versions;
    const tree = objects.write(
      "tree",
      encodeTree(this.#entries((path) => entryAt(this.#root, path, objects))),
    ) as VersionId;
    objects.sync();
    for (;;) {
      const state = readState(this.#folder);
      const branch = facts.branch ?? state.branch;
      const own = state.branches.get(branch);
      const before = facts.from ?? own ?? state.branches.get(state.branch);
      const merged = facts.merged ?? [];
      if (own !== undefined && own === before && merged.length === 0 && this.#versions.get(own).tree === tree) {
        if (branch === state.branch || writeState(this.#folder, { ...state, branch }))
          return { version: own, isNew: false };
        continue;
      }
      const version = this.#make(tree, facts, before === undefined ? merged : [before, ...merged]);
      if (writeState(this.#folder, { ...state, branch, branches: new Map([...state.branches, [branch, version]]) })) {
        return { version, isNew: true };
      }
    }
  }

  async tag(name: string, version: VersionId): Promise<void> {
    refuseBadName("tag", name);
    this.#versions.get(version);
    for (;;) {
      const state = readState(this.#folder);
      const existing = state.tags.get(name);
      if (existing === version) return;
      if (existing !== undefined) throw badName("tag", name, "it names another commit");
      if (writeState(this.#folder, withTag(state, name, version))) return;
    }
  }

  async copyOut(version: VersionId, path: string): Promise<void> {
    const entries = this.#versions.entries(version);
    if (isOccupied(path)) throw new Failure("worktree-failed", { version, path, reason: "the path already exists" });
    try {
      mkdirSync(path, { recursive: true });
      await restore(path, entries, this.#versions.objects);
    } catch (error) {
      removeTree(path);
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Failure(
        "worktree-failed",
        { version, path, reason: error instanceof Failure ? message : (code ?? message) },
        error,
      );
    }
  }

  async diffTree(from: VersionId): Promise<string> {
    const before = {
      entries: this.#versions.entries(from),
      read: ({ blob }: TagitEntry) => this.#versions.objects.read("blob", blob),
    };
    const entries = this.#entries((path) => entryAt(this.#root, path));
    return treeDifference(before, { entries, read: ({ path }) => readAt(this.#root, path) });
  }

  #entries(entryOf: (path: string) => TagitEntry | null): TagitEntry[] {
    return filesIn(this.#root).flatMap((path) => entryOf(path) ?? []);
  }

  #make(tree: VersionId, { author, email, date, message }: SnapshotFacts, parents: readonly VersionId[]): VersionId {
    parents.forEach((parent) => this.#versions.get(parent));
    const version = this.#versions.put({
      tree,
      parents: [...new Set(parents)],
      author,
      email,
      date,
      description: message,
    });
    this.#versions.objects.sync();
    return version;
  }
}

function withTag(state: TagitState, name: string, version: VersionId): TagitState {
  return { ...state, tags: new Map([...state.tags, [name, version]]) };
}

function readAt(root: string, path: string): Buffer {
  const location = nativePath(root, path);
  return lstatSync(location).isSymbolicLink() ? readlinkSync(location, "buffer") : readFileSync(location);
}

/** Fails with `bad-version-name` for names that `resolve` or a terminal would interpret differently. */
export function refuseBadName(kind: "branch" | "tag", name: string): void {
  const reason = nameError(name);
  if (reason) throw badName(kind, name, reason);
}

function nameError(name: string): string | null {
  if (name === "" || name.length > 200) return "it is empty or longer than 200 characters";
  if (name === "HEAD" || /^[0-9a-f]{4,64}$/.test(name)) return "it has another meaning";
  if (!/^[\p{L}\p{N}_](?:[\p{L}\p{N}_./+-]*[\p{L}\p{N}_+-])?$/u.test(name))
    return "it contains characters other than letters, digits and ._/+-";
  return null;
}

function badName(kind: string, name: string, reason: string): Failure {
  return new Failure("bad-version-name", { kind, name: name.slice(0, 100), reason });
}
