import { isAbsolute, relative } from "node:path";
import { Failure } from "../../core/failures/index.ts";
import { isVersionId, type VersionId, type MinorVersion } from "../../core/versions/index.ts";
import { descriptionOf } from "./git-files/commits.ts";
import { isOlder, Program, reasonOf, type ProcessResult } from "./machine/program.ts";
import type { Environment, RemoteAddresses } from "./vcs.ts";

/** First git whose rev-parse supports `--path-format=absolute` and `--end-of-options`. */
const minimumGit = "2.31";

/**
 * A repository's configuration can name programs (hooks, fsmonitor, external diff, signature checks, transports) and
 * change the output format. These settings override it. Filters are overridden by name (`git-tree-state.ts`), except in
 * worktrees of a measurement, which needs the files as the repository's users have them.
 */
const hardened = [
  "--no-pager",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.quotePath=false",
    "color.ui=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.showSignature=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.detachedHead=false",
    "worktree.useRelativePaths=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Git variables to pass on: they configure the user's git in general and do not select a repository. */
const passedVariables =
  /^GIT_(?:CONFIG_|EXEC_PATH$|TEMPLATE_DIR$|DEFAULT_HASH$|CEILING_DIRECTORIES$|DISCOVERY_ACROSS_FILESYSTEM$)/;

/** The git program in one directory. Arguments are constants or ids; user input passes through `resolve` only. */
export class Git extends Program {
  readonly #environment: Environment;

  constructor(directory: string, environment: Environment) {
    const own = gitEnvironment(directory, environment);
    super(directory, { program: "git", minimumVersion: minimumGit, globalArgs: hardened, environment: own });
    this.#environment = own;
  }

  /** The same git in another directory, without the user's GIT_DIR and GIT_WORK_TREE. */
  at(directory: string): Git {
    const { GIT_DIR: _directory, GIT_WORK_TREE: _tree, ...environment } = this.#environment;
    return new Git(directory, environment);
  }

  /** The same git with more settings, which override all others. Passed by the environment: names may contain `=`. */
  with(settings: readonly (readonly [name: string, value: string])[]): Git {
    if (settings.length === 0) return this;
    const first = Number(this.#environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
    const added = settings.flatMap(([name, value], i) => [
      [`GIT_CONFIG_KEY_${first + i}`, name],
      [`GIT_CONFIG_VALUE_${first + i}`, value],
    ]);
    const count = String(first + settings.length);
    return new Git(this.directory, { ...this.#environment, ...Object.fromEntries(added), GIT_CONFIG_COUNT: count });
  }

  override failure(args: readonly string[], result: ProcessResult): Failure {
    const reason = reasonOf(result);
    const path = this.directory;
    if (/dubious ownership/.test(result.stderr))
      return new Failure("repository-not-trusted", { path: untrustedPath(result) ?? path, reason });
    if (/not a git repository/.test(result.stderr)) return new Failure("not-a-repository", { path, type: "git" });
    return this.#tooOld() ?? this.failed(args, reason);
  }

  /**
   * `vcs-too-old` when git is older than `minimumGit`, else null. Starts a process; called only after a failure.
   */
  #tooOld(): Failure | null {
    const version = this.runSync("--version").stdout.trim();
    if (!isOlder(/\d+\.\d+/.exec(version)?.[0] ?? "0.0", minimumGit)) return null;
    return new Failure("vcs-too-old", { found: version, program: "git", least: minimumGit });
  }
}

/**
 * The environment for git. Hooks set GIT_DIR and others for their own repository; these are dropped, since the
 * repository is the one around `directory`. GIT_DIR and GIT_WORK_TREE are kept only if both are set, absolute, and
 * contain `directory`: then the user set them.
 */
function gitEnvironment(directory: string, environment: Environment): Environment {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("GIT_") || passedVariables.test(name));
  return {
    ...Object.fromEntries(own),
    ...explicitRepository(directory, environment),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // Prevents a partial clone from fetching missing objects with a program or address of its configuration.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    // By default git log flushes after every commit when writing to a pipe, which doubles the time of a walk.
    GIT_FLUSH: "0",
  };
}

function explicitRepository(directory: string, { GIT_DIR, GIT_WORK_TREE }: Environment): Environment {
  if (!GIT_DIR || !GIT_WORK_TREE || !isAbsolute(GIT_DIR) || !isAbsolute(GIT_WORK_TREE)) return {};
  const inside = relative(GIT_WORK_TREE, directory);
  return inside.startsWith("..") || isAbsolute(inside) ? {} : { GIT_DIR, GIT_WORK_TREE };
}

function untrustedPath({ stderr }: ProcessResult): string | undefined {
  return /dubious ownership in repository at '(.*)'/.exec(stderr)?.[1];
}

/** Fields end with NUL, the only byte that no name or message can contain. */
const fields = ["%H", "%P", "%an", "%ae", "%ct", "%B"];

/**
 * Options of `git log` that print versions for `HistoryReader` in the order of `git rev-list`, independent of the
 * user's configuration.
 */
export const historyOptions = [
  "log",
  "-z",
  `--format=tformat:${fields.join("%x00")}`,
  "--encoding=UTF-8",
  "--no-color",
  "--no-decorate",
  "--no-show-signature",
  "--no-patch",
];

/** Parses the printed stream incrementally; a version split across chunks is returned with the later one. */
export class HistoryReader {
  #pending: string[] = [""];

  /** The versions completed by `text`. */
  read(text: string): MinorVersion[] {
    const [first = "", ...rest] = text.split("\0");
    const pending = this.#pending;
    pending[pending.length - 1] += first;
    const all = rest.length === 0 ? pending : pending.concat(rest);
    const complete = all.length - 1 - ((all.length - 1) % fields.length);
    const versions: MinorVersion[] = [];
    for (let at = 0; at < complete; at += fields.length) versions.push(versionAt(all, at));
    this.#pending = complete === 0 ? all : all.slice(complete);
    return versions;
  }
}

function versionAt(all: readonly string[], at: number): MinorVersion {
  const parents = all[at + 1] ?? "";
  return {
    id: (all[at] ?? "") as VersionId,
    parents: (parents === "" ? [] : parents.split(" ")) as VersionId[],
    author: all[at + 2] ?? "",
    email: all[at + 3] ?? "",
    date: Number(all[at + 4]) || 0,
    ...descriptionOf(all[at + 5] ?? ""),
  };
}

/** Everything that start-up needs, read from one git process. */
export interface RepositoryState {
  readonly root: string;
  readonly isBare: boolean;
  readonly isShallow: boolean;
  /** null in an empty repository. */
  readonly head: VersionId | null;
  /** Branch, possibly without commits; null when detached. */
  readonly branch: string | null;
}

/**
 * Git stops at a value that a bare (tree) or empty (head) repository lacks, so the rest is queried separately. The root
 * comes last because a path may contain newlines.
 */
export function readRepositoryState(git: Git): RepositoryState {
  const args = [
    "rev-parse",
    "--path-format=absolute",
    "--is-bare-repository",
    "--is-shallow-repository",
    "--is-inside-git-dir",
  ];
  const result = git.runSync(...args, "HEAD", "--symbolic-full-name", "HEAD", "--show-toplevel");
  const [isBare, isShallow, isInside, head = "", symbolic = "", ...root] = result.stdout.split("\n");
  if (isBare !== "true" && isBare !== "false") throw git.failure(args, result);
  if (isInside === "true" && isBare === "false") {
    throw new Failure("not-a-repository", {
      path: git.directory,
      type: "git",
      reason: "it is inside the .git directory",
    });
  }
  const hasHead = isVersionId(head);
  return {
    root: result.status === 0 ? root.slice(0, -1).join("\n") : rootOf(git, isBare === "true"),
    isBare: isBare === "true",
    isShallow: isShallow === "true",
    head: hasHead ? head : null,
    branch: branchOf(hasHead ? symbolic : git.runSync("symbolic-ref", "--quiet", "HEAD").stdout.trimEnd()),
  };
}

function rootOf(git: Git, isBare: boolean): string {
  return git
    .output("rev-parse", "--path-format=absolute", isBare ? "--absolute-git-dir" : "--show-toplevel")
    .slice(0, -1);
}

function branchOf(reference: string): string | null {
  return reference.startsWith("refs/heads/") ? reference.slice("refs/heads/".length) : null;
}

/** Parses `git remote -v`; of several addresses of one kind the first wins. */
export function remoteAddresses(list: string): ReadonlyMap<string, RemoteAddresses> {
  const addresses = { fetch: new Map<string, string>(), push: new Map<string, string>() };
  for (const line of list.split("\n")) {
    // In a partial clone the line ends with the filter.
    const [, name, address, kind] = /^([^\t]+)\t(.*) \((fetch|push)\)(?: \[[^\]]*\])?$/.exec(line) ?? [];
    const known = kind === "fetch" ? addresses.fetch : addresses.push;
    if (name !== undefined && address !== undefined && !known.has(name)) known.set(name, address);
  }
  return new Map([...addresses.push].map(([name, push]) => [name, { fetch: addresses.fetch.get(name) ?? push, push }]));
}

export function isMissingObject(error: unknown, id: VersionId): boolean {
  const reason = error instanceof Failure ? error.data.reason : undefined;
  return (
    typeof reason === "string" && reason.includes(id) && /^(?:bad object|bad revision|ambiguous argument)/.test(reason)
  );
}
