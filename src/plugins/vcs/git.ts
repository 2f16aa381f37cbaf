import { Failure } from "../../core/failures/index.ts";
import {
  isVersionId,
  type VersionId,
  refuseUnsafeRevision,
  type MajorVersion,
  type MinorVersion,
  type TaggedVersion,
} from "../../core/versions/index.ts";
import {
  Git,
  historyOptions,
  HistoryReader,
  remoteAddresses,
  readRepositoryState,
  isMissingObject,
  type RepositoryState,
} from "./git-process.ts";
import { hasManyObjects, readCommit, walkCommits } from "./git-files/commits.ts";
import { readPlainRepository, type PlainRepository } from "./git-files/plain-repository.ts";
import { connectionPrograms, connectionSettings, scopedSettings } from "./git-settings.ts";
import { isTreeDirty, treeDigest } from "./git-tree-state.ts";
import { addWorktree, removeWorktree } from "./git-worktree.ts";
import { missingFolders, removeIfEmpty } from "./machine/folders.ts";
import { readPaths } from "./machine/path-list.ts";
import { reasonOf, type ProcessResult, requireId } from "./machine/program.ts";
import type { Environment, Vcs, VcsPlugin, Ability, Remotes, TouchedFiles, Worktree } from "./vcs.ts";
import { dirname, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";

/** Commits of a walk that are read without git: what most commands look at, in less time than git takes to start. */
const commitsBeforeGit = 250;

function openRepository(git: Git, plain: PlainRepository | null): Vcs {
  const state = plain === null ? readRepositoryState(git) : { ...plain, isBare: false, isShallow: false };
  return new GitRepository(git, state, plain?.folder);
}

class GitRepository implements Vcs {
  readonly type = "git";
  readonly root: string;
  readonly #git: Git;
  readonly #state: RepositoryState;
  /** The `.git` folder of a plain repository, whose files are read without git. */
  readonly #folder: string | undefined;
  readonly #known = new Map<VersionId, MinorVersion>();

  constructor(git: Git, state: RepositoryState, folder?: string) {
    this.root = state.root;
    this.#git = git;
    this.#state = state;
    this.#folder = folder;
  }

  async limitation(of: Ability): Promise<string | null> {
    if (of === "tree" && this.#state.isBare) return "it is a bare repository without a working tree";
    if (of === "worktrees" && this.#state.head === null) return "it has no commits yet";
    if (of === "history" && this.#state.isShallow)
      return "it is a shallow clone without older commits; run git fetch --unshallow to get them";
    return null;
  }

  async head(): Promise<VersionId> {
    if (this.#state.head === null) throw new Failure("no-versions-yet", { path: this.root });
    return this.#state.head;
  }

  async majorHead(): Promise<string> {
    return this.#state.branch ?? (await this.head());
  }

  async resolve(revision: string, type: "commit" | "tree" = "commit"): Promise<VersionId> {
    if (revision === "HEAD" && type === "commit") return this.head();
    refuseUnsafeRevision(revision);
    const parsed = ["rev-parse", "--verify", "--end-of-options", `${revision}^{${type}}`] as const;
    const result = this.#git.runSync("-c", "core.warnAmbiguousRefs=true", ...parsed);
    const id = result.stdout.trimEnd();
    const isShared = /refname '.*' is ambiguous/.test(result.stderr);
    if (result.status === 0 && isVersionId(id) && !isShared) return id;
    if (isShared) throw sharedName(revision);
    throw this.#unknown(revision, result);
  }

  async check(id: VersionId): Promise<void> {
    if (id === this.#state.head || this.#known.has(id) || this.#readPlain(id) !== null) return;
    if (!isVersionId(id) || (await this.resolve(id)) !== id) throw new Failure("unknown-revision", { revision: id });
  }

  async info(id: VersionId): Promise<MinorVersion> {
    const known = this.#known.get(id) ?? this.#readPlain(requireId(id));
    if (known) return known;
    const result = this.#git.runSync(...historyOptions, "--max-count=1", id, "--");
    if (result.status !== 0) throw this.#unread(id, result);
    const [version] = new HistoryReader().read(result.stdout);
    if (version?.id !== id) throw new Failure("unknown-revision", { revision: id });
    this.#known.set(id, version);
    return version;
  }

  async *walk(head: VersionId, limit?: number): AsyncGenerator<MinorVersion> {
    for await (const batch of this.walkBatches(head, limit)) yield* batch;
  }

  async *walkBatches(head: VersionId, limit?: number, isWhole = false): AsyncGenerator<readonly MinorVersion[]> {
    requireId(head);
    let count = 0;
    if (this.#folder !== undefined && !(isWhole && limit === undefined && hasManyObjects(this.#folder))) {
      const steps = walkCommits(this.#folder, head, Math.min(limit ?? commitsBeforeGit, commitsBeforeGit));
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done === true && (step.value || count === limit)) return;
        if (step.done === true) break;
        count += step.value.length;
        yield step.value;
      }
    }
    yield* this.#walkByGit(head, limit, count);
  }

  async *#walkByGit(head: VersionId, limit: number | undefined, skip: number): AsyncGenerator<readonly MinorVersion[]> {
    const reader = new HistoryReader();
    const decoder = new StringDecoder("utf8");
    const options = limit === undefined ? [] : [`--max-count=${Math.max(0, Math.floor(limit) - skip)}`];
    if (skip > 0) options.push(`--skip=${skip}`);
    try {
      for await (const bytes of this.#git.stream(...historyOptions, ...options, head, "--")) {
        const versions = reader.read(decoder.write(bytes));
        if (versions.length > 0) yield versions;
      }
    } catch (error) {
      throw isMissingObject(error, head) ? new Failure("unknown-revision", { revision: head }, error) : error;
    }
  }

  async *majors(): AsyncGenerator<MajorVersion> {
    const list = this.#git.output("for-each-ref", "--format=%(refname:lstrip=2)%00%(objectname)", "refs/heads");
    for (const line of list.split("\n")) {
      const [name = "", head = ""] = line.split("\0");
      if (isVersionId(head)) yield { name, head };
    }
  }

  async *tags(): AsyncGenerator<TaggedVersion> {
    // The starred fields describe the target of an annotated tag.
    const fields = ["refname:lstrip=2", "objecttype", "objectname", "*objecttype", "*objectname"].map(
      (field) => `%(${field})`,
    );
    const list = this.#git.output("for-each-ref", `--format=${fields.join("%00")}`, "refs/tags");
    for (const line of list.split("\n")) {
      const [name = "", type, own = "", innerType, inner = ""] = line.split("\0");
      const version = type === "tag" ? inner : own;
      if ((type === "tag" ? innerType : type) === "commit" && isVersionId(version)) yield { name, version };
    }
  }

  async remote(): Promise<string | null> {
    const { status, stdout } = this.#git.runSync("ls-remote", "--get-url");
    const address = stdout.trimEnd();
    // Without a remote git prints the default remote name.
    return status !== 0 || address === "" || address === "origin" ? null : address;
  }

  async remotes(): Promise<Remotes> {
    // Concurrently: frequent commands call this, too.
    const [list, settings] = await Promise.all([
      this.#git.run("remote", "-v"),
      scopedSettings(this.#git, connectionSettings),
    ]);
    if (list.status !== 0) throw this.#git.failure(["remote"], list);
    const addresses = remoteAddresses(list.stdout);
    const pairs = (of: typeof settings) => of.map(({ name, value }) => [name, value] as const);
    return { addresses, settings: pairs(settings), programs: pairs(connectionPrograms(settings)) };
  }

  async diff(from: VersionId, to: VersionId): Promise<string> {
    requireId(from);
    requireId(to);
    const args = [
      "diff-tree",
      "-r",
      "-p",
      "-M",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--submodule=short",
      from,
      to,
      "--",
    ];
    const result = await this.#git.run(...args);
    if (result.status === 0) return result.stdout;
    await this.check(from);
    await this.check(to);
    throw this.#git.failure(args, result);
  }

  async filesOf(id: VersionId, limit: number): Promise<TouchedFiles> {
    const { parents } = await this.info(id);
    const ends = parents[0] === undefined ? ["--root", "--no-commit-id", id] : [parents[0], id];
    return readPaths(
      this.#git.stream("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", ...ends, "--"),
      limit,
    );
  }

  async isDirty(): Promise<boolean> {
    return !this.#state.isBare && isTreeDirty(this.#git, this.root, this.#folder);
  }

  async dirtyDigest(): Promise<string | null> {
    return this.#state.isBare ? null : treeDigest(this.#git, this.root, this.#folder);
  }

  async addWorktree(path: string, id: VersionId): Promise<Worktree> {
    await this.check(id);
    return addWorktree(this.#git, path, id);
  }

  async removeWorktree(path: string): Promise<void> {
    return removeWorktree(this.#git, path);
  }

  /** A commit of a plain repository; null if git has to read it. */
  #readPlain(id: VersionId): MinorVersion | null {
    const version = this.#folder === undefined ? null : readCommit(this.#folder, id);
    if (version !== null) this.#known.set(id, version);
    return version;
  }

  #unread(id: VersionId, result: ProcessResult): Failure {
    const failure = this.#git.failure(historyOptions, result);
    return isMissingObject(failure, id) ? this.#unknown(id, result) : failure;
  }

  #unknown(revision: string, result: ProcessResult): Failure {
    if (/ambiguous/.test(result.stderr))
      return new Failure("unknown-revision", { revision, reason: "several commits start with it" });
    if (result.status !== 1 && result.status !== 128) return this.#git.failure(["rev-parse"], result);
    if (!this.#state.isShallow) return new Failure("unknown-revision", { revision });
    const reason = "this shallow clone has no older commits";
    return new Failure("unknown-revision", { revision, reason, remedy: "run git fetch --unshallow" });
  }
}

/** A word that is the name of several references: git would take one of them. */
function sharedName(revision: string): Failure {
  const name = /^[^~^@:]*/.exec(revision)?.[0] ?? revision;
  const reason = `'${name}' is the name of several branches or tags`;
  return new Failure("unknown-revision", { revision, reason, remedy: `write refs/heads/${name} or refs/tags/${name}` });
}

/**
 * Version control through the `git` program. Supports SHA-1 and SHA-256, linked worktrees, bare, empty and shallow
 * repositories.
 */
export const git: VcsPlugin = Object.freeze({
  kind: "vcs",
  name: "git",
  synopsis: "git repositories",
  options: [],

  async init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    environment: Environment,
  ): Promise<void> {
    const options = [
      ...Object.entries(params).map(([name, value]) => param(path, name, value)),
      ...flags.map((name) => option(path, name)),
    ];
    const missing = missingFolders(resolve(path));
    const outside = new Git(dirname(missing.at(-1) ?? resolve(path)), environment);
    const result = await outside.run("init", "--quiet", ...options, "--", resolve(path));
    if (result.status === 0) return;
    missing.forEach(removeIfEmpty);
    throw new Failure("vcs-init-failed", { path, reason: reasonOf(result) });
  },

  async open(path: string, environment: Environment): Promise<Vcs> {
    return openRepository(new Git(resolve(path), environment), readPlainRepository(resolve(path), environment));
  },
} satisfies VcsPlugin);

function param(path: string, name: string, value: string): string {
  return `${option(path, name)}=${value}`;
}

/** Accepts names with or without leading dashes, and underscores for hyphens. */
function option(path: string, name: string): string {
  const flag = name.replace(/^--?/, "").replaceAll("_", "-");
  if (!/^[a-z][a-z-]*$/.test(flag))
    throw new Failure("vcs-init-failed", { path, reason: `'${name}' is not an option of git init` });
  return `--${flag}`;
}
