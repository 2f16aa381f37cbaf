import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../core/text/index.ts";
import { Failure, isReadFailure } from "../../core/failures/index.ts";
import type { Workspace } from "../workspace.ts";
import { BlobPack } from "./git/blob-pack.ts";
import type { TreeChange } from "./git/fast-import.ts";
import {
  fetchState,
  pushedRef,
  withShare,
  type OpenShare,
  type RemoteState,
  type ShareSettings,
} from "./open-share.ts";
import { fixedDifferences, mergedDifferences, type Difference, type LoadedBlob } from "./parts/share-part.ts";
import type { PushResult } from "./parts/share-summary.ts";
import { recordRemote } from "./record-remote.ts";
import { repairShared } from "./repair.ts";
import { pushShared } from "./git/transport.ts";

/** Maximum bytes per commit: after a broken connection, pushed commits need not be sent again. */
const maxCommitBytes = 256 << 20;

/** From this number of immutable files on, a pack of their own takes less time than inside of the commit's. */
const packedFrom = 64;

/** Maximum number of lost races; each is progress of another instance, so this terminates. */
const maxAttempts = 100;

/** Maximum number of rejections while the remote is unchanged: another process may hold a lock of the ref. */
const maxRefusals = 6;

/**
 * Pushes what the remote lacks; concurrent pushes are merged. Fails like `fetchState`, and with `share-declined`,
 * `share-failed`, `no-share-remote`.
 */
export async function push(
  workspace: Workspace,
  word: string | undefined,
  settings: ShareSettings,
  isDryRun = false,
): Promise<PushResult> {
  return withShare(workspace, word, "push", settings, async (share) => {
    const push = new Push(share);
    if (settings.repairs === true && !isDryRun) push.addNotes(await repairShared(share));
    const state = await push.run(isDryRun);
    await recordRemote(share, state);
    if (!isDryRun) await share.repository.repack();
    return push.result();
  });
}

class Push {
  readonly #share: OpenShare;
  readonly #ref: string;
  readonly #sentPaths = new Map<string, Set<string>>();
  /** Paths excluded by the filter, by part. */
  readonly #excluded = new Map<string, Set<string>>();
  readonly #notes: Set<string>;
  /** Skipped paths, which are not retried. */
  readonly #skipped = new Set<string>();
  /** Blobs that earlier attempts, including killed ones, have written to the repository. */
  #written: Promise<Map<string, string>> | undefined;
  /** The last commit did not hold all differences. */
  #isCut = false;
  #sentBytes = 0;
  #wireBytes = 0;
  #overtaken = 0;
  #found = false;

  constructor(share: OpenShare) {
    this.#share = share;
    this.#notes = new Set(share.notes);
    this.#ref = pushedRef(share.remote);
  }

