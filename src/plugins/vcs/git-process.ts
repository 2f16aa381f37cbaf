import { isAbsolute, relative } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { isOlder, Program, reasonOf, type Answer } from "./machine/program.ts";
import type { Environment } from "./vcs.ts";

/** First git whose rev-parse answers with absolute paths and ends its options. */
const leastGit = "2.31";

/**
 * A repository's own configuration can name programs (hooks, fsmonitor, external diff, signature checks, transports)
 * and change what is printed. These settings come last and win. Clean and smudge filters cannot be switched off: they
 * are git's own line of trust.
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

/** Variables of git that stay: they configure the user's git as a whole and do not point at a repository. */
const keptVariables =
  /^GIT_(?:CONFIG_|EXEC_PATH$|TEMPLATE_DIR$|DEFAULT_HASH$|CEILING_DIRECTORIES$|DISCOVERY_ACROSS_FILESYSTEM$)/;

/** The git program in one directory. Arguments are ours or ids; words of users reach it through `resolve` only. */
export class Git extends Program {
  readonly #environment: Environment;

  constructor(directory: string, environment: Environment) {
    const own = cleaned(directory, environment);
    super(directory, { program: "git", least: leastGit, leading: hardened, environment: own });
    this.#environment = own;
  }

  /** The same git elsewhere. GIT_DIR and GIT_WORK_TREE of the user do not follow. */
  at(directory: string): Git {
    const { GIT_DIR: _directory, GIT_WORK_TREE: _tree, ...environment } = this.#environment;
    return new Git(directory, environment);
  }

  override failure(args: readonly string[], answer: Answer): Failure {
    const reason = reasonOf(answer);
    const path = this.directory;
    if (/dubious ownership/.test(answer.stderr))
      return new Failure("repository-not-trusted", { path: untrustedPath(answer) ?? path, reason });
    if (/not a git repository/.test(answer.stderr)) return new Failure("not-a-repository", { path, type: "git" });
    return this.#tooOld() ?? this.failed(args, reason);
  }

  /**
   * The failure that tells of a git older than `leastGit`, or null. Costs a process, so only asked once something went
   * wrong.
   */
  #tooOld(): Failure | null {
    const found = this.ask("--version").stdout.trim();
    if (!isOlder(/\d+\.\d+/.exec(found)?.[0] ?? "0.0", leastGit)) return null;
    return new Failure("vcs-too-old", { found, program: "git", least: leastGit });
  }
}

/**
 * The environment for git. Inside a hook git sets GIT_DIR and more for the repository of the hook; they are dropped,
 * since the repository is the one around `directory`. GIT_DIR and GIT_WORK_TREE stay when the user clearly set them:
 * both, absolute, and around `directory`.
 */
function cleaned(directory: string, environment: Environment): Environment {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("GIT_") || keptVariables.test(name));
  return {
    ...Object.fromEntries(own),
    ...explicitRepository(directory, environment),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A partial clone would fetch missing objects by whatever program or address its configuration names.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    // To a pipe git log would write every version by itself, which doubles the time of a walk.
    GIT_FLUSH: "0",
  };
}

function explicitRepository(directory: string, { GIT_DIR, GIT_WORK_TREE }: Environment): Environment {
  if (!GIT_DIR || !GIT_WORK_TREE || !isAbsolute(GIT_DIR) || !isAbsolute(GIT_WORK_TREE)) return {};
  const inside = relative(GIT_WORK_TREE, directory);
  return inside.startsWith("..") || isAbsolute(inside) ? {} : { GIT_DIR, GIT_WORK_TREE };
}

function untrustedPath({ stderr }: Answer): string | undefined {
  return /dubious ownership in repository at '(.*)'/.exec(stderr)?.[1];
}
