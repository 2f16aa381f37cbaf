import type { ShareSummary } from "./parts/share-summary.ts";
import type { Workspace } from "../workspace.ts";
import { introducedBy, Damage, type DamagedEntry } from "./git/damage.ts";
import { fetchState, withShare, type OpenShare, type RemoteState, type ShareSettings } from "./open-share.ts";
import { removeRemoteRecord, recordRemote } from "./record-remote.ts";
import type { Received } from "./parts/share-part.ts";

/** Result of a pull or dry run. */
export interface PullResult {
  readonly remote: string;
  /** False if the remote has no shared data yet. */
  readonly hasSharedData: boolean;
  readonly summary: ShareSummary;
  /** As reported by git, rounded. */
  readonly wireBytes: number;
  /** Skipped damaged paths. */
  readonly damaged: readonly DamagedPath[];
}

export interface DamagedPath {
  readonly path: string;
  readonly reason: string;
  /** The commit of the shared ref that added it, with its date; only for the first few. */
  readonly commit?: string;
}

/** Maximum number of damaged paths whose commit is looked up. */
const maxAttributed = 20;

/**
 * Merges the shared data of a remote. Reads and verifies everything before changing anything; changes nothing with
 * `isDryRun`. Fails like `fetchState`, and with `no-share-remote`.
 */
export async function pull(
  workspace: Workspace,
  word: string | undefined,
  settings: ShareSettings,
  isDryRun = false,
): Promise<PullResult> {
  return withShare(workspace, word, "fetch", settings, async (share) => {
    const damage = settings.skipsDamaged === true ? new Damage() : undefined;
    const state = await fetchState(share, damage);
    const received: Received[] = [];
    try {
      if (state.commit !== null)
        for (const part of share.parts) received.push(await part.receive(share.scene, state.folder(part)));
    } catch (error) {
      await discardAll(received);
      throw error;
    }
    // So that a killed pull does not leave an outdated record.
    if (!isDryRun) removeRemoteRecord(share);
    const changes = isDryRun ? await discardAll(received) : await applyAll(received);
    await recordRemote(share, state);
    if (!isDryRun) await share.repository.repack();
    const summary = { ...changes, notes: [...share.notes, ...changes.notes] };
    const damaged = await damagedPaths(share, state, damage?.entries ?? []);
    return {
      remote: share.remote.name,
      hasSharedData: state.commit !== null,
      summary,
      wireBytes: state.wireBytes,
      damaged,
    };
  });
}

async function damagedPaths(
  { repository }: OpenShare,
  { commit }: RemoteState,
  entries: readonly DamagedEntry[],
): Promise<DamagedPath[]> {
  const paths: DamagedPath[] = [];
  for (const { path, failure } of entries) {
    const by =
      paths.length < maxAttributed && commit !== null ? await introducedBy(repository.git, commit, path) : null;
    paths.push({ path, reason: String(failure.data["reason"]), ...(by === null ? {} : { commit: by }) });
  }
  return paths;
}

async function discardAll(received: readonly Received[]): Promise<ShareSummary> {
  for (const each of received) await each.discard();
  return mergeSummaries(received.map(({ summary }) => summary));
}

async function applyAll(received: readonly Received[]): Promise<ShareSummary> {
  const summaries: ShareSummary[] = [];
  for (const each of received.toReversed()) summaries.unshift(await each.apply());
  return mergeSummaries(summaries);
}

function mergeSummaries(summaries: readonly ShareSummary[]): ShareSummary {
  const counts: Record<string, number> = {};
  for (const [name, count] of summaries.flatMap((each) => Object.entries(each.counts)))
    counts[name] = (counts[name] ?? 0) + count;
  return { counts, notes: summaries.flatMap(({ notes }) => notes) };
}
