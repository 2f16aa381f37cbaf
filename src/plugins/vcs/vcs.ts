import type { VersionId } from "../../core/versions/digest.ts";
import type { MajorVersion, MinorVersion, TaggedVersion } from "../../core/versions/version.ts";
import type { PluginInfo } from "../plugin.ts";

/** The variables of the environment, handed in because a plug-in never reaches for them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A kind of version control system. */
export interface VcsPlugin extends PluginInfo {
  readonly kind: "vcs";
  /**
   * Creates the repository or re-initialises an existing one; fails with `vcs-init-failed`. A directory made for it and
   * left empty is removed on failure. `params` and `flags` are options of the system's own init (`initial-branch` →
   * `main`, `bare`).
   */
  init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    environment: Environment,
  ): Promise<void>;
  /**
   * Touches nothing. Fails with `not-a-repository` when `path` is in none, `repository-not-trusted` when the system
   * refuses it, `vcs-missing` or `vcs-too-old` when its program cannot be used.
   */
  open(path: string, environment: Environment): Promise<Vcs>;
}

/** What a repository may be unable to do: to show a tree of its own, to make worktrees, to tell the whole history. */
export type Ability = "tree" | "worktrees" | "history";

/** The state of a tree before `checkout`, as `restoreState` needs it. */
export interface SavedState {
  /** Id of the detached head. */
  readonly head: VersionId;
  /** Where the changes of tracked files were kept aside; null when the tree was clean. */
  readonly saved: VersionId | null;
}

/**
 * The seed's interface of version control systems. Only `resolve` takes words of users; everything else takes ids it
 * returned. Nothing here changes the user's tree, index, stash or head; `saveState`, `restoreState` and `checkout`
 * exist on a Worktree only. One opened Vcs is one consistent view: the head is read once, when it is opened.
 */
export interface Vcs {
  /** Name of the plug-in. */
  readonly type: string;
  /** Absent where the user has a program for that. */
  readonly recorder?: Recorder;
  /** Root of the working tree; for a bare repository the repository's directory. */
  readonly root: string;
  /** Why the repository cannot do something, in words for the user, or null when it can. */
  limitation(of: Ability): Promise<string | null>;

  /** Id of the head; fails with `no-versions-yet` in an empty repository. (get_minor_head) */
  head(): Promise<VersionId>;
  /** Branch name, or the id when detached. (get_head_major_version) */
  majorHead(): Promise<string>;
  /**
   * A word of the user to an id (massage_parameter); fails with `unknown-revision`. `type` as in git: commit (default),
   * tree.
   */
  resolve(revision: string, type?: "commit" | "tree"): Promise<VersionId>;
  /** Fails with `unknown-revision` unless `id` is a version of this repository. (check_minor_version_validity) */
  check(id: VersionId): Promise<void>;
  /** One version; fails with `unknown-revision`. (get_minor_version_info) */
  info(id: VersionId): Promise<MinorVersion>;
  /**
   * All ancestors of `head`, itself first, in the order of `git rev-list`; streamed, at most `limit`. Fails with
   * `unknown-revision`. (walk_minor_versions)
   */
  walk(head: VersionId, limit?: number): AsyncIterable<MinorVersion>;
  /** The same in batches as they arrive, for walks over tens of thousands of versions. */
  walkBatches(head: VersionId, limit?: number): AsyncIterable<readonly MinorVersion[]>;
  /** Branches, by name. (walk_major_versions) */
  majors(): AsyncIterable<MajorVersion>;
  /** Tags of versions, by name; those of anything else are left out. */
  tags(): AsyncIterable<TaggedVersion>;
  /**
   * Where the repository is fetched from, as its configuration has it: untrusted, and it may hold a password. null:
   * from nowhere. Absent where the system has no such thing. Nothing is sent there.
   */
  remote?(): Promise<string | null>;
  /**
   * The remotes of the user, by name, and how they are reached. Absent where the system has no such thing. Nothing is
   * sent there.
   */
  remotes?(): Promise<Remotes>;
  /** The textual difference of two versions. (minor_versions_diff) */
  diff(from: VersionId, to: VersionId): Promise<string>;
  /**
   * The files that a version changed against its first parent (of the first version: all it has), sorted; at most
   * `limit` of them. A renamed file is two. Nothing is told of what changed within them, so that binary and huge files
   * cost no more. Fails with `unknown-revision`.
   */
  filesOf(id: VersionId, limit: number): Promise<TouchedFiles>;
  /** True when tracked files have staged or unstaged changes; false where there is no tree. (is_dirty) */
  isDirty(): Promise<boolean>;
  /** SHA-1 in hex over the staged and unstaged differences of tracked files; null when clean. */
  dirtyDigest(): Promise<string | null>;
  /**
   * Makes a detached worktree of `id` at the absolute `path`, where nothing or an empty folder stands; its last segment
   * (letters, digits, hyphens) must be unlike that of any other worktree of the repository. Hooks, fsmonitor and
   * external diff of the repository never run. Fails with `worktree-failed`, `unknown-revision`; what was begun is then
   * removed again.
   */
  addWorktree(path: string, id: VersionId): Promise<Worktree>;
  /**
   * Forgets and deletes the worktree at `path`, whatever state a kill left it in, and no other. Idempotent. Fails with
   * `worktree-left`.
   */
  removeWorktree(path: string): Promise<void>;
}

