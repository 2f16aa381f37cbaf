import type { VersionId, MinorVersion } from "../../core/versions/index.ts";
import { VersionGraph } from "../../query/history/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { spanTest } from "./time-span.ts";

/** The commits of a history, walked only as far as requested. */
export class LazyHistory implements AsyncIterable<MinorVersion> {
  readonly #batches: AsyncIterator<readonly MinorVersion[]>;
  readonly #inOrder: MinorVersion[] = [];
  readonly #byId = new Map<VersionId, MinorVersion>();

  /** `batches`: newest first, as a VCS walks them. */
  constructor(batches: AsyncIterable<readonly MinorVersion[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** undefined: not in the history. */
  async get(id: VersionId): Promise<MinorVersion | undefined> {
    while (!this.#byId.has(id) && (await this.#walkOn())) continue;
    return this.#byId.get(id);
  }

  /** In walk order; may be iterated several times. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MinorVersion> {
    for (let at = 0; at < this.#inOrder.length || (await this.#walkOn()); at++) yield this.#inOrder[at] as MinorVersion;
  }

  /** Must be called: ends the VCS process. */
  async close(): Promise<void> {
    await this.#batches.return?.();
  }

  /** False at the end of the history. */
  async #walkOn(): Promise<boolean> {
    const step = await this.#batches.next();
    if (step.done === true) return false;
    for (const version of step.value) {
      this.#inOrder.push(version);
      this.#byId.set(version.id, version);
    }
    return true;
  }
}

/** Selects commits. All given conditions must hold. */
export interface CommitSelection {
  /** Revisions or ranges `a..b` (commits of `b` that `a` lacks; an open end is the head); any of these. */
  readonly commits?: readonly string[];
  /** Commits reachable from this branch or revision; default with the options below: the head. */
  readonly branch?: string;
  /** Follow first parents only, without merged commits. */
  readonly firstParent?: boolean;
  /** Commit date bounds (day or time), inclusive. */
  readonly since?: string;
  readonly until?: string;
}

/** Whether the selection restricts the history, not only named commits. */
export function restrictsHistory({ branch, firstParent, since, until }: CommitSelection): boolean {
  return branch !== undefined || firstParent === true || since !== undefined || until !== undefined;
}

/** The commit history, walked lazily; each commit is read once. */
export class History {
  readonly graph: VersionGraph = new VersionGraph();
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Fails with `unknown-revision`, `not-a-repository`, `no-versions-yet`. */
  async resolve(revision: string): Promise<VersionId> {
    return (await this.#workspace.vcs()).resolve(revision);
  }

  /** All ancestors of `branch` (default: the head), oldest first. */
  async inOrder(branch?: string): Promise<VersionId[]> {
    return this.graph.inOrder(await this.#walked(branch));
  }

  /** Fails with `unknown-revision`, `bad-option`. */
  async select(choice: CommitSelection): Promise<Set<VersionId>> {
    const own = restrictsHistory(choice) ? await this.#ofBranch(choice) : undefined;
    const named = choice.commits === undefined ? undefined : await this.named(choice.commits);
    if (own === undefined || named === undefined) return own ?? named ?? new Set();
    return new Set([...named].filter((id) => own.has(id)));
  }

  /** Tag of each tagged commit; of several, the last by name. */
  async tags(): Promise<Map<VersionId, string>> {
    const found = new Map<VersionId, string>();
    for await (const { name, version } of (await this.#workspace.vcs()).tags()) found.set(version, name);
    return found;
  }

  /** All names of commits: tags, branches and `HEAD`. */
  async names(): Promise<Map<VersionId, readonly string[]>> {
    const vcs = await this.#workspace.vcs();
    const found = new Map<VersionId, string[]>([[await vcs.head(), ["HEAD"]]]);
    const add = (name: string, id: VersionId): unknown => found.set(id, [...(found.get(id) ?? []), name]);
    for await (const { name, version } of vcs.tags()) add(name, version);
    for await (const { name, head } of vcs.majors()) add(name, head);
    return found;
  }

  async #ofBranch({ branch, firstParent = false, since, until }: CommitSelection): Promise<Set<VersionId>> {
    const span = { ...(since === undefined ? {} : { from: since }), ...(until === undefined ? {} : { to: until }) };
    const isIn = spanTest(span, { from: "--since", to: "--until" });
    const head = await this.#walked(branch);
    const all = firstParent ? this.graph.firstParents(head) : this.graph.ancestors(head);
    return new Set([...all].filter((id) => isIn((this.graph.get(id)?.date ?? 0) * 1_000_000)));
  }

  /** Commits named by revisions and ranges; `firstParent`: of ranges only the first parents of their end. */
  async named(commits: readonly string[], firstParent = false): Promise<Set<VersionId>> {
    const found = new Set<VersionId>();
    for (const commit of commits) {
      const range = /^(.*?)\.\.(.*)$/.exec(commit);
      if (range === null) found.add(await this.resolve(commit));
      else for (const id of await this.#between(range[1] ?? "", range[2] ?? "", firstParent)) found.add(id);
    }
    return found;
  }

  async #between(from: string, to: string, firstParent: boolean): Promise<VersionId[]> {
    const end = await this.#walked(to || "HEAD");
    const known = this.graph.ancestors(await this.#walked(from || "HEAD"));
    const all = firstParent ? this.graph.firstParents(end) : this.graph.ancestors(end);
    return [...all].filter((id) => !known.has(id));
  }

  async #walked(branch = "HEAD"): Promise<VersionId> {
    const vcs = await this.#workspace.vcs();
    const head = await vcs.resolve(branch);
    if (!this.graph.has(head)) for await (const batch of vcs.walkBatches(head, undefined, true)) this.graph.add(batch);
    return head;
  }
}

/** A walk goes by date, and clocks may differ by this many seconds: older commits come after all their children. */
const clockSkew = 86_400;

/**
 * Adds the history of `after` to `graph` as far as it has ancestors that `before` lacks; all of it if `before` is no
 * ancestor. Fails with `unknown-revision`, `not-a-repository`, `no-versions-yet`.
 */
export async function walkBetween(
  workspace: Workspace,
  before: VersionId,
  after: VersionId,
  graph: VersionGraph,
): Promise<void> {
  const vcs = await workspace.vcs();
  // Examined again only once the walk is half as long again: each time takes as long as the walk so far.
  let [walked, examined] = [0, 0];
  for await (const batch of vcs.walkBatches(after)) {
    graph.add(batch);
    walked += batch.length;
    if (walked < examined * 1.5) continue;
    const suspects = graph.difference(before, after);
    if (suspects !== undefined && (batch.at(-1)?.date ?? 0) < oldestOf(graph, suspects) - clockSkew) return;
    examined = walked;
  }
}

function oldestOf(graph: VersionGraph, versions: ReadonlySet<VersionId>): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const id of versions) oldest = Math.min(oldest, graph.get(id)?.date ?? oldest);
  return oldest;
}

/** Commits named by revisions and ranges; see `History.named`. */
export async function versionsOf(
  workspace: Workspace,
  commits: readonly string[],
  firstParent = false,
): Promise<VersionId[]> {
  return [...(await new History(workspace).named(commits, firstParent))];
}

/** Selected commits; undefined without a selection. Fails like `History.select`. */
export async function selectedCommits(
  workspace: Workspace,
  choice: CommitSelection,
): Promise<ReadonlySet<VersionId> | undefined> {
  return choice.commits === undefined && !restrictsHistory(choice) ? undefined : new History(workspace).select(choice);
}
