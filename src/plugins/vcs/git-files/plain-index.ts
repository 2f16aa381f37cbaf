import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Larger ones are left to git, as it reads them about as fast. */
const maxIndexBytes = 64 << 20;

const headerBytes = 12;
/** Times, mode, owner, size and SHA-1 of an entry, before its flags. */
const factsBytes = 60;
const checksumBytes = 20;
const assumeUnchanged = 0x8000;
const isExtended = 0x4000;
const skipWorktree = 0x4000;
const nameLength = 0x0fff;

/**
 * Whether files of the index in the folder `.git` may be marked as `assume-unchanged` or `skip-worktree`, so that
 * `git status` skips their changes. True also for indexes that only git can read: compressed, split or sparse ones, and
 * damaged ones. Format: gitformat-index(5), versions 2 and 3 with SHA-1.
 */
export function mayHaveMarks(folder: string): boolean {
  const path = join(folder, "index");
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return false;
  return facts.size > maxIndexBytes || !isUnmarkedIndex(readFileSync(path));
}

/** Whether the bytes of an index are plain, and no entry has a mark. */
export function isUnmarkedIndex(bytes: Buffer): boolean {
  const end = bytes.length - checksumBytes;
  if (end < headerBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return false;
  let at = headerBytes;
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const next = at + factsBytes + 2 > end ? 0 : nextEntry(bytes, at);
    if (next === 0 || next > end) return false;
    at = next;
  }
  return hasOnlyOptionalExtensions(bytes, at, end);
}

/** Where the entry after the one at `at` starts; 0 if this one has a mark or does not end. */
function nextEntry(bytes: Buffer, at: number): number {
  const flags = bytes.readUInt16BE(at + factsBytes);
  if ((flags & assumeUnchanged) !== 0) return 0;
  let name = at + factsBytes + 2;
  if ((flags & isExtended) !== 0) {
    if ((bytes.readUInt16BE(name) & skipWorktree) !== 0) return 0;
    name += 2;
  }
  const short = flags & nameLength;
  const end = short < nameLength ? name + short : bytes.indexOf(0, name + nameLength);
  // One to eight zeros fill the entry up to a multiple of eight bytes.
  return end < 0 ? 0 : at + ((end - at + 8) & ~7);
}

/** Git writes extensions that change the meaning of the entries with a lower-case name. */
function hasOnlyOptionalExtensions(bytes: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at < end) {
    const first = bytes[at] ?? 0;
    if (at + 8 > end || first < 0x41 || first > 0x5a) return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === end;
}
