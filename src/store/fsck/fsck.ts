import { join, relative } from "node:path";
import { isFailure } from "../../core/failures/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { readProfileHeader } from "../../formats/profile/index.ts";
import { decodeObject, tooLarge, type ObjectHeader, isIndex } from "../../formats/store/index.ts";
import { compareByCodePoint } from "../../formats/text/index.ts";
import { type StoreLock, listFolder, readRegularFile, lstatOrNull, isTemporaryName } from "../durable/index.ts";
import { CheckedObjects } from "./checked-objects.ts";
import { checkPacks, packedObjects } from "./check-packs.ts";
import { FsckFindings, type FsckReport } from "./fsck-report.ts";
import { noteLock, noteLeftovers } from "./leftovers.ts";
import type { VersionIndexes, IndexFile } from "../index/index.ts";
import { membersIn, openObjectStream, type Member, type ForeignFile, type Objects } from "../objects/index.ts";
import { profileNameError, type Pending } from "../pending/index.ts";
import type { Stats } from "../stats/index.ts";

/** The store that fsck checks. */
export interface FsckTarget {
  readonly path: string;
  readonly lock: StoreLock;
  readonly objects: Objects;
  readonly versions: VersionIndexes;
  readonly pending: Pending;
  readonly stats: Stats;
}

/** Reads and verifies every file of the store; writes nothing and needs no lock. Memory: about 50 bytes per object. */
export async function fsck(store: FsckTarget): Promise<FsckReport> {
  const findings = new FsckFindings();
  const objects = new CheckedObjects();
  await checkLoose(store, objects, findings);
  // After the loose objects, so that those packed meanwhile are found.
  checkPacks(store, objects, findings);
  checkIndexes(store, objects, findings);
  noteUnlisted(store, objects, findings);
  checkPending(store, findings);
  checkStats(store, findings);
  noteLock(store.lock, findings);
  noteLeftovers(store.path, findings);
  return { problems: findings.problems, notes: findings.notes, checked: findings.checked };
}

/** Packed objects above this size are streamed, since their body may not fit into memory. */
const streamingThreshold = 32 * 1024 * 1024;

/** Verifies loose objects. Indexes are only noted, since checking them requires all objects. */
async function checkLoose(store: FsckTarget, objects: CheckedObjects, findings: FsckFindings): Promise<void> {
  const foreignFiles: ForeignFile[] = [];
  const members = membersIn(store.objects.folder, (foreign) => foreignFiles.push(foreign));
  for (;;) {
    const next = findings.attempt({ path: "objects" }, () => members.next());
    if (next === null || next.done === true) break;
    await checkMember(store, next.value, objects, findings);
  }
  for (const foreign of foreignFiles) checkForeignFile(store, foreign, findings);
}

async function checkMember(
  store: FsckTarget,
  { path, id, companion }: Member,
  objects: CheckedObjects,
  findings: FsckFindings,
): Promise<void> {
  const where = relative(store.path, path);
  const size = companion === undefined ? (lstatOrNull(path)?.size ?? 0) : 0;
  const bytes = size > streamingThreshold ? null : findings.attempt({ path: where }, () => readRegularFile(path));
  if (companion !== undefined || (bytes === null && size <= streamingThreshold)) return;
  if (bytes !== null && (id.length === 64 || isIndex(bytes))) return objects.addIndex(id as VersionId);
  const digest = id as Digest;
  const verify = (): Promise<ObjectHeader["kind"]> => kindOf(bytes, { path, digest, size });
  objects.add(digest, await findings.attemptAsync({ path: where, digest }, verify));
  findings.checked.objects += 1;
}

/** Streams objects whose body does not fit into memory, also if their file is small. */
async function kindOf(
  bytes: Uint8Array | null,
  { path, digest, size }: { readonly path: string; readonly digest: Digest; readonly size: number },
): Promise<ObjectHeader["kind"]> {
  try {
    if (bytes !== null) return decodeObject(bytes, digest, 4 * streamingThreshold).kind;
  } catch (error) {
    if (!isFailure(error, "object-damaged") || error.data["reason"] !== tooLarge(4 * streamingThreshold)) throw error;
  }
  const { header, body } = await openObjectStream(path, digest, size);
  for await (const _ of body);
  return header.kind;
}

/** By the names of files, since a list of all versions may be long. */
function checkIndexes(store: FsckTarget, objects: CheckedObjects, findings: FsckFindings): void {
  for (const { path: file, id, companion } of membersIn(store.objects.folder)) {
    const version = id as VersionId;
    if (companion !== undefined || !objects.isIndex(version)) continue;
    const path = relative(store.path, file);
    findings.checked.indexes += 1;
    const index = findings.attempt({ path, version }, () => store.versions.file(version));
    if (index === null) continue;
    findings.checked.entries += index.entries.length;
    for (const { digest } of index.entries) objects.markListed(digest);
    const isStored = (digest: Digest): boolean => objects.has(digest) || store.objects.has(digest);
    checkIndex({ path, version }, index, isStored, findings);
  }
}

/**
 * `rm`, or a kill between writing object and index, leaves unlisted profiles. Attachments are listed by the experiment
 * database.
 */
function noteUnlisted(store: FsckTarget, objects: CheckedObjects, findings: FsckFindings): void {
  const note = (digest: Digest, path: string): void => {
    if (!objects.isUnlistedProfile(digest)) return;
    objects.markListed(digest);
    const message = `object ${digest} is in no version index`;
    findings.notes.push({ code: "unlisted-object", path: relative(store.path, path), digest, message });
  };
  for (const { id, companion, path } of membersIn(store.objects.folder))
    if (companion === undefined && id.length === 40) note(id as Digest, path);
  for (const { digest, path } of packedObjects(store.objects)) note(digest, path);
}

