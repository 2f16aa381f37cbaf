import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { readRevisionWord } from "../../core/versions/revision.ts";
import type { MajorVersion, MinorVersion, TaggedVersion } from "../../core/versions/version.ts";
import type { Hg } from "./hg-process.ts";
import { addWorktree } from "./hg-worktree.ts";
import { removeTree } from "./machine/folders.ts";
import { readPaths } from "./machine/path-list.ts";
import type { Answer } from "./machine/program.ts";
import type { Ability, TouchedFiles, Vcs, Worktree } from "./vcs.ts";
import { createHash } from "node:crypto";
import { StringDecoder } from "node:string_decoder";

/** One version a line, as JSON: a name or message may hold any character. */
const versionTemplate = "{dict(id=node,p1=p1.node,p2=p2.node,user=author,date=date|hgdate,desc=desc)|json}\\n";

/** What hg calls the version before the first, and what it calls the working directory: neither is a version. */
function isVirtual(id: string): boolean {
  return /^(?:0{40}|f{40})$/.test(id);
}

interface Printed {
  readonly id: string;
  readonly p1: string;
  readonly p2: string;
  readonly user: string;
  /** Seconds since 1970 UTC, a blank, the offset of the author's clock. */
  readonly date: string;
  readonly desc: string;
}

/**
 * Turns what `versionTemplate` printed into versions, piece by piece; a line that is cut by a piece comes with the
 * next.
 */
class HgHistoryReader {
  #pending = "";

