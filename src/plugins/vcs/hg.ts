import { Failure } from "../../core/failures/index.ts";
import {
  isVersionId,
  type VersionId,
  parseRevision,
  type MajorVersion,
  type MinorVersion,
  type TaggedVersion,
} from "../../core/versions/index.ts";
import { Hg, versionTemplate, HgHistoryReader, isVirtual } from "./hg-process.ts";
import { addWorktree } from "./hg-worktree.ts";
import { missingFolders, removeIfEmpty, removeTree } from "./machine/folders.ts";
import { readPaths } from "./machine/path-list.ts";
import { reasonOf, type ProcessResult, requireId } from "./machine/program.ts";
import type { Environment, Vcs, VcsPlugin, Ability, TouchedFiles, Worktree } from "./vcs.ts";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";

/** Everything that start-up needs, read from one hg process. */
interface RepositoryState {
  readonly root: string;
  /** All zeros in an empty repository. */
  readonly id: string;
  readonly branch: string;
  /** Active bookmark, or empty. */
  readonly active: string;
  /** "yes" when the id is a head of its branch. */
  readonly newest: string;
}

const stateTemplate =
  "{dict(root=reporoot,id=node,branch=branch,active=activebookmark," +
  'newest=ifcontains(rev,revset("head()"),"yes","no"))|json}\\n';

/** Changes of files that hg tracks. */
const trackedChanges = ["status", "--modified", "--added", "--removed", "--deleted", "--print0"];

function openRepository(hg: Hg): Vcs {
  return new HgRepository(
    hg,
    JSON.parse(hg.output("log", "--rev", ".", "--template", stateTemplate)) as RepositoryState,
  );
}

class HgRepository implements Vcs {
  readonly type = "hg";
  readonly root: string;
  readonly #hg: Hg;
  readonly #state: RepositoryState;
  readonly #known = new Map<VersionId, MinorVersion>();
  #names: ReadonlySet<string> | undefined;

  constructor(hg: Hg, state: RepositoryState) {
    this.root = state.root;
    this.#hg = hg;
    this.#state = state;
  }

