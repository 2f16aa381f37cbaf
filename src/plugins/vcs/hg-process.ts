import { Failure } from "../../core/failures/index.ts";
import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import { isOlder, Program, reasonOf, type ProcessResult } from "./machine/program.ts";
import type { Environment } from "./vcs.ts";

/** First hg that can ignore a repository's own configuration (HGRCSKIPREPO), also in shares. */
const minimumHg = "5.7";

const withShares = ["--config", "extensions.share=", "--config", "extensions.purge="];

/** A subrepository may be remote, and perfkeep fetches nothing. */
const withoutSubrepositories = ["--config", "subrepos.allowed=false"];

/**
 * The hg program in one directory. Arguments are constants or ids; user input reaches it only as escaped literals from
 * `resolve`.
 */
export class Hg extends Program {
  readonly #environment: Environment;

  constructor(directory: string, environment: Environment, leading: readonly string[] = withShares) {
    const own = hgEnvironment(environment);
    super(directory, { program: "hg", minimumVersion: minimumHg, globalArgs: leading, environment: own });
    this.#environment = own;
  }

  /** The same hg in a worktree of perfkeep. */
  inTree(directory: string): Hg {
    return new Hg(directory, this.#environment, [...withShares, ...withoutSubrepositories]);
  }

  override failure(args: readonly string[], result: ProcessResult): Failure {
    if (/^abort: no repository found/m.test(result.stderr))
      return new Failure("not-a-repository", { path: this.directory, type: "hg" });
    return this.#tooOld() ?? this.failed(args, reasonOf(result));
  }

  /**
   * `vcs-too-old` when hg is older than `minimumHg`, else null. Starts a process; called only after a failure.
   */
  #tooOld(): Failure | null {
    const version = this.runSync("--version", "--quiet").stdout.trim();
    if (!isOlder(/\d+\.\d+/.exec(version)?.[0] ?? "0.0", minimumHg)) return null;
    return new Failure("vcs-too-old", { found: version, program: "hg", least: minimumHg });
  }
}

/**
 * The environment for hg. It disables the repository's configuration (hooks, extensions, aliases, merge and diff tools
 * run programs) and the user's, which changes the output. Variables that hooks set (HG_NODE and others) are dropped.
 */
function hgEnvironment(environment: Environment): Environment {
  const own = Object.entries(environment).filter(([name]) => !name.startsWith("HG"));
  return {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    HGENCODING: "UTF-8",
    // Global options are recognised only before the command, so no later argument can become one.
    HGPLAIN: "+strictflags",
    HGRCPATH: "",
    HGRCSKIPREPO: "1",
  };
}

/** One version per line as JSON, since a name or message may contain any character. */
export const versionTemplate = "{dict(id=node,p1=p1.node,p2=p2.node,user=author,date=date|hgdate,desc=desc)|json}\\n";

/** True for hg's ids of the null revision and the working directory. */
export function isVirtual(id: string): boolean {
  return /^(?:0{40}|f{40})$/.test(id);
}

interface PrintedVersion {
  readonly id: string;
  readonly p1: string;
  readonly p2: string;
  readonly user: string;
  /** Seconds since 1970 UTC, a blank, the offset of the author's clock. */
  readonly date: string;
  readonly desc: string;
}

/**
 * Parses the output of `versionTemplate` incrementally; a line split across chunks is returned with the later one.
 */
export class HgHistoryReader {
  #pending = "";

  read(text: string): MinorVersion[] {
    const lines = (this.#pending + text).split("\n");
    this.#pending = lines.pop() ?? "";
    return lines.map((line) => versionOf(JSON.parse(line) as PrintedVersion));
  }
}

function versionOf({ id, p1, p2, user, date, desc }: PrintedVersion): MinorVersion {
  const [, author = user, email = ""] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(user) ?? [];
  return {
    id: id as VersionId,
    parents: [p1, p2].filter((parent) => !isVirtual(parent)) as VersionId[],
    author,
    email,
    date: Number(date.split(" ")[0]) || 0,
    description: desc,
  };
}
