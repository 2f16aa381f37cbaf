import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../core/text/plural.ts";
import { Failure } from "../../core/failures/failure.ts";
import { gitBlobId } from "../../formats/store/sharing/git-blob.ts";
import type { Workspace } from "../workspace.ts";
import type { TreeChange } from "./git/fast-import.ts";
import {
  fetchState,
  pushedRef,
  withShare,
  type OpenShare,
  type RemoteState,
  type ShareSettings,
} from "./open-share.ts";
import type { LocalBlob, SharedFolder, SharePart } from "./parts/share-part.ts";
import { recordRemote } from "./record-remote.ts";
import { repairShared } from "./repair.ts";
import { pushShared } from "./git/transport.ts";

/** What a push did. */
export interface PushResult {
  readonly remote: string;
  /** False when nobody has shared anything there yet. */
  readonly found: boolean;
  /** Paths by part, with what one and several of them are called. */
  readonly sent: readonly PartCount[];
  readonly contentBytes: number;
  /** Both ways, as git tells them, rounded. */
  readonly wireBytes: number;
  /** How often somebody else was there first. */
  readonly overtaken: number;
  readonly notes: readonly string[];
}

export interface PartCount {
  readonly part: string;
  readonly noun: SharePart["noun"];
  readonly count: number;
}

/** One commit carries no more: what has arrived need not be sent again when the line breaks. */
const maxCommitBytes = 256 << 20;

/** Others may be first so often. Each of them has got on then, so this ends. */
const maxAttempts = 100;

/**
 * So often a remote may refuse although what it has stays the same: somebody may hold a lock of the ref at that moment.
 */
const maxRefusals = 6;

/**
 * Sends what the remote lacks. What others sent meanwhile is merged and never lost. Fails as `fetchState`, and with
 * `share-declined`, `share-failed`, `no-share-remote`.
 */
export async function push(
  workspace: Workspace,
  word: string | undefined,
  how: ShareSettings,
  isDryRun = false,
): Promise<PushResult> {
  return withShare(workspace, word, "push", how, async (share) => {
    const push = new Push(share);
    if (how.repairs === true && !isDryRun) push.tell(await repairShared(share));
    const state = await push.run(isDryRun);
    await recordRemote(share, state);
    if (!isDryRun) await share.repository.repack();
    return push.result();
  });
}

/** A path that the remote lacks or has otherwise. */
interface Difference {
  readonly part: SharePart;
  readonly path: string;
  readonly local: LocalBlob;
}

class Push {
  readonly #share: OpenShare;
  readonly #ref: string;
  readonly #sent = new Map<string, Set<string>>();
  /** What the remote lacks and is not to get, by part. */
  readonly #unwished = new Map<string, Set<string>>();
  readonly #notes: Set<string>;
  /** Contents that were left out, by path: they are not tried again. */
  readonly #left = new Set<string>();
  /** What earlier attempts, also of a process that was killed, have put into the repository already. */
  #written: Promise<ReadonlyMap<string, string>> | undefined;
  #contentBytes = 0;
  #wireBytes = 0;
  #overtaken = 0;
  #found = false;

  constructor(share: OpenShare) {
    this.#share = share;
    this.#notes = new Set(share.notes);
    this.#ref = pushedRef(share.remote);
  }

