import { createHash } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { refuseUnsafeRevision } from "../../core/versions/revision.ts";
import type { MajorVersion, MinorVersion, TaggedVersion } from "../../core/versions/version.ts";
import { historyOptions, HistoryReader } from "./git-history.ts";
import type { Git } from "./git-process.ts";
import { addWorktree, removeWorktree } from "./git-worktree.ts";
import type { Answer } from "./machine/program.ts";
import { readPaths } from "./machine/path-list.ts";
import type { Ability, RemoteAddresses, Remotes, TouchedFiles, Vcs, Worktree } from "./vcs.ts";

/** What one question to git tells of a repository; it costs one process, so everything that start-up needs is in it. */
interface Facts {
  readonly root: string;
  readonly isBare: boolean;
  readonly isShallow: boolean;
  /** null in an empty repository. */
  readonly head: VersionId | null;
  /** Branch, born or not; null when detached. */
  readonly branch: string | null;
}

/** Whatever is configured, a difference of the same two states is the same text. */
const plainDifference =
  "--no-ext-diff --no-textconv --no-color --no-relative --no-renames --full-index --binary --src-prefix=a/ --dst-prefix=b/ --unified=3 \
--inter-hunk-context=0 --diff-algorithm=myers --no-indent-heuristic -O/dev/null --submodule=short --ignore-submodules=untracked".split(
    " ",
  );

export function openRepository(git: Git): Vcs {
  const facts = factsOf(git);
  return new GitRepository(git, facts);
}

/** What says how others are reached: credentials that a CI system left in the repository are among it. */
const connectionSettings =
  "^((http|url|credential|ssh|protocol)\\.|core\\.(sshcommand|askpass|gitproxy)$|remote\\..*\\.(proxy|proxyauthmethod|uploadpack|receivepack)$)";

/** Name and value are parted by a newline; a name alone is a switch that is on. */
function settingOf(entry: string): readonly [string, string] {
  const end = entry.indexOf("\n");
  return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
}

/** By name, of what `git remote -v` prints. Of several addresses of one kind the first is the one. */
function remoteAddresses(list: string): ReadonlyMap<string, RemoteAddresses> {
  const found = { fetch: new Map<string, string>(), push: new Map<string, string>() };
  for (const line of list.split("\n")) {
    // A partial clone tells its filter at the end.
    const [, name, address, way] = /^([^\t]+)\t(.*) \((fetch|push)\)(?: \[[^\]]*\])?$/.exec(line) ?? [];
    const known = way === "fetch" ? found.fetch : found.push;
    if (name !== undefined && address !== undefined && !known.has(name)) known.set(name, address);
  }
  return new Map([...found.push].map(([name, push]) => [name, { fetch: found.fetch.get(name) ?? push, push }]));
}

class GitRepository implements Vcs {
  readonly type = "git";
  readonly root: string;
  readonly #git: Git;
  readonly #facts: Facts;
  readonly #known = new Map<VersionId, MinorVersion>();

  constructor(git: Git, facts: Facts) {
    this.root = facts.root;
    this.#git = git;
    this.#facts = facts;
  }