  async limitation(of: Ability): Promise<string | null> {
    return of === "worktrees" && isVirtual(this.#state.id) ? "it has no commits yet" : null;
  }

  async head(): Promise<VersionId> {
    if (isVirtual(this.#state.id)) throw new Failure("no-versions-yet", { path: this.root });
    return this.#state.id as VersionId;
  }

  /** Detached when the next commit would create a new head of the branch. */
  async majorHead(): Promise<string> {
    const { id, active, branch, newest } = this.#state;
    if (active !== "") return active;
    return newest === "yes" || isVirtual(id) ? branch : this.head();
  }

  async resolve(revision: string, type: "commit" | "tree" = "commit"): Promise<VersionId> {
    const { base, steps } = parseRevision(revision);
    if (!this.#isRevisionName(base)) throw new Failure("unknown-revision", { revision });
    const set = literal(base === "HEAD" ? "." : base) + steps.map(({ kind, count }) => kind + count).join("");
    const result = this.#hg.runSync(
      "log",
      "--rev",
      set,
      "--template",
      type === "tree" ? `{manifest % "{node}"}\\n` : "{node}\\n",
    );
    const id = result.stdout.trimEnd();
    if (result.status === 0 && isVersionId(id) && !isVirtual(id)) return id;
    throw this.#unknown(revision, result);
  }

  async check(id: VersionId): Promise<void> {
    if ((isVersionId(id) && id === this.#state.id && !isVirtual(id)) || this.#known.has(id)) return;
    if (!isVersionId(id) || (await this.resolve(id)) !== id)
      throw new Failure("unknown-revision", { revision: String(id).slice(0, 100) });
  }

  async info(id: VersionId): Promise<MinorVersion> {
    const known = this.#known.get(id);
    if (known) return known;
    requireId(id);
    const result = this.#hg.runSync("log", "--rev", literal(id), "--template", versionTemplate);
    if (result.status !== 0) throw this.#unknown(id, result);
    const [version] = new HgHistoryReader().read(result.stdout);
    if (version?.id !== id) throw new Failure("unknown-revision", { revision: id });
    this.#known.set(id, version);
    return version;
  }

  async *walk(head: VersionId, limit?: number): AsyncGenerator<MinorVersion> {
    for await (const batch of this.walkBatches(head, limit)) yield* batch;
  }

  async *walkBatches(head: VersionId, limit?: number): AsyncGenerator<readonly MinorVersion[]> {
    await this.check(head);
    const maximum = limit === undefined ? undefined : Math.max(0, Math.floor(limit));
    if (maximum === 0) return;
    const reader = new HgHistoryReader();
    const decoder = new StringDecoder("utf8");
    const countOptions = maximum === undefined ? [] : ["--limit", String(maximum)];
    const set = `sort(::${literal(head)}, -rev)`;
    for await (const bytes of this.#hg.stream("log", "--rev", set, "--template", versionTemplate, ...countOptions)) {
      const versions = reader.read(decoder.write(bytes));
      if (versions.length > 0) yield versions;
    }
  }

  /** Open branches and bookmarks; a bookmark hides a branch of the same name, as in hg. */
  async *majors(): AsyncGenerator<MajorVersion> {
    const heads = new Map([...this.#named("branches", "branch"), ...this.#named("bookmarks", "bookmark")]);
    for (const [name, head] of [...heads].sort(byName)) yield { name, head };
  }

  async *tags(): AsyncGenerator<TaggedVersion> {
    for (const [name, version] of this.#named("tags", "tag").sort(byName)) if (name !== "tip") yield { name, version };
  }

  async diff(from: VersionId, to: VersionId): Promise<string> {
    requireId(from);
    requireId(to);
    await this.check(from);
    await this.check(to);
    const args = ["diff", "--git", "--rev", from, "--rev", to];
    const result = await this.#hg.run(...args);
    if (result.status !== 0) throw this.#hg.failure(args, result);
    return result.stdout;
  }

  async filesOf(id: VersionId, limit: number): Promise<TouchedFiles> {
    requireId(id);
    await this.check(id);
    const options = ["--modified", "--added", "--removed", "--no-status", "--print0"];
    return readPaths(this.#hg.stream("status", "--change", id, ...options), limit);
  }

  async isDirty(): Promise<boolean> {
    return (await this.#changes()) !== "";
  }

  async dirtyDigest(): Promise<string | null> {
    const changes = await this.#changes();
    if (changes === "") return null;
    const hash = createHash("sha1").update(changes).update("\0");
    for await (const bytes of this.#hg.stream("diff", "--git", "--text")) hash.update(bytes);
    return hash.digest("hex");
  }

  async addWorktree(path: string, id: VersionId): Promise<Worktree> {
    requireId(id);
    await this.check(id);
    return addWorktree(this.#hg, this.root, path, id);
  }

  /** The repository does not record its shares. */
  async removeWorktree(path: string): Promise<void> {
    removeTree(path);
  }

  /** Avoids a process for unknown names, which never reach hg. */
  #isRevisionName(base: string): boolean {
    if (base === "HEAD" || base === "." || base === "tip" || /^[0-9a-f]{1,40}$/.test(base)) return true;
    this.#names ??= new Set(
      [
        ...this.#named("branches", "branch", "--closed"),
        ...this.#named("bookmarks", "bookmark"),
        ...this.#named("tags", "tag"),
      ].map(([name]) => name),
    );
    return this.#names.has(base);
  }

  async #changes(): Promise<string> {
    const result = await this.#hg.run(...trackedChanges);
    if (result.status !== 0) throw this.#hg.failure(trackedChanges, result);
    return result.stdout;
  }

  #named(list: string, keyword: string, ...flags: string[]): [string, VersionId][] {
    const lines = this.#hg.output(list, ...flags, "--template", `{dict(name=${keyword},id=node)|json}\\n`).split("\n");
    const entries = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as { name: string; id: string });
    return entries.filter(({ id }) => isVersionId(id) && !isVirtual(id)).map(({ name, id }) => [name, id as VersionId]);
  }

  #unknown(revision: string, result: ProcessResult): Failure {
    if (/ambiguous/.test(result.stderr))
      return new Failure("unknown-revision", { revision, reason: "several commits start with it" });
    const isUnknown =
      result.status === 0 ||
      /unknown revision|hidden revision|filtered revision|parse error|00changelog/.test(result.stderr);
    return isUnknown ? new Failure("unknown-revision", { revision }) : this.#hg.failure(["log"], result);
  }
}

/** A name as a string literal of hg's revset language, with every byte escaped. */
function literal(name: string): string {
  const bytes = [...new TextEncoder().encode(name)];
  return `"${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
}

function byName([a]: [string, VersionId], [b]: [string, VersionId]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Version control through the `hg` program. Major versions are open named branches and bookmarks; worktrees are shares.
 */
export const hg: VcsPlugin = Object.freeze({
  kind: "vcs",
  name: "hg",
  aliases: ["mercurial"],
  synopsis: "Mercurial repositories",
  options: [],

  async init(
    path: string,
    params: Readonly<Record<string, string>>,
    flags: readonly string[],
    environment: Environment,
  ): Promise<void> {
    const root = resolve(path);
    const options = [
      ...Object.entries(params).flatMap(([name, value]) => [`${option(path, name)}=${value}`]),
      ...flags.map((name) => option(path, name)),
    ];
    if (existsSync(join(root, ".hg"))) return;
    const missing = missingFolders(root);
    const outside = new Hg(dirname(missing.at(-1) ?? root), environment);
    const result = await outside.run("init", ...options, "--", root);
    if (result.status === 0) return;
    missing.forEach(removeIfEmpty);
    throw new Failure("vcs-init-failed", { path, program: "hg", reason: reasonOf(result) });
  },

  async open(path: string, environment: Environment): Promise<Vcs> {
    return openRepository(new Hg(resolve(path), environment));
  },
} satisfies VcsPlugin);

/** Accepts names with or without leading dashes, and underscores for hyphens. */
function option(path: string, name: string): string {
  const flag = name.replace(/^--?/, "").replaceAll("_", "-");
  if (!/^[a-z][a-z-]*$/.test(flag)) {
    throw new Failure("vcs-init-failed", { path, program: "hg", reason: `'${name}' is not an option of hg init` });
  }
  return `--${flag}`;
}