function checkForeignFile(
  store: FsckTarget,
  { path, name, isLink, isFile }: ForeignFile,
  findings: FsckFindings,
): void {
  const where = relative(store.path, path);
  if (isTemporaryName(name)) return;
  if (isLink) {
    findings.problems.push({
      code: "not-a-plain-file",
      path: where,
      message: `${where} is a symbolic link; it is not followed`,
    });
    return;
  }
  const bytes = isFile ? findings.attempt({ path: where }, () => readRegularFile(path)) : null;
  if (bytes !== null && (isIndex(bytes) || bytes[0] === 0x78))
    findings.problems.push({
      code: "misnamed-file",
      path: where,
      message: `${where} looks like an object or index but has no such name`,
    });
  else findings.notes.push({ code: "foreign-file", path: where, message: `${where} is not part of the store` });
}

function checkPending(store: FsckTarget, findings: FsckFindings): void {
  const entries = findings.attempt({ path: "jobs" }, () => listFolder(store.pending.folder)) ?? [];
  for (const entry of entries.filter(({ name }) => name.endsWith("perf"))) {
    const path = relative(store.path, join(store.pending.folder, entry.name));
    const bytes = findings.attempt({ path }, () => readRegularFile(join(store.pending.folder, entry.name)));
    if (bytes === null) continue;
    const error = profileNameError(entry.name);
    if (error !== null)
      findings.notes.push({
        code: "bad-profile-name",
        path,
        message: `pending profile ignored: its name cannot be used: ${error}`,
      });
    else noteUnreadable(path, bytes, entry.name, findings);
  }
}

function checkStats({ stats }: FsckTarget, findings: FsckFindings): void {
  for (const version of findings.attempt({ path: "stats" }, () => stats.versions()) ?? []) {
    const folder = join("stats", version.slice(0, 2), version.slice(2));
    for (const { name } of findings.attempt({ path: folder, version }, () => stats.files(version)) ?? [])
      findings.attempt({ path: join(folder, name), version }, () => stats.read(version, name));
  }
}

/** Unreadable pending profiles are notes: users and tools put them there, the store does not guarantee them. */
function noteUnreadable(path: string, bytes: Uint8Array, name: string, findings: FsckFindings): void {
  const trial = new FsckFindings();
  trial.attempt({ path }, () => readProfileHeader(bytes, name));
  findings.notes.push(...trial.problems);
}

// oxlint-disable-next-line no-control-regex -- searches for control characters
const looksForged = /[\u0000-\u001f/]/;

/** The location of an index in findings. */
interface IndexLocation {
  readonly path: string;
  readonly version: VersionId;
}

/** Checks a readable index. */
function checkIndex(
  location: IndexLocation,
  file: IndexFile,
  isStored: (digest: Digest) => boolean,
  findings: FsckFindings,
): void {
  checkEntries(location, file, isStored, findings);
  checkOrder(location, file, findings);
  checkDuplicates(location, file, findings);
  noteChecksum(location, file, findings);
}

function checkEntries(
  location: IndexLocation,
  file: IndexFile,
  isStored: (digest: Digest) => boolean,
  findings: FsckFindings,
): void {
  for (const { name, digest } of file.entries) {
    const quoted = JSON.stringify(name);
    const error = profileNameError(name);
    if (error !== null) {
      // Perun accepts any name; only names that no program would write count as damage.
      const list = looksForged.test(name) ? findings.problems : findings.notes;
      list.push({ ...location, digest, code: "bad-profile-name", message: `entry ${quoted}: ${error}` });
    }
    if (!isStored(digest))
      findings.problems.push({
        ...location,
        digest,
        code: "object-missing",
        message: `object ${digest} of entry ${quoted} is not in the store`,
      });
  }
}

/** By name only: Perun sorts equal names by local time as text, whose order a clock change can reverse. */
function checkOrder(location: IndexLocation, file: IndexFile, findings: FsckFindings): void {
  const names = file.entries.map((entry) => entry.name);
  const unsorted = names.find((name, i) => i > 0 && compareByCodePoint(names[i - 1] ?? "", name) > 0);
  if (unsorted !== undefined)
    findings.problems.push({
      ...location,
      code: "unsorted-index",
      message: `entry ${JSON.stringify(unsorted)} is out of order`,
    });
}

function checkDuplicates(location: IndexLocation, file: IndexFile, findings: FsckFindings): void {
  const seen = new Set<string>();
  for (const { name, digest, time } of file.entries) {
    const key = JSON.stringify([name, digest, time]);
    if (seen.has(key))
      findings.problems.push({
        ...location,
        digest,
        code: "duplicate-entry",
        message: `entry ${JSON.stringify(name)} is listed twice`,
      });
    seen.add(key);
  }
}

function noteChecksum(location: IndexLocation, file: IndexFile, findings: FsckFindings): void {
  if (file.formatVersion === 1)
    findings.notes.push({ ...location, code: "old-index", message: "index of format version 1" });
  if (file.checksum === "absent")
    findings.notes.push({ ...location, code: "no-checksum", message: "Perun wrote this index without a checksum" });
  if (file.checksum === "stale")
    findings.notes.push({
      ...location,
      code: "stale-checksum",
      message: "Perun wrote to this index after its checksum; the next write updates the checksum",
    });
}
