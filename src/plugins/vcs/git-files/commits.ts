import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { MinorVersion, VersionId } from "../../../core/versions/index.ts";
import { maxObjectBytes, Pack } from "./pack.ts";
import { replacesCommits } from "./plain-repository.ts";

/** More packs are left to git, which has an index of them all. */
const maxPacks = 20;

/**
 * Reads commits of a plain repository without a process of git. Every object is verified by its id, so that a commit is
 * right or null: missing, damaged, replaced, elsewhere (alternates), or of a form that only git interprets.
 */
class Commits {
  readonly #folder: string;
  readonly #isReplaced: boolean;
  #packs: Pack[] | undefined;

  /** `folder`: the `.git` folder. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#isReplaced = replacesCommits(folder);
  }

  /** A commit with an id of 40 hex digits. */
  read(id: VersionId): MinorVersion | null {
    if (this.#isReplaced || id.length !== 40) return null;
    try {
      const bytes = this.#packed(id) ?? this.#loose(id);
      return bytes === null || !hasId(bytes, id) ? null : parseCommit(id, bytes);
    } catch {
      return null;
    }
  }

  close(): void {
    for (const pack of this.#packs ?? []) pack.close();
    this.#packs = undefined;
  }

  #packed(id: VersionId): Buffer | null {
    this.#packs ??= openPacks(join(this.#folder, "objects/pack"));
    const bytes = Buffer.from(id, "hex");
    for (const pack of this.#packs) {
      const commit = pack.commit(bytes);
      if (commit !== null) return commit;
    }
    return null;
  }

  #loose(id: VersionId): Buffer | null {
    const path = join(this.#folder, "objects", id.slice(0, 2), id.slice(2));
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts?.isFile() !== true || facts.size > maxObjectBytes) return null;
    const object = inflateSync(readFileSync(path), { maxOutputLength: maxObjectBytes });
    const end = object.indexOf(0);
    const body = object.subarray(end + 1);
    return object.toString("latin1", 0, end) === `commit ${body.length}` ? body : null;
  }
}

/** A commit, as `Commits` reads it. */
export function readCommit(folder: string, id: VersionId): MinorVersion | null {
  const commits = new Commits(folder);
  try {
    return commits.read(id);
  } finally {
    commits.close();
  }
}

/** Bytes of the indexes of packs with about 4,000 objects, those of some thousand commits. */
const manyIndexBytes = 1 << 17;

/** Whether git reads the whole history faster, by the sizes of pack indexes. `folder`: the `.git` folder. */
export function hasManyObjects(folder: string): boolean {
  const packs = join(folder, "objects/pack");
  let bytes = 0;
  for (const name of indexesIn(packs)) bytes += lstatSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes >= manyIndexBytes;
}

/** The indexes of packs; none if the folder cannot be listed, which is left to git. */
function indexesIn(packs: string): string[] {
  try {
    return readdirSync(packs).filter((name) => name.endsWith(".idx"));
  } catch {
    return [];
  }
}

function openPacks(folder: string): Pack[] {
  const names = indexesIn(folder);
  if (names.length > maxPacks) return [];
  const packs: Pack[] = [];
  for (const name of names) {
    try {
      packs.push(new Pack(join(folder, name.slice(0, -".idx".length))));
    } catch {
      // Its commits are left to git.
    }
  }
  return packs;
}

function hasId(bytes: Buffer, id: VersionId): boolean {
  const hash = createHash("sha1").update(`commit ${bytes.length}\0`).update(bytes);
  return hash.digest("hex") === id;
}

/** Names and messages in another encoding, and unusual lines, are left to git. */
const usualHead = new RegExp(
  [
    /^tree [0-9a-f]{40}\n((?:parent [0-9a-f]{40}\n)*)/,
    /author ([^\s<>](?:[^\n<>]*[^\s<>])?) <([^\s<>]*)> \d{1,10} [+-]\d{4}\n/,
    /committer [^\n<>]* <[^\n<>]*> (\d{1,10}) [+-]\d{4}\n/,
  ]
    .map(({ source }) => source)
    .join(""),
);

/** A commit as `git log --format=%H%P%an%ae%ct%B` prints it; null for a form that only git interprets. */
function parseCommit(id: VersionId, bytes: Buffer): MinorVersion | null {
  const end = bytes.indexOf("\n\n");
  if (end < 0 || bytes.includes(0)) return null;
  const head = bytes.toString("utf8", 0, end + 1);
  const found = usualHead.exec(head);
  if (found === null || /^encoding /m.test(head)) return null;
  const [, parents = "", author = "", email = "", date = ""] = found;
  return {
    id,
    parents: (parents.match(/[0-9a-f]{40}/g) ?? []) as unknown as readonly VersionId[],
    author,
    email,
    date: Number(date),
    ...descriptionOf(bytes.toString("utf8", end + 2)),
  };
}

/** Splits a message into its text and the number of its final newlines. */
export function descriptionOf(message: string): Pick<MinorVersion, "description" | "finalNewlines"> {
  let end = message.length;
  // Not a regular expression: one anchored at the end takes quadratic time on a message of newlines.
  while (end > 0 && message.charCodeAt(end - 1) === 10) end--;
  const finalNewlines = message.length - end;
  return { description: message.slice(0, end), ...(finalNewlines === 1 ? {} : { finalNewlines }) };
}

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
