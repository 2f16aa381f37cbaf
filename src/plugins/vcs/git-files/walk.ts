import type { MinorVersion, VersionId } from "../../../core/versions/index.ts";
import { Commits } from "./commits.ts";

/** Commits in the first batch; each later one has twice as many. */
const firstBatch = 4;

/**
 * History from `head` in the order of `git log`: of all commits with a visited child, the one with the latest date is
 * next. `folder`: the `.git` folder of a plain repository. Yields batches of at most `limit` commits in all; returns
 * whether history ended with them, and not at a commit that only git reads.
 */
export function* walkCommits(
  folder: string,
  head: VersionId,
  limit: number,
): Generator<readonly MinorVersion[], boolean> {
  const commits = new Commits(folder);
  try {
    const first = commits.read(head);
    return first !== null && (yield* walkFrom(first, commits, limit));
  } finally {
    commits.close();
  }
}

function* walkFrom(first: MinorVersion, commits: Commits, limit: number): Generator<readonly MinorVersion[], boolean> {
  const seen = new Set<VersionId>([first.id]);
  const waiting = [first];
  let batch: MinorVersion[] = [];
  let size = firstBatch;
  let isReadable = true;
  for (let count = 0; count < limit && isReadable && waiting.length > 0; count++) {
    const commit = waiting.shift()!;
    batch.push(commit);
    for (const id of commit.parents) {
      if (seen.has(id)) continue;
      seen.add(id);
      const parent = commits.read(id);
      if (parent === null) isReadable = false;
      else insertByDate(waiting, parent);
    }
    if (batch.length === size) {
      yield batch;
      [batch, size] = [[], size * 2];
    }
  }
  if (batch.length > 0) yield batch;
  return isReadable && waiting.length === 0;
}

/** After those of the same date. */
function insertByDate(waiting: MinorVersion[], commit: MinorVersion): void {
  let at = waiting.length;
  while (at > 0 && waiting[at - 1]!.date < commit.date) at--;
  waiting.splice(at, 0, commit);
}
