import type { VersionId } from "../../core/digest.ts";
import type { MajorVersion, MinorVersion } from "../../core/version.ts";
import type { PluginInfo } from "../plugin.ts";

/** A kind of version control system. `open` touches nothing; it fails with `not-a-repository` when `path` is in none. */
export interface VcsPlugin extends PluginInfo {
  readonly kind: "vcs";
  /** Creates the repository or re-initialises an existing one; a directory made for it and left empty is removed on failure. */
  init(path: string, params: Readonly<Record<string, string>>, flags: readonly string[]): Promise<void>;
  open(path: string): Promise<Vcs>;
}

/** The state of a tree before `checkout`, as `restoreState` needs it. */
export interface SavedState {
  /** Branch name, or id of a detached head. */
  readonly head: string;
  /** True when the tree was dirty and its changes were kept aside. */
  readonly saved: boolean;
}

/**
 * The seed's interface of version control systems. Only `resolve` takes words of users; everything else takes ids it returned.
 * Nothing here changes the user's tree, index, stash or head; `saveState`, `restoreState` and `checkout` exist on a Worktree only.
 */
export interface Vcs {
  /** Name of the plug-in. */
  readonly type: string;
  /** Root of the working tree; for a bare repository the git directory. */
  readonly root: string;
  /** Why the repository cannot do something, or null: `worktrees` in a bare or empty one, `history` in a shallow clone. */
  limitation(of: "worktrees" | "history"): Promise<string | null>;

  /** Id of the head; fails with `no-versions-yet` in an empty repository. (get_minor_head) */
  head(): Promise<VersionId>;
  /** Branch name, or the id when detached. (get_head_major_version) */
  majorHead(): Promise<string>;
  /** A word of the user to an id (massage_parameter); fails with `unknown-revision`. `type` as in git: commit (default), tree. */
  resolve(revision: string, type?: "commit" | "tree"): Promise<VersionId>;
  /** Fails with `unknown-revision` unless `id` is a version of this repository. (check_minor_version_validity) */
  check(id: VersionId): Promise<void>;
  /** One version. (get_minor_version_info) */
  info(id: VersionId): Promise<MinorVersion>;
  /** All ancestors of `head`, itself first, in the order of `git rev-list`; streamed, at most `limit`. (walk_minor_versions) */
  walk(head: VersionId, limit?: number): AsyncIterable<MinorVersion>;
  /** Branches. (walk_major_versions) */
  majors(): AsyncIterable<MajorVersion>;
  /** The textual difference of two versions. (minor_versions_diff) */
  diff(from: VersionId, to: VersionId): Promise<string>;
  /** True when tracked files have staged or unstaged changes. (is_dirty) */
  isDirty(): Promise<boolean>;
  /** SHA-1 over the staged and unstaged differences of tracked files; null when clean. */
  dirtyDigest(): Promise<string | null>;
  /**
   * Makes a detached worktree of `id` at `path` (which must not exist). Hooks, fsmonitor and external diff of the repository never run.
   * Submodules are not initialised.
   */
  addWorktree(path: string, id: VersionId): Promise<Worktree>;
  /** Forgets and deletes the worktree at `path`, whatever state a kill left it in. Idempotent. */
  removeWorktree(path: string): Promise<void>;
}

/** A tree that perfkeep owns and may change. */
export interface Worktree {
  readonly path: string;
  /** (save_state) Keeps changes of tracked files aside; null content when clean. */
  saveState(): Promise<SavedState>;
  /** (restore_state) Back to what `saveState` saw. */
  restoreState(state: SavedState): Promise<void>;
  /** (checkout) Detached, untracked files removed, ignored files kept unless `clean` is "all". */
  checkout(id: VersionId, clean?: "untracked" | "all"): Promise<void>;
}
