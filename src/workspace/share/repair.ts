import { isFailure } from "../../core/failures/index.ts";
import { readBlobs } from "./git/blob-reader.ts";
import { Damage, previousBlobs, type DamagedEntry } from "./git/damage.ts";
import type { TreeChange } from "./git/fast-import.ts";
import { fetchedRef, fetchState, pushedRef, type OpenShare, type RemoteState } from "./open-share.ts";
import type { SharePart } from "./parts/share-part.ts";
import { pushShared, remoteId } from "./git/transport.ts";

/** Maximum number of lost races against other pushes. */
const maxAttempts = 10;

/**
 * Repairs a remote: each damaged entry is reset to its latest valid value, or removed. A remote that is completely
 * unreadable is reset to the commit fetched last. Valid data is not lost: instances that have more push it again.
 * Returns one line per repair.
 */
export async function repairShared(share: OpenShare): Promise<readonly string[]> {
  for (let attempt = 0; ; attempt++) {
    const found = await findDamage(share);
    const done =
      found === null ? await resetRemote(share) : await repairEntries(share, found.state, found.damage.entries);
    if (done.failure === null) return done.lines;
    if (attempt >= maxAttempts) throw done.failure;
  }
}

interface Done {
  readonly lines: readonly string[];
  readonly failure: Error | null;
}

/** Reads everything and returns the damage; null if the remote is unreadable. */
async function findDamage(share: OpenShare): Promise<{ readonly state: RemoteState; readonly damage: Damage } | null> {
  const damage = new Damage();
  try {
    const state = await fetchState(share, damage);
    for (const part of share.parts) {
      const folder = state.folder(part);
      // Reading records the damage.
      for await (const read of folder.read(folder.paths.keys())) void read;
    }
    return { state, damage };
  } catch (error) {
    if (
      isFailure(error, "share-refused") ||
      (isFailure(error, "share-failed") && /fsck|hasDot|fullPathname|treeNotSorted/.test(error.message))
    )
      return null;
    throw error;
  }
}

async function repairEntries(
  share: OpenShare,
  { commit }: RemoteState,
  entries: readonly DamagedEntry[],
): Promise<Done> {
  const { repository, remote, scene } = share;
  if (commit === null || entries.length === 0) return { lines: [], failure: null };
  const changes: TreeChange[] = [];
  const lines: string[] = [];
  for (const { path, failure } of entries) {
    const blob = await previousBlob(share, commit, path);
    changes.push(blob === null ? { path, isGone: true } : { path, blob });
    lines.push(`${blob === null ? "removed" : "reset"}: ${JSON.stringify(path)}: ${String(failure.data["reason"])}`);
  }
  const seconds = Math.floor(scene.workspace.world.now() / 1000);
  const repaired = await repository.commit(pushedRef(remote), commit, stream(changes), seconds);
  const { overtaken } = await pushShared(
    repository.git,
    remote,
    { commit: repaired, expected: commit },
    scene.progress,
  );
  return { lines, failure: overtaken };
}

/** Id of the latest valid blob of the path. */
async function previousBlob(
  { repository: { git }, parts, scene }: OpenShare,
  commit: string,
  path: string,
): Promise<string | null> {
  const [name, inner] = [path.slice(0, path.indexOf("/")), path.slice(path.indexOf("/") + 1)];
  const part = parts.find((each) => each.name === name);
  if (part === undefined || !part.accepts(inner)) return null;
  for (const blob of await previousBlobs(git, commit, path)) {
    for await (const { bytes } of readBlobs(git, [{ path, blob }], { cap: part.cap, damage: new Damage() }))
      if (isValid(part, inner, bytes, scene.workspace.world.now())) return blob;
  }
  return null;
}

function isValid(part: SharePart, path: string, bytes: Uint8Array, now: number): boolean {
  try {
    part.verify(path, bytes, now);
    return true;
  } catch (error) {
    if (isFailure(error, "share-refused")) return false;
    throw error;
  }
}

async function resetRemote(share: OpenShare): Promise<Done> {
  const { repository, remote, scene } = share;
  const expected = await remoteId(repository.git, remote);
  const before = await lastFetched(share);
  const seconds = Math.floor(scene.workspace.world.now() / 1000);
  const commit = before ?? (await repository.commit(pushedRef(remote), null, stream([]), seconds));
  const { overtaken } = await pushShared(repository.git, remote, { commit, expected }, scene.progress);
  return {
    lines: [
      `reset completely, to ${before === null ? "an empty state" : "the commit fetched last"}: it was unreadable`,
    ],
    failure: overtaken,
  };
}

/** The commit fetched last, if readable. */
async function lastFetched({ repository, remote, parts }: OpenShare): Promise<string | null> {
  try {
    const commit = await repository.commitOf(fetchedRef(remote));
    const byName = new Map(parts.map((part) => [part.name, part]));
    if (commit !== null) await repository.tree(commit, (name, path) => byName.get(name)?.accepts(path) ?? true);
    return commit;
  } catch (error) {
    if (isFailure(error, "share-refused")) return null;
    throw error;
  }
}

async function* stream(changes: readonly TreeChange[]): AsyncGenerator<TreeChange> {
  yield* changes;
}