  /** Answers what the remote has then. */
  async run(isDryRun: boolean): Promise<RemoteState> {
    let refused: RemoteState | undefined;
    let refusals = 0;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const state = await fetchState(this.#share);
      this.#wireBytes += state.wireBytes;
      this.#found = state.commit !== null;
      const differences = await this.#differences(state);
      if (isDryRun) await this.#countAll(differences);
      if (differences.length === 0 || isDryRun) return state;
      const failure = await this.#send(state, differences);
      if (failure === null) continue;
      refusals = refused?.commit === state.commit ? refusals + 1 : 1;
      // Nobody was first after all: it is the remote that does not want it, or has a lock left.
      if (refusals >= maxRefusals) throw failure;
      refused = state;
      await sleep(20 + this.#share.scene.workspace.world.random() * Math.min(2000, 50 * 2 ** attempt));
    }
    throw new Failure("share-failed", {
      action: "push to",
      remote: this.#share.remote.name,
      reason: `others were first ${maxAttempts} times`,
    });
  }

  tell(notes: readonly string[]): void {
    for (const note of notes) this.#notes.add(note);
  }

  result(): PushResult {
    const sent = this.#share.parts.map(({ name, noun }) => ({
      part: name,
      noun,
      count: this.#sent.get(name)?.size ?? 0,
    }));
    return {
      remote: this.#share.remote.name,
      found: this.#found || this.#sent.size > 0,
      sent: sent.filter(({ count }) => count > 0),
      contentBytes: this.#contentBytes,
      wireBytes: this.#wireBytes,
      overtaken: this.#overtaken,
      notes: [...this.#notes, ...this.#unwishedNotes()],
    };
  }

  #unwishedNotes(): string[] {
    return this.#share.parts.flatMap(({ name, noun: [one, many] }) => {
      const count = this.#unwished.get(name)?.size ?? 0;
      return count === 0 ? [] : [`not sent, as the options say: ${counted(count, one, many)}`];
    });
  }

  /** What is to be sent, contents that never change first: what refers to them comes once they are there. */
  async #differences(state: RemoteState): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const part of this.#share.parts) {
      const folder = state.folder(part);
      const local = await part.local(this.#share.scene);
      if (part.kind === "merged") found.push(...(await mergedDifferences(part, local, folder)));
      else found.unshift(...this.#fixedDifferences(part, local, folder));
    }
    return found;
  }

  #fixedDifferences(part: SharePart, local: ReadonlyMap<string, LocalBlob>, folder: SharedFolder): Difference[] {
    const lacking = [...local]
      .filter(([path]) => !folder.paths.has(path) && !this.#left.has(`${part.name}/${path}`))
      .map(([path, content]) => ({ part, path, local: content }));
    for (const difference of lacking) if (difference.local.isExcluded === true) countPath(this.#unwished, difference);
    return lacking.filter((difference) => difference.local.isExcluded !== true);
  }

  /** null: done; else how the remote told that somebody else may have been first. */
  async #send(state: RemoteState, differences: readonly Difference[]): Promise<Failure | null> {
    const { repository, remote, scene } = this.#share;
    const sent: Difference[] = [];
    const seconds = Math.floor(scene.workspace.world.now() / 1000);
    const before = this.#contentBytes;
    const commit = await repository.commit(this.#ref, state.commit, this.#changes(differences, sent), seconds);
    this.#written = undefined;
    if (sent.length === 0) return null;
    const { overtaken, wireBytes } = await pushShared(
      repository.git,
      remote,
      { commit, expected: state.commit },
      scene.progress,
    );
    this.#wireBytes += wireBytes;
    if (overtaken === null) for (const difference of sent) countPath(this.#sent, difference);
    else {
      this.#contentBytes = before;
      this.#overtaken += 1;
    }
    return overtaken;
  }

  async *#changes(differences: readonly Difference[], sent: Difference[]): AsyncGenerator<TreeChange> {
    let bytes = 0;
    let done = 0;
    const { progress } = this.#share.scene;
    progress.phase("packing");
    for (const difference of differences) {
      progress.show(done++, differences.length);
      if (bytes > maxCommitBytes) break;
      const change = await this.#change(difference);
      if (change === null) continue;
      if ("content" in change) bytes += change.content.length;
      sent.push(difference);
      yield change;
    }
    this.#contentBytes += bytes;
  }

  /** null: it cannot be sent, or is not to be. */
  async #change(difference: Difference): Promise<TreeChange | null> {
    const { part, path, local } = difference;
    const full = `${part.name}/${path}`;
    const blob = part.kind === "fixed" ? (await this.#blobs()).get(full) : undefined;
    if (blob !== undefined) return { path: full, blob };
    try {
      const ours = await local.load();
      const { sizeLimit } = this.#share.scene.filter;
      if (part.kind === "merged" || sizeLimit === undefined || ours.length <= sizeLimit)
        return { path: full, content: ours };
      countPath(this.#unwished, difference);
    } catch (error) {
      if (!(error instanceof Failure) || part.kind === "merged") throw error;
      this.#notes.add(`not sent: ${error.message}`);
    }
    this.#left.add(full);
    return null;
  }

  #blobs(): Promise<ReadonlyMap<string, string>> {
    this.#written ??= this.#readBlobs();
    return this.#written;
  }

  async #readBlobs(): Promise<ReadonlyMap<string, string>> {
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

  /** Sizes are known once contents have been read. */
  async #countAll(differences: readonly Difference[]): Promise<void> {
    const isLimited = this.#share.scene.filter.sizeLimit !== undefined;
    for (const each of differences) if (!isLimited || (await this.#change(each)) !== null) countPath(this.#sent, each);
  }
}

function countPath(paths: Map<string, Set<string>>, { part, path }: Difference): void {
  const known = paths.get(part.name);
  if (known === undefined) paths.set(part.name, new Set([path]));
  else known.add(path);
}

/** The paths of a part at which the remote does not have all that is told here, each with what it is to have. */
async function mergedDifferences(
  part: SharePart,
  local: ReadonlyMap<string, LocalBlob>,
  folder: SharedFolder,
): Promise<Difference[]> {
  const found: Difference[] = [];
  const ours = new Map<string, Uint8Array>();
  for (const [path, content] of local) {
    const known = folder.paths.get(path);
    if (known === undefined) found.push({ part, path, local: content });
    else ours.set(path, await content.load());
  }
  const others = [...ours].filter(([path, content]) => gitBlobId(content) !== folder.paths.get(path));
  for await (const { path, bytes: content } of folder.read(others.map(([path]) => path))) {
    const merged = part.merge(path, ours.get(path)!, content);
    if (gitBlobId(merged) !== folder.paths.get(path)) found.push({ part, path, local: { load: () => merged } });
  }
  return found;
}
