import type { Workspace } from "../workspace.ts";
import { broughtBy, Damage, type DamagedEntry } from "./git/damaged-entries.ts";
import { fetchState, withShare, type OpenShare, type RemoteState, type ShareHow } from "./open-share.ts";
import { forgetRemote, noteRemote } from "./record-remote.ts";
import type { Received, ShareNews } from "./parts/share-part.ts";

/** What a pull did, or would do. */
export interface Pulled {
  readonly remote: string;
  /** False when the remote shares nothing yet. */
  readonly found: boolean;
  readonly news: ShareNews;
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
const mostAsked = 20;

/**
 * Takes over what the remote has. Everything is read and verified before anything is changed. With `isDryRun` nothing
 * is. Fails as `fetchState`, and with `no-share-remote`.
 */
export async function pull(
  workspace: Workspace,
  word: string | undefined,
  how: ShareHow,
  isDryRun = false,
): Promise<Pulled> {
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
    if (!isDryRun) forgetRemote(share);
    const news = isDryRun ? forgotten(received) : await applied(received);
    await noteRemote(share, state);
    if (!isDryRun) await share.repository.tidy();
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
    const by = told.length < mostAsked && commit !== null ? await broughtBy(repository.git, commit, path) : null;
    told.push({ path, reason: String(failure.data["reason"]), ...(by === null ? {} : { commit: by }) });
  }
  return told;
}

function forgotten(received: readonly Received[]): ShareNews {
  for (const each of received) each.discard();
  return joined(received.map(({ news }) => news));
}

async function applied(received: readonly Received[]): Promise<ShareNews> {
  const news: ShareNews[] = [];
  for (const each of received.toReversed()) news.unshift(await each.apply());
  return joined(news);
}

function joined(news: readonly ShareNews[]): ShareNews {
  const counts: Record<string, number> = {};
  for (const [name, count] of news.flatMap((each) => Object.entries(each.counts)))
    counts[name] = (counts[name] ?? 0) + count;
  return { counts, notes: news.flatMap(({ notes }) => notes) };
}
