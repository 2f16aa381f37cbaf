import type { Workspace } from "../workspace.ts";
import { fetchState, withShare, type ShareHow } from "./open-share.ts";
import type { Received, ShareNews } from "./share-part.ts";

/** What a pull did, or would do. */
export interface Pulled {
  readonly remote: string;
  /** False when the remote shares nothing yet. */
  readonly found: boolean;
  readonly news: ShareNews;
  /** As git tells them, rounded. */
  readonly wireBytes: number;
}

/**
 * Takes over what the remote has. Everything is read and verified before anything is changed. With `isDryRun` nothing is. Fails as `fetchState`, and with
 * `no-share-remote`.
 */
export async function pull(workspace: Workspace, word: string | undefined, how: ShareHow, isDryRun = false): Promise<Pulled> {
  return withShare(workspace, word, "fetch", how, async (share) => {
    const state = await fetchState(share);
    const received: Received[] = [];
    try {
      if (state.commit !== null) for (const part of share.parts) received.push(await part.receive(share.scene, state.folder(part)));
    } catch (error) {
      for (const each of received) each.discard();
      throw error;
    }
    const news = isDryRun ? forgotten(received) : await applied(received);
    if (!isDryRun) await share.repository.tidy();
    const told = { ...news, notes: [...share.notes, ...news.notes] };
    return { remote: share.remote.name, found: state.commit !== null, news: told, wireBytes: state.wireBytes };
  });
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
  for (const [name, count] of news.flatMap((each) => Object.entries(each.counts))) counts[name] = (counts[name] ?? 0) + count;
  return { counts, notes: news.flatMap(({ notes }) => notes) };
}
