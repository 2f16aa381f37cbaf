import { join, relative } from "node:path";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { tooLarge, type ObjectHeader } from "../../formats/store/object.ts";
import { readProfileHeader } from "../../formats/profile/profile-header.ts";
import { isIndex } from "../../formats/store/version-index.ts";
import { FsckFindings, type FsckReport } from "./fsck-report.ts";
import { checkIndex } from "./fsck-index.ts";
import { livenessOfWriter, isTemporaryName } from "../durable/temporary-files.ts";
import type { StoreLock } from "../durable/lock.ts";
import type { Objects } from "../objects/objects.ts";
import { profileNameError, type Pending } from "../pending/pending.ts";
import { listFolder, readRegularFile, lstatOrNull } from "../durable/regular-file.ts";
import { membersOf, type Member, type ForeignFile } from "../objects/object-paths.ts";
import type { Stats } from "../stats/stats.ts";
import { foldersOf } from "./sweep.ts";
import type { VersionIndexes } from "../index/version-index.ts";

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
  checkLock(store, findings);
  noteLeftovers(store, findings);
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

function checkLock(store: FsckTarget, findings: FsckFindings): void {
  const holder = findings.attempt({ path: "lock" }, () => store.lock.holder());
  if (holder === null) return;
  const { owner, command } = holder.record;
  const about = `process ${owner.pid} on ${owner.host} (${command})`;
  if (holder.liveness === "dead")
    findings.notes.push({
      code: "dead-lock",
      path: "lock",
      message: `${about} died holding the lock; the next writer inherits it`,
    });
  else findings.notes.push({ code: "lock-held", path: "lock", message: `${about} holds the lock` });
}

function noteLeftovers(store: FsckTarget, findings: FsckFindings): void {
  for (const folder of foldersOf(store.path)) {
    const names =
      findings.attempt({ path: relative(store.path, folder) }, () => listFolder(folder).map((entry) => entry.name)) ??
      [];
    for (const name of names.filter((each) => isTemporaryName(each) && livenessOfWriter(each) !== "alive")) {
      const path = relative(store.path, join(folder, name));
      findings.notes.push({
        code: "leftover-file",
        path,
        message: `${path} was left by a killed process; perfkeep recover removes it`,
      });
    }
  }
}
