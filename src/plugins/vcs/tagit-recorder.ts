import { lstatSync, mkdirSync, readFileSync, readlinkSync } from "node:fs";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { isTaken, removeTree } from "./machine/folders.ts";
import { treeDifference } from "./tagit-difference.ts";
import { entryAt, filesIn, placeOf, restore } from "./tagit-folder.ts";
import { readState, writeState, type TagitState } from "./tagit-state.ts";
import { encodeTree, type TagitEntry } from "./tagit-tree.ts";
import type { TagitVersions } from "./tagit-versions.ts";
import type { Recorder, SnapshotFacts } from "./vcs.ts";

/**
 * Makes versions of the tree at `root`. Objects come first, the names last, so a kill leaves at worst objects that
 * nothing refers to.
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
    objects.settle();
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
      const present = state.tags.get(name);
      if (present === version) return;
      if (present !== undefined) throw badName("tag", name, "another version has it");
      if (writeState(this.#folder, tagged(state, name, version))) return;
    }
  }

  async copyOut(version: VersionId, path: string): Promise<void> {
    const entries = this.#versions.entries(version);
    if (isTaken(path))
      throw new Failure("worktree-failed", { version, path, reason: "something stands there already" });
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
      content: ({ blob }: TagitEntry) => this.#versions.objects.read("blob", blob),
    };
    const entries = this.#entries((path) => entryAt(this.#root, path));
    return treeDifference(before, { entries, content: ({ path }) => contentAt(this.#root, path) });
  }

  #entries(read: (path: string) => TagitEntry | null): TagitEntry[] {
    return filesIn(this.#root).flatMap((path) => read(path) ?? []);
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
    this.#versions.objects.settle();
    return version;
  }
}

function tagged(state: TagitState, name: string, version: VersionId): TagitState {
  return { ...state, tags: new Map([...state.tags, [name, version]]) };
}

function contentAt(root: string, path: string): Buffer {
  const place = placeOf(root, path);
  return lstatSync(place).isSymbolicLink() ? readlinkSync(place, "buffer") : readFileSync(place);
}

/** Names are texts in one file, so only what would be another word to `resolve`, or to a terminal, is refused. */
export function refuseBadName(kind: "branch" | "tag", name: string): void {
  const reason = flaw(name);
  if (reason) throw badName(kind, name, reason);
}

function flaw(name: string): string | null {
  if (name === "" || name.length > 200) return "it is empty or longer than 200 characters";
  if (name === "HEAD" || /^[0-9a-f]{4,64}$/.test(name)) return "it means something else already";
  if (!/^[\p{L}\p{N}_](?:[\p{L}\p{N}_./+-]*[\p{L}\p{N}_+-])?$/u.test(name))
    return "it holds something else than letters, digits and ._/+-";
  return null;
}

function badName(kind: string, name: string, reason: string): Failure {
  return new Failure("bad-version-name", { kind, name: name.slice(0, 100), reason });
}
