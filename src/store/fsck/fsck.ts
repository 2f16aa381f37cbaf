import { join, relative } from "node:path";
import { isFailure } from "../../core/failures/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { readProfileHeader } from "../../formats/profile/index.ts";
import { tooLarge, type ObjectHeader, isIndex } from "../../formats/store/index.ts";
import { compareByCodePoint } from "../../formats/text/index.ts";
import { type StoreLock, listFolder, readRegularFile, lstatOrNull, isTemporaryName } from "../durable/index.ts";
import { FsckFindings, type FsckReport } from "./fsck-report.ts";
import { noteLock, noteLeftovers } from "./leftovers.ts";
import type { VersionIndexes, IndexFile } from "../index/index.ts";
import { membersOf, type Member, type ForeignFile, type Objects } from "../objects/index.ts";
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

/** Reads and verifies every file of the store; writes nothing and needs no lock. */
export async function fsck(store: FsckTarget): Promise<FsckReport> {
  const findings = new FsckFindings();
  const { members, foreignFiles } = findings.attempt({ path: "objects" }, () => membersOf(store.objects.folder)) ?? {
    members: [],
    foreignFiles: [],
  };
  const { objects, versions } = await checkMembers(store, members, findings);
  for (const foreign of foreignFiles) checkForeignFile(store, foreign, findings);
  const listed = checkIndexes(store, versions, objects, findings);
  noteUnlisted(store, objects, listed, findings);
  checkPending(store, findings);
  checkStats(store, findings);
  noteLock(store.lock, findings);
  noteLeftovers(store.path, findings);
  return { problems: findings.problems, notes: findings.notes, checked: findings.checked };
}

/** The kinds of objects by id; null if damaged. */
type CheckedObjects = Map<string, ObjectHeader["kind"] | null>;

/** Packed objects above this size are streamed, since their body may not fit into memory. */
const streamingThreshold = 32 * 1024 * 1024;

/** Verifies objects. Indexes are only collected, since checking them requires all objects. */
async function checkMembers(
  store: FsckTarget,
  members: readonly Member[],
  findings: FsckFindings,
): Promise<{ objects: CheckedObjects; versions: Set<VersionId> }> {
  const objects: CheckedObjects = new Map();
  const versions = new Set<VersionId>();
  for (const { path, id, companion } of members) {
    const where = relative(store.path, path);
    if (companion === undefined && (lstatOrNull(path)?.size ?? 0) > streamingThreshold) {
      findings.checked.objects += 1;
      objects.set(
        id,
        await findings.attemptAsync({ path: where, digest: id }, () => readThrough(store.objects, id as Digest)),
      );
      continue;
    }
    const bytes = findings.attempt({ path: where }, () => readRegularFile(path));
    if (bytes === null || companion !== undefined) continue;
    if (id.length === 64 || isIndex(bytes)) {
      versions.add(id as VersionId);
    } else {
      findings.checked.objects += 1;
      objects.set(
        id,
        await findings.attemptAsync({ path: where, digest: id }, () => verify(store.objects, id as Digest)),
      );
    }
  }
  return { objects, versions };
}

/** Streams objects whose packed file is small but whose body does not fit into memory. */
async function verify(objects: Objects, digest: Digest): Promise<ObjectHeader["kind"]> {
  try {
    return objects.get(digest, 4 * streamingThreshold).kind;
  } catch (error) {
    if (isFailure(error, "object-damaged") && error.data["reason"] === tooLarge(4 * streamingThreshold))
      return readThrough(objects, digest);
    throw error;
  }
}

async function readThrough(objects: Objects, digest: Digest): Promise<ObjectHeader["kind"]> {
  const { header, body } = await objects.open(digest);
  for await (const _ of body);
  return header.kind;
}

function checkIndexes(
  store: FsckTarget,
  versions: ReadonlySet<VersionId>,
  objects: CheckedObjects,
  findings: FsckFindings,
): Set<string> {
  const listed = new Set<string>();
  const intact = new Map([...objects].map(([id, kind]) => [id, kind !== null]));
  for (const version of versions) {
    const path = relative(store.path, join(store.objects.folder, version.slice(0, 2), version.slice(2)));
    findings.checked.indexes += 1;
    const file = findings.attempt({ path, version }, () => store.versions.file(version));
    if (file === null) continue;
    findings.checked.entries += file.entries.length;
    for (const { digest } of file.entries) listed.add(digest);
    checkIndex({ path, version }, file, intact, findings);
  }
  return listed;
}

/**
 * `rm`, or a kill between writing object and index, leaves unlisted profiles. Attachments are listed by the experiment
 * database.
 */
function noteUnlisted(
  store: FsckTarget,
  objects: CheckedObjects,
  listed: ReadonlySet<string>,
  findings: FsckFindings,
): void {
  for (const [digest, kind] of objects) {
    if (kind !== "profile" || listed.has(digest)) continue;
    const path = relative(store.path, join(store.objects.folder, digest.slice(0, 2), digest.slice(2)));
    findings.notes.push({ code: "unlisted-object", path, digest, message: `object ${digest} is in no version index` });
  }
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

/** Checks a readable index. `objects` maps the digests in the store to whether they are intact. */
function checkIndex(
  location: IndexLocation,
  file: IndexFile,
  objects: ReadonlyMap<string, boolean>,
  findings: FsckFindings,
): void {
  checkEntries(location, file, objects, findings);
  checkOrder(location, file, findings);
  checkDuplicates(location, file, findings);
  noteChecksum(location, file, findings);
}

function checkEntries(
  location: IndexLocation,
  file: IndexFile,
  objects: ReadonlyMap<string, boolean>,
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
    if (!objects.has(digest))
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
