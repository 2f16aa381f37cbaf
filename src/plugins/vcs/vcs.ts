import type { VersionId, MajorVersion, MinorVersion, TaggedVersion } from "../../core/versions/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** Environment variables. A plug-in receives them and never reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A kind of version control system. */
export interface VcsPlugin extends PluginInfo {
  readonly kind: "vcs";
  /**
   * Creates the repository or re-initialises an existing one. On failure, removes the directories it created, if empty.
   * `params` and `flags` are options of the system's own init (`initial-branch` → `main`, `bare`). Fails with
   * `vcs-init-failed`.
   */
  init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    environment: Environment,
  ): Promise<void>;
  /**
   * Opens the repository around `path`; changes nothing. Fails with `not-a-repository` when there is none,
   * `repository-not-trusted` when the system refuses it, `vcs-missing` or `vcs-too-old` when its program is unusable.
   */
  open(path: string, environment: Environment): Promise<Vcs>;
}

/** What a repository may not support: a working tree of its own, additional worktrees, the complete history. */
export type Ability = "tree" | "worktrees" | "history";

/** State of a tree before `checkout`; input of `restoreState`. */
export interface SavedState {
  /** Id of the detached head. */
  readonly head: VersionId;
  /** Id of the saved changes to tracked files; null when the tree was clean. */
  readonly saved: VersionId | null;
}

/**
 * An opened repository; the methods of Perun's VCS interface are named in parentheses. Only `resolve` accepts user
 * input; all other methods take ids that it returned. Nothing here changes the user's tree, index, stash or head;
 * `saveState`, `restoreState` and `checkout` exist on a Worktree only. A Vcs is one consistent view: the head is read
 * once, on opening.
 */
export interface Vcs {
  /** Name of the plug-in. */
  readonly type: string;
  /** Absent when the system has its own program for recording versions. */
  readonly recorder?: Recorder;
  /** Root of the working tree; for a bare repository the repository's directory. */
  readonly root: string;
  /** Why the repository does not support `of`, as text for the user; null when it does. */
  limitation(of: Ability): Promise<string | null>;

  /** Id of the head; fails with `no-versions-yet` in an empty repository. (get_minor_head) */
  head(): Promise<VersionId>;
  /** Branch name, or the id when detached. (get_head_major_version) */
  majorHead(): Promise<string>;
  /**
   * Resolves a revision to an id (massage_parameter). `type` as in git: commit (default), tree. Fails with
   * `unknown-revision`.
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
  /**
   * `walk` in batches as they arrive, for histories of tens of thousands of versions. `isWhole`: the caller reads all
   * of them, so that the first batch may come later.
   */
  walkBatches(head: VersionId, limit?: number, isWhole?: boolean): AsyncIterable<readonly MinorVersion[]>;
  /** Branches, by name. (walk_major_versions) */
  majors(): AsyncIterable<MajorVersion>;
  /** Tags of versions, by name; other tags are skipped. */
  tags(): AsyncIterable<TaggedVersion>;
  /**
   * Configured fetch address: untrusted, may contain a password. null when there is none; absent when the system has no
   * remotes. Opens no connection.
   */
  remote?(): Promise<string | null>;
  /**
   * The user's remotes by name, with connection settings. Absent when the system has no remotes. Opens no connection.
   */
  remotes?(): Promise<Remotes>;
  /** The textual difference of two versions. (minor_versions_diff) */
  diff(from: VersionId, to: VersionId): Promise<string>;
  /**
   * Sorted paths of at most `limit` files that a version changed against its first parent (all files for a root
   * version). A rename counts as two files. File contents are not read. Fails with `unknown-revision`.
   */
  filesOf(id: VersionId, limit: number): Promise<TouchedFiles>;
  /** True when tracked files have staged or unstaged changes; false without a tree. (is_dirty) */
  isDirty(): Promise<boolean>;
  /** SHA-1 (hex) of the staged and unstaged differences of tracked files; null when clean. */
  dirtyDigest(): Promise<string | null>;
  /**
   * Creates a detached worktree of `id` at the absolute `path`, which must be free or an empty folder. Its last segment
   * (letters, digits, hyphens) must be unique among the repository's worktrees. Hooks, fsmonitor and external diff of
   * the repository never run. Fails with `worktree-failed` or `unknown-revision`, after removing what it created.
   */
  addWorktree(path: string, id: VersionId): Promise<Worktree>;
  /**
   * Unregisters and deletes the worktree at `path`, even one left incomplete by a kill. Idempotent. Fails with
   * `worktree-left`.
   */
  removeWorktree(path: string): Promise<void>;
}

/** The remotes of a repository. */
export interface Remotes {
  /**
   * Configured addresses by name: untrusted, may contain a password. A local path may be relative to the root.
   */
  readonly addresses: ReadonlyMap<string, RemoteAddresses>;
  /**
   * Effective connection settings of the repository, the user and the machine, under the system's own names. They may
   * contain credentials.
   */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /**
   * Those of them that the repository itself defines and that name programs to run, or files to write, when a remote
   * is contacted (used only after the user has trusted them), or that rewrite addresses (`url.`). Absent: none.
   */
  readonly programs?: readonly (readonly [name: string, value: string])[];
}

/** Usually both are the same. */
export interface RemoteAddresses {
  readonly fetch: string;
  readonly push: string;
}

/** Files changed by a version. */
export interface TouchedFiles {
  /** Relative to the root, with `/`; invalid UTF-8 is replaced. */
  readonly paths: readonly string[];
  /** True when `limit` omitted some. */
  readonly isCut: boolean;
}

/** Metadata of a new version. */
export interface SnapshotFacts {
  readonly message: string;
  readonly author: string;
  readonly email: string;
  /** Unix seconds. */
  readonly date: number;
  /** The branch to continue or create; default: the current one. */
  readonly branch?: string;
  /** The first parent; default: the head of the branch. */
  readonly from?: VersionId;
  /** Further parents. */
  readonly merged?: readonly VersionId[];
}

/** Records versions for a system without a program of its own. */
export interface Recorder {
  /**
   * Records the current tree; `isNew` is false when it equals the branch's head. Fails with `bad-version-name`,
   * `unknown-revision`.
   */
  snapshot(facts: SnapshotFacts): Promise<{ readonly version: VersionId; readonly isNew: boolean }>;
  /** Creates an immutable tag. Fails with `bad-version-name`. */
  tag(name: string, version: VersionId): Promise<void>;
  /** Exports the files of a version to an empty or new folder. Fails with `worktree-failed`. */
  copyOut(version: VersionId, path: string): Promise<void>;
  /** The textual difference between a version and the current tree. */
  diffTree(from: VersionId): Promise<string>;
}

/** A worktree that perfkeep owns and may change; its head is always detached. */
export interface Worktree {
  readonly path: string;
  /** Notices for the user, such as uninitialised submodules. */
  readonly notices: readonly string[];
  /** Saves changes of tracked files outside the user's stash and cleans the tree. (save_state) */
  saveState(): Promise<SavedState>;
  /** Restores what `saveState` saved. (restore_state) */
  restoreState(state: SavedState): Promise<void>;
  /**
   * Checks out `id` detached; removes changes and untracked files, and ignored files if `clean` is "all". (checkout)
   */
  checkout(id: VersionId, clean?: "untracked" | "all"): Promise<void>;
}
