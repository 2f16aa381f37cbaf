import type { ShareSummary } from "./parts/share-news.ts";
import type { Workspace } from "../workspace.ts";
import { introducedBy, Damage, type DamagedEntry } from "./git/damage.ts";
import { fetchState, withShare, type OpenShare, type RemoteState, type ShareSettings } from "./open-share.ts";
import { removeRemoteRecord, recordRemote } from "./record-remote.ts";
import type { Received } from "./parts/share-part.ts";

/** What a pull did, or would do. */
export interface PullResult {
  readonly remote: string;
  /** False when the remote shares nothing yet. */
  readonly found: boolean;
  readonly news: ShareSummary;
  /** As git tells them, rounded. */
  readonly wireBytes: number;
  /** What was left out since it is damaged. */
  readonly damaged: readonly DamagedPath[];
}

export interface DamagedPath {
  readonly path: string;
  readonly reason: string;
  /** The commit of the shared ref that brought it, and its day; told of the first few. */
  readonly commit?: string;
}

/** Of more it is not asked who brought them. */
const maxAttributed = 20;

/**
 * Takes over what the remote has. Everything is read and verified before anything is changed. With `isDryRun` nothing
 * is. Fails as `fetchState`, and with `no-share-remote`.
 */
export async function pull(
  workspace: Workspace,
  word: string | undefined,
  how: ShareSettings,
  isDryRun = false,
): Promise<PullResult> {
  return withShare(workspace, word, "fetch", how, async (share) => {
    const damage = how.skipsDamaged === true ? new Damage() : undefined;
    const state = await fetchState(share, damage);
    const received: Received[] = [];
    try {
      if (state.commit !== null)
        for (const part of share.parts) received.push(await part.receive(share.scene, state.folder(part)));
    } catch (error) {
      for (const each of received) each.discard();
      throw error;
    }
    // A pull that is killed leaves nothing that is wrong by now.
    if (!isDryRun) removeRemoteRecord(share);
    const news = isDryRun ? discardAll(received) : await applyAll(received);
    await recordRemote(share, state);
    if (!isDryRun) await share.repository.repack();
    const told = { ...news, notes: [...share.notes, ...news.notes] };
    const damaged = await damagedPaths(share, state, damage?.entries ?? []);
    return { remote: share.remote.name, found: state.commit !== null, news: told, wireBytes: state.wireBytes, damaged };
  });
}

async function damagedPaths(
  { repository }: OpenShare,
  { commit }: RemoteState,
  entries: readonly DamagedEntry[],
): Promise<DamagedPath[]> {
  const told: DamagedPath[] = [];
  for (const { path, failure } of entries) {
    const by = told.length < maxAttributed && commit !== null ? await introducedBy(repository.git, commit, path) : null;
    told.push({ path, reason: String(failure.data["reason"]), ...(by === null ? {} : { commit: by }) });
  }
  return told;
}

function discardAll(received: readonly Received[]): ShareSummary {
  for (const each of received) each.discard();
  return mergeSummaries(received.map(({ summary: news }) => news));
}

async function applyAll(received: readonly Received[]): Promise<ShareSummary> {
  const news: ShareSummary[] = [];
  for (const each of received.toReversed()) news.unshift(await each.apply());
  return mergeSummaries(news);
}

function mergeSummaries(news: readonly ShareSummary[]): ShareSummary {
  const counts: Record<string, number> = {};
  for (const [name, count] of news.flatMap((each) => Object.entries(each.counts)))
    counts[name] = (counts[name] ?? 0) + count;
  return { counts, notes: news.flatMap(({ notes }) => notes) };
}