  async limitation(of: Ability): Promise<string | null> {
    if (of === "tree" && this.#facts.isBare) return "it is a bare repository, without a working tree of its own";
    if (of === "worktrees" && this.#facts.head === null) return "it has no versions yet";
    if (of === "history" && this.#facts.isShallow)
      return "it is a shallow clone without the older versions; git fetch --unshallow brings them";
    return null;
  }

  async head(): Promise<VersionId> {
    if (this.#facts.head === null) throw new Failure("no-versions-yet", { path: this.root });
    return this.#facts.head;
  }

  async majorHead(): Promise<string> {
    return this.#facts.branch ?? (await this.head());
  }

  async resolve(revision: string, type: "commit" | "tree" = "commit"): Promise<VersionId> {
    if (revision === "HEAD" && type === "commit") return this.head();
    refuseUnsafeRevision(revision);
    const answer = this.#git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{${type}}`);
    const id = answer.stdout.trimEnd();
    if (answer.status === 0 && isVersionId(id)) return id;
    throw this.#unknown(revision, answer);
  }

  async check(id: VersionId): Promise<void> {
    if (id === this.#facts.head || this.#known.has(id)) return;
    if (!isVersionId(id) || (await this.resolve(id)) !== id) throw new Failure("unknown-revision", { revision: id });
  }

  async info(id: VersionId): Promise<MinorVersion> {
    const known = this.#known.get(id);
    if (known) return known;
    refuseUnlessId(id);
    const answer = this.#git.ask(...historyOptions, "--max-count=1", id, "--");
    if (answer.status !== 0) throw this.#unread(id, answer);
    const [version] = new HistoryReader().read(answer.stdout);
    if (version?.id !== id) throw new Failure("unknown-revision", { revision: id });
    this.#known.set(id, version);
    return version;
  }

  async *walk(head: VersionId, limit?: number): AsyncGenerator<MinorVersion> {
    for await (const batch of this.walkBatches(head, limit)) yield* batch;
  }

  async *walkBatches(head: VersionId, limit?: number): AsyncGenerator<readonly MinorVersion[]> {
    refuseUnlessId(head);
    const reader = new HistoryReader();
    const decoder = new StringDecoder("utf8");
    const counted = limit === undefined ? [] : [`--max-count=${Math.max(0, Math.floor(limit))}`];
    try {
      for await (const bytes of this.#git.stream(...historyOptions, ...counted, head, "--")) {
        const versions = reader.read(decoder.write(bytes));
        if (versions.length > 0) yield versions;
      }
    } catch (error) {
      throw isMissingObject(error, head) ? new Failure("unknown-revision", { revision: head }, error) : error;
    }
  }

  async *majors(): AsyncGenerator<MajorVersion> {
    const list = this.#git.answer("for-each-ref", "--format=%(refname:lstrip=2)%00%(objectname)", "refs/heads");
    for (const line of list.split("\n")) {
      const [name = "", head = ""] = line.split("\0");
      if (isVersionId(head)) yield { name, head };
    }
  }

  async *tags(): AsyncGenerator<TaggedVersion> {
    // Of an annotated tag the starred fields tell what it is a tag of.
    const fields = ["refname:lstrip=2", "objecttype", "objectname", "*objecttype", "*objectname"].map(
      (field) => `%(${field})`,
    );
    const list = this.#git.answer("for-each-ref", `--format=${fields.join("%00")}`, "refs/tags");
    for (const line of list.split("\n")) {
      const [name = "", type, own = "", innerType, inner = ""] = line.split("\0");
      const version = type === "tag" ? inner : own;
      if ((type === "tag" ? innerType : type) === "commit" && isVersionId(version)) yield { name, version };
    }
  }

  async remote(): Promise<string | null> {
    const { status, stdout } = this.#git.ask("ls-remote", "--get-url");
    const address = stdout.trimEnd();
    // Without a remote git answers with the name that one usually has.
    return status !== 0 || address === "" || address === "origin" ? null : address;
  }

  async remotes(): Promise<Remotes> {
    // At once, and beside whatever is done meanwhile: everyday commands ask, too.
    const [listed, { stdout }] = await Promise.all([
      this.#git.run("remote", "-v"),
      this.#git.run("config", "--includes", "-z", "--get-regexp", connectionSettings),
    ]);
    if (listed.status !== 0) throw this.#git.failure(["remote"], listed);
    const addresses = remoteAddresses(listed.stdout);
    return { addresses, settings: stdout.split("\0").filter(Boolean).map(settingOf) };
  }

  async diff(from: VersionId, to: VersionId): Promise<string> {
    refuseUnlessId(from);
    refuseUnlessId(to);
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
    const answer = await this.#git.run(...args);
    if (answer.status === 0) return answer.stdout;
    await this.check(from);
    await this.check(to);
    throw this.#git.failure(args, answer);
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
    if (this.#facts.isBare) return false;
    const args = [
      "status",
      "--porcelain=v2",
      "-z",
      "--untracked-files=no",
      "--ignore-submodules=untracked",
      "--no-renames",
    ];
    const answer = await this.#git.run(...args);
    if (answer.status !== 0) throw this.#git.failure(args, answer);
    return answer.stdout.split("\0").some((record) => record !== "" && !record.startsWith("#"));
  }

  async dirtyDigest(): Promise<string | null> {
    if (!(await this.isDirty())) return null;
    const hash = createHash("sha1");
    for (const which of [["--cached"], []]) {
      for await (const bytes of this.#git.stream("diff", ...which, ...plainDifference, "--")) hash.update(bytes);
      hash.update("\0");
    }
    return hash.digest("hex");
  }

  async addWorktree(path: string, id: VersionId): Promise<Worktree> {
    await this.check(id);
    return addWorktree(this.#git, path, id);
  }

  async removeWorktree(path: string): Promise<void> {
    return removeWorktree(this.#git, path);
  }

  #unread(id: VersionId, answer: Answer): Failure {
    const failure = this.#git.failure(historyOptions, answer);
    return isMissingObject(failure, id) ? this.#unknown(id, answer) : failure;
  }

  #unknown(revision: string, answer: Answer): Failure {
    if (/ambiguous/.test(answer.stderr))
      return new Failure("unknown-revision", { revision, reason: "several versions begin like this" });
    if (answer.status !== 1 && answer.status !== 128) return this.#git.failure(["rev-parse"], answer);
    if (!this.#facts.isShallow) return new Failure("unknown-revision", { revision });
    const reason = "this shallow clone has no older versions";
    return new Failure("unknown-revision", { revision, reason, remedy: "git fetch --unshallow brings them" });
  }
}

/**
 * A bare repository has no tree to print and an empty one no head: git then stops there, so what follows is asked for
 * once more. The root comes last because a path may hold newlines.
 */
function factsOf(git: Git): Facts {
  const args = [
    "rev-parse",
    "--path-format=absolute",
    "--is-bare-repository",
    "--is-shallow-repository",
    "--is-inside-git-dir",
  ];
  const answer = git.ask(...args, "HEAD", "--symbolic-full-name", "HEAD", "--show-toplevel");
  const [isBare, isShallow, isInside, head = "", symbolic = "", ...root] = answer.stdout.split("\n");
  if (isBare !== "true" && isBare !== "false") throw git.failure(args, answer);
  if (isInside === "true" && isBare === "false") {
    throw new Failure("not-a-repository", {
      path: git.directory,
      type: "git",
      reason: "it lies inside the .git directory",
    });
  }
  const born = isVersionId(head);
  return {
    root: answer.status === 0 ? root.slice(0, -1).join("\n") : rootOf(git, isBare === "true"),
    isBare: isBare === "true",
    isShallow: isShallow === "true",
    head: born ? head : null,
    branch: branchOf(born ? symbolic : git.ask("symbolic-ref", "--quiet", "HEAD").stdout.trimEnd()),
  };
}

function rootOf(git: Git, isBare: boolean): string {
  return git
    .answer("rev-parse", "--path-format=absolute", isBare ? "--absolute-git-dir" : "--show-toplevel")
    .slice(0, -1);
}

function branchOf(reference: string): string | null {
  return reference.startsWith("refs/heads/") ? reference.slice("refs/heads/".length) : null;
}

/** Ids come from `resolve`, but nothing else than hex may reach git, whoever calls. */
function refuseUnlessId(id: VersionId): void {
  if (!isVersionId(id))
    throw new Failure("unknown-revision", { revision: String(id).slice(0, 100), reason: "it is no full id" });
}

function isMissingObject(error: unknown, id: VersionId): boolean {
  const reason = error instanceof Failure ? error.data.reason : undefined;
  return (
    typeof reason === "string" && reason.includes(id) && /^(?:bad object|bad revision|ambiguous argument)/.test(reason)
  );
}
