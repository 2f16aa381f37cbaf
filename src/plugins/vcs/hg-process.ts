import { Failure } from "../../core/failures/failure.ts";
import { isOlder, Program, reasonOf, type Answer } from "./machine/program.ts";
import type { Environment } from "./vcs.ts";

/** First hg that can be told to leave a repository's own configuration unread (HGRCSKIPREPO), also in a share of it. */
const leastHg = "5.7";

const withShares = ["--config", "extensions.share=", "--config", "extensions.purge="];

/** A subrepository may lie on another machine, and perfkeep fetches nothing. */
const withoutSubrepositories = ["--config", "subrepos.allowed=false"];

/**
 * The hg program in one directory. Arguments are ours or ids; words of users reach it as escaped literals of `resolve`
 * only.
 */
export class Hg extends Program {
  readonly #environment: Environment;

  constructor(directory: string, environment: Environment, leading: readonly string[] = withShares) {
    const own = cleaned(environment);
    super(directory, { program: "hg", least: leastHg, leading, environment: own });
    this.#environment = own;
  }

  /** The same hg in a tree of our own. */
  inTree(directory: string): Hg {
    return new Hg(directory, this.#environment, [...withShares, ...withoutSubrepositories]);
  }

  override failure(args: readonly string[], answer: Answer): Failure {
    if (/^abort: no repository found/m.test(answer.stderr))
      return new Failure("not-a-repository", { path: this.directory, type: "hg" });
    return this.#tooOld() ?? this.failed(args, reasonOf(answer));
  }

  /**
   * The failure that tells of an hg older than `leastHg`, or null. Costs a process, so only asked once something went
   * wrong.
   */
  #tooOld(): Failure | null {
    const found = this.ask("--version", "--quiet").stdout.trim();
    if (!isOlder(/\d+\.\d+/.exec(found)?.[0] ?? "0.0", leastHg)) return null;
    return new Failure("vcs-too-old", { found, program: "hg", least: leastHg });
  }
}

/**
 * No configuration is read, neither the repository's (hooks, extensions, aliases, merge and diff tools are programs)
 * nor the user's, which would change what is printed. Inside a hook hg sets HG_NODE and more; none of it is meant for
 * us.
 */
function cleaned(environment: Environment): Environment {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("HG"));
  return {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    HGENCODING: "UTF-8",
    // Options count only where they stand before the command: no word behind it can become one.
    HGPLAIN: "+strictflags",
    HGRCPATH: "",
    HGRCSKIPREPO: "1",
  };
}