  read(text: string): MinorVersion[] {
    const lines = (this.#pending + text).split("\n");
    this.#pending = lines.pop() ?? "";
    return lines.map((line) => versionOf(JSON.parse(line) as Printed));
  }
}

function versionOf({ id, p1, p2, user, date, desc }: Printed): MinorVersion {
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

/** What one question to hg tells of a repository. */
interface Facts {
  readonly root: string;
  /** Zeros in an empty repository. */
  readonly id: string;
  readonly branch: string;
  /** Active bookmark, or empty. */
  readonly active: string;
  /** "yes" when no version of the branch follows. */
  readonly newest: string;
}

const factsTemplate =
  '{dict(root=reporoot,id=node,branch=branch,active=activebookmark,newest=ifcontains(rev,revset("head()"),"yes","no"))|json}\\n';

/** Changes of files that hg tracks. */
const trackedChanges = ["status", "--modified", "--added", "--removed", "--deleted", "--print0"];

export function openRepository(hg: Hg): Vcs {
  return new HgRepository(hg, JSON.parse(hg.answer("log", "--rev", ".", "--template", factsTemplate)) as Facts);
}

class HgRepository implements Vcs {
  readonly type = "hg";
  readonly root: string;
  readonly #hg: Hg;
  readonly #facts: Facts;
  readonly #known = new Map<VersionId, MinorVersion>();
  #names: ReadonlySet<string> | undefined;

  constructor(hg: Hg, facts: Facts) {
    this.root = facts.root;
    this.#hg = hg;
    this.#facts = facts;
  }

  async limitation(of: Ability): Promise<string | null> {
    return of === "worktrees" && isVirtual(this.#facts.id) ? "its tree has no version yet" : null;
  }

  async head(): Promise<VersionId> {
    if (isVirtual(this.#facts.id)) throw new Failure("no-versions-yet", { path: this.root });
    return this.#facts.id as VersionId;
  }

  /** On a branch is who would continue it; anywhere else the next commit would begin a new head. */
  async majorHead(): Promise<string> {
    const { id, active, branch, newest } = this.#facts;
    if (active !== "") return active;
    return newest === "yes" || isVirtual(id) ? branch : this.head();
  }

  async resolve(revision: string, type: "commit" | "tree" = "commit"): Promise<VersionId> {
    const { base, steps } = readRevisionWord(revision);
    if (!this.#canMean(base)) throw new Failure("unknown-revision", { revision });
    const set = literal(base === "HEAD" ? "." : base) + steps.map(({ kind, count }) => kind + count).join("");
    const answer = this.#hg.ask(
      "log",
      "--rev",
      set,
      "--template",
      type === "tree" ? `{manifest % "{node}"}\\n` : "{node}\\n",
    );
    const id = answer.stdout.trimEnd();
    if (answer.status === 0 && isVersionId(id) && !isVirtual(id)) return id;
    throw this.#unknown(revision, answer);
  }

  async check(id: VersionId): Promise<void> {
    if ((isVersionId(id) && id === this.#facts.id && !isVirtual(id)) || this.#known.has(id)) return;
    if (!isVersionId(id) || (await this.resolve(id)) !== id)
      throw new Failure("unknown-revision", { revision: String(id).slice(0, 100) });
  }

  async info(id: VersionId): Promise<MinorVersion> {
    const known = this.#known.get(id);
    if (known) return known;
    refuseUnlessId(id);
    const answer = this.#hg.ask("log", "--rev", literal(id), "--template", versionTemplate);
    if (answer.status !== 0) throw this.#unknown(id, answer);
    const [version] = new HgHistoryReader().read(answer.stdout);
    if (version?.id !== id) throw new Failure("unknown-revision", { revision: id });
    this.#known.set(id, version);
    return version;
  }

  async *walk(head: VersionId, limit?: number): AsyncGenerator<MinorVersion> {
    for await (const batch of this.walkBatches(head, limit)) yield* batch;
  }

  async *walkBatches(head: VersionId, limit?: number): AsyncGenerator<readonly MinorVersion[]> {
    await this.check(head);
    const most = limit === undefined ? undefined : Math.max(0, Math.floor(limit));
    if (most === 0) return;
    const reader = new HgHistoryReader();
    const decoder = new StringDecoder("utf8");
    const counted = most === undefined ? [] : ["--limit", String(most)];
    const set = `sort(::${literal(head)}, -rev)`;
    for await (const bytes of this.#hg.stream("log", "--rev", set, "--template", versionTemplate, ...counted)) {
      const versions = reader.read(decoder.write(bytes));
      if (versions.length > 0) yield versions;
    }
  }

  /** Open branches, and bookmarks, which hide a branch of the same name as they do for hg. */
  async *majors(): AsyncGenerator<MajorVersion> {
    const found = new Map([...this.#named("branches", "branch"), ...this.#named("bookmarks", "bookmark")]);
    for (const [name, head] of [...found].sort(byName)) yield { name, head };
  }

  async *tags(): AsyncGenerator<TaggedVersion> {
    for (const [name, version] of this.#named("tags", "tag").sort(byName)) if (name !== "tip") yield { name, version };
  }

  async diff(from: VersionId, to: VersionId): Promise<string> {
    refuseUnlessId(from);
    refuseUnlessId(to);
    await this.check(from);
    await this.check(to);
    const args = ["diff", "--git", "--rev", from, "--rev", to];
    const answer = await this.#hg.run(...args);
    if (answer.status !== 0) throw this.#hg.failure(args, answer);
    return answer.stdout;
  }

  async filesOf(id: VersionId, limit: number): Promise<TouchedFiles> {
    refuseUnlessId(id);
    await this.check(id);
    const wanted = ["--modified", "--added", "--removed", "--no-status", "--print0"];
    return readPaths(this.#hg.stream("status", "--change", id, ...wanted), limit);
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
    refuseUnlessId(id);
    await this.check(id);
    return addWorktree(this.#hg, this.root, path, id);
  }

  /** A share is known to nobody but itself. */
  async removeWorktree(path: string): Promise<void> {
    removeTree(path);
  }

  /** Saves a process for every word that is no name, and keeps such words away from hg. */
  #canMean(base: string): boolean {
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
    const answer = await this.#hg.run(...trackedChanges);
    if (answer.status !== 0) throw this.#hg.failure(trackedChanges, answer);
    return answer.stdout;
  }

  #named(list: string, keyword: string, ...flags: string[]): [string, VersionId][] {
    const lines = this.#hg.answer(list, ...flags, "--template", `{dict(name=${keyword},id=node)|json}\\n`).split("\n");
    const found = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as { name: string; id: string });
    return found.filter(({ id }) => isVersionId(id) && !isVirtual(id)).map(({ name, id }) => [name, id as VersionId]);
  }

  #unknown(revision: string, answer: Answer): Failure {
    if (/ambiguous/.test(answer.stderr))
      return new Failure("unknown-revision", { revision, reason: "several versions begin like this" });
    const isWord =
      answer.status === 0 ||
      /unknown revision|hidden revision|filtered revision|parse error|00changelog/.test(answer.stderr);
    return isWord ? new Failure("unknown-revision", { revision }) : this.#hg.failure(["log"], answer);
  }
}

/** A name as a string of hg's language of revisions: every byte escaped, so that none means anything there. */
function literal(name: string): string {
  const bytes = [...new TextEncoder().encode(name)];
  return `"${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
}

function byName([a]: [string, VersionId], [b]: [string, VersionId]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function refuseUnlessId(id: VersionId): void {
  if (!isVersionId(id))
    throw new Failure("unknown-revision", { revision: String(id).slice(0, 100), reason: "it is no full id" });
}