/** Where a repository is pushed to. */
export interface Remotes {
  /**
   * Addresses by name, as the repository's configuration has them: untrusted, they may hold a password. A folder may be
   * relative to the root.
   */
  readonly addresses: ReadonlyMap<string, RemoteAddresses>;
  /**
   * Settings for connections that hold in this repository, also those of the user and the machine, as its system names
   * them: names with values. They may hold credentials.
   */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** The same, mostly. */
export interface RemoteAddresses {
  readonly fetch: string;
  readonly push: string;
}

/** What a version changed. */
export interface TouchedFiles {
  /** From the root of the tree, with `/`; bytes that are no UTF-8 are replaced. */
  readonly paths: readonly string[];
  /** True when there are more, which are not told. */
  readonly isCut: boolean;
}

/** A new version, as the user describes it. */
export interface SnapshotFacts {
  readonly message: string;
  readonly author: string;
  readonly email: string;
  /** Unix seconds. */
  readonly date: number;
  /** The branch to continue or begin; the present one when absent. */
  readonly branch?: string;
  /** The version before this one, instead of the head of the branch. */
  readonly from?: VersionId;
  /** Further versions that went into this one. */
  readonly merged?: readonly VersionId[];
}

/** How versions are made where the system has no program of its own to do that with. */
export interface Recorder {
  /**
   * Keeps the tree as it stands; `isNew` is false when it is that of the version before. Fails with `bad-version-name`,
   * `unknown-revision`.
   */
  snapshot(facts: SnapshotFacts): Promise<{ readonly version: VersionId; readonly isNew: boolean }>;
  /** Names a version for good. Fails with `bad-version-name`. */
  tag(name: string, version: VersionId): Promise<void>;
  /** Puts the files of a version into a folder that is empty or not there yet. Fails with `worktree-failed`. */
  copyOut(version: VersionId, path: string): Promise<void>;
  /** The textual difference of a version and the tree as it stands. */
  diffTree(from: VersionId): Promise<string>;
}

/** A tree that perfkeep owns and may change. Its head is always detached. */
export interface Worktree {
  readonly path: string;
  /** What the user should know of this tree: submodules are not initialised. */
  readonly notices: readonly string[];
  /** (save_state) Keeps changes of tracked files aside, out of the user's stash, and leaves the tree clean. */
  saveState(): Promise<SavedState>;
  /** (restore_state) Back to what `saveState` saw. */
  restoreState(state: SavedState): Promise<void>;
  /** (checkout) Detached, changes and untracked files removed; ignored files kept unless `clean` is "all". */
  checkout(id: VersionId, clean?: "untracked" | "all"): Promise<void>;
}