  /** Returns the state of the remote afterwards. */
  async run(isDryRun: boolean): Promise<RemoteState> {
    let refused: RemoteState | undefined;
    let refusals = 0;
    for (let attempt = 0; attempt < maxAttempts;) {
      const state = await fetchState(this.#share);
      this.#wireBytes += state.wireBytes;
      this.#found = state.commit !== null;
      const differences = await this.#differences(state);
      if (isDryRun) await this.#countAll(differences);
      if (differences.length === 0 || isDryRun) return state;
      const failure = await this.#send(state, differences);
      // What other processes of this instance have added since is for the next push: they may never pause.
      if (failure === null && !this.#isCut) return fetchState(this.#share);
      if (failure === null) continue;
      attempt++;
      refusals = refused?.commit === state.commit ? refusals + 1 : 1;
      // Not a race: the remote rejects the push, or has a stale lock.
      if (refusals >= maxRefusals) throw failure;
      refused = state;
      await sleep(20 + this.#share.scene.workspace.world.random() * Math.min(2000, 50 * 2 ** attempt));
    }
    throw new Failure("share-failed", {
      action: "push to",
      remote: this.#share.remote.name,
      reason: `concurrent pushes came first ${maxAttempts} times`,
    });
  }

  addNotes(notes: readonly string[]): void {
    for (const note of notes) this.#notes.add(note);
  }

  result(): PushResult {
    const sent = this.#share.parts.map(({ name, noun }) => ({
      kind: name,
      noun,
      count: this.#sentPaths.get(name)?.size ?? 0,
    }));
    return {
      remote: this.#share.remote.name,
      hasSharedData: this.#found || this.#sentPaths.size > 0,
      sent: sent.filter(({ count }) => count > 0),
      payloadBytes: this.#sentBytes,
      wireBytes: this.#wireBytes,
      retries: this.#overtaken,
      notes: [...this.#notes, ...this.#excludedNotes()],
    };
  }

  #excludedNotes(): string[] {
    return this.#share.parts.flatMap(({ name, noun: [one, many] }) => {
      const count = this.#excluded.get(name)?.size ?? 0;
      return count === 0 ? [] : [`excluded by options: ${counted(count, one, many)}`];
    });
  }

  /** Paths to send, immutable ones first: data must exist before references to it. */
  async #differences(state: RemoteState): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const part of this.#share.parts) {
      const folder = state.folder(part);
      const local = await part.local(this.#share.scene);
      if (part.kind === "merged") found.push(...(await mergedDifferences(part, local, folder)));
      else found.unshift(...this.#missing(fixedDifferences(part, local, folder)));
    }
    return found;
  }

  /** Counts what the filter excludes; omits it, and what an earlier attempt could not send. */
  #missing(differences: readonly Difference[]): Difference[] {
    const others = differences.filter(({ part, path }) => !this.#skipped.has(`${part.name}/${path}`));
    for (const difference of others) if (difference.local.isExcluded === true) countPath(this.#excluded, difference);
    return others.filter(({ local }) => local.isExcluded !== true);
  }

  /** Returns null on success, else the rejection if it may be due to a race. */
  async #send(state: RemoteState, differences: readonly Difference[]): Promise<Failure | null> {
    const { repository, remote, scene } = this.#share;
    const sent: Difference[] = [];
    const seconds = Math.floor(scene.workspace.world.now() / 1000);
    const before = this.#sentBytes;
    scene.progress.phase("packing");
    const count = await this.#packFixed(differences);
    const changes = this.#changes(differences.slice(0, count), sent, differences.length);
    const commit = await repository.commit(this.#ref, state.commit, changes, seconds);
    this.#written = undefined;
    if (sent.length === 0) return null;
    const { overtaken, wireBytes } = await pushShared(
      repository.git,
      remote,
      { commit, expected: state.commit },
      scene.progress,
    );
    this.#wireBytes += wireBytes;
    if (overtaken === null) for (const difference of sent) countPath(this.#sentPaths, difference);
    else {
      this.#sentBytes = before;
      this.#overtaken += 1;
    }
    return overtaken;
  }

  /**
   * Writes immutable files as one pack, if they are many. Returns how many differences fit into the commit: all, or
   * those up to the last file of the pack.
   */
  async #packFixed(differences: readonly Difference[]): Promise<number> {
    const { repository, scene } = this.#share;
    const blobs = await this.#blobs();
    const isNew = ({ part, path }: Difference): boolean => part.kind === "fixed" && !blobs.has(`${part.name}/${path}`);
    if (differences.filter(isNew).length < packedFrom) return differences.length;
    const pack = new BlobPack(scene.folder);
    let bytes = 0;
    let count = differences.length;
    try {
      for (const [at, difference] of differences.entries()) {
        scene.progress.show(at, differences.length);
        const loaded = isNew(difference) ? this.#load(difference) : null;
        if (loaded === null) continue;
        blobs.set(`${difference.part.name}/${difference.path}`, pack.add(loaded.bytes, loaded.stream));
        bytes += loaded.bytes.length;
        if (bytes <= maxCommitBytes) continue;
        count = at + 1;
        break;
      }
    } catch (error) {
      pack.discard();
      throw error;
    }
    await pack.store(repository.git.folder);
    this.#sentBytes += bytes;
    return count;
  }

  /** `all`: number of the differences, of which later commits hold the rest. */
  async *#changes(differences: readonly Difference[], sent: Difference[], all: number): AsyncGenerator<TreeChange> {
    let bytes = 0;
    let done = 0;
    this.#isCut = differences.length < all;
    const { progress } = this.#share.scene;
    for (const difference of differences) {
      progress.show(done++, all);
      if (bytes > maxCommitBytes) {
        this.#isCut = true;
        break;
      }
      const change = await this.#change(difference);
      if (change === null) continue;
      if ("bytes" in change) bytes += change.bytes.length;
      sent.push(difference);
      yield change;
    }
    this.#sentBytes += bytes;
  }

  /** null: cannot be sent, or is excluded. */
  async #change(difference: Difference): Promise<TreeChange | null> {
    const { part, path } = difference;
    const full = `${part.name}/${path}`;
    if (this.#skipped.has(full)) return null;
    const blob = part.kind === "fixed" ? (await this.#blobs()).get(full) : undefined;
    if (blob !== undefined) return { path: full, blob };
    const loaded = this.#load(difference);
    return loaded === null ? null : { path: full, bytes: loaded.bytes };
  }

  /** null: cannot be sent, or is excluded. */
  #load(difference: Difference): LoadedBlob | null {
    const { part, path, local } = difference;
    try {
      const loaded = local.load();
      const { sizeLimit } = this.#share.scene.filter;
      if (part.kind === "merged" || sizeLimit === undefined || loaded.bytes.length <= sizeLimit) return loaded;
      countPath(this.#excluded, difference);
    } catch (error) {
      if (!(error instanceof Failure) || part.kind === "merged" || isReadFailure(error)) throw error;
      this.#notes.add(`not sent: ${error.message}`);
    }
    this.#skipped.add(`${part.name}/${path}`);
    return null;
  }

  #blobs(): Promise<Map<string, string>> {
    this.#written ??= this.#readBlobs();
    return this.#written;
  }

  async #readBlobs(): Promise<Map<string, string>> {
    const { repository, parts } = this.#share;
    const commit = await repository.commitOf(this.#ref);
    if (commit === null) return new Map();
    const tree = await repository.tree(commit, () => true);
    const fixed = parts.filter(({ kind }) => kind === "fixed");
    return new Map(
      fixed.flatMap(({ name }) =>
        [...(tree.get(name) ?? [])].map(([path, blob]) => [`${name}/${path}`, blob] as const),
      ),
    );
  }

  /** Counts the paths of a dry run; a size limit requires reading the blobs. */
  async #countAll(differences: readonly Difference[]): Promise<void> {
    const isLimited = this.#share.scene.filter.sizeLimit !== undefined;
    for (const each of differences)
      if (!isLimited || (await this.#change(each)) !== null) countPath(this.#sentPaths, each);
  }
}

function countPath(paths: Map<string, Set<string>>, { part, path }: Difference): void {
  const known = paths.get(part.name);
  if (known === undefined) paths.set(part.name, new Set([path]));
  else known.add(path);
}
