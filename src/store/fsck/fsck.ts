import { join, relative } from "node:path";
import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { tooLarge, type ObjectHeader } from "../../formats/store/object.ts";
import { readProfileHeader } from "../../formats/profile/profile-header.ts";
import { isIndex } from "../../formats/store/version-index.ts";
import { FsckFindings, type FsckReport } from "./fsck-report.ts";
import { checkIndex } from "./fsck-index.ts";
import { fateOfWriter, isTemporaryName } from "../durable/temporary-files.ts";
import type { StoreLock } from "../durable/lock.ts";
import type { Objects } from "../objects/objects.ts";
import { flawOf, type Pending } from "../pending/pending.ts";
import { entriesOf, readPlainFile, statOf } from "../durable/regular-file.ts";
import { membersOf, type Member, type Stranger } from "../objects/object-paths.ts";
import type { Stats } from "../stats/stats.ts";
import { foldersOf } from "./sweep.ts";
import type { VersionIndexes } from "../index/version-index.ts";

/** What fsck walks. */
export interface Checked {
  readonly path: string;
  readonly lock: StoreLock;
  readonly objects: Objects;
  readonly versions: VersionIndexes;
  readonly pending: Pending;
  readonly stats: Stats;
}

/** Reads and verifies every file of the store, one at a time; changes nothing and needs no lock. */
export async function fsck(store: Checked): Promise<FsckReport> {
  const findings = new FsckFindings();
  const { members, strangers } = findings.reading({ path: "objects" }, () => membersOf(store.objects.folder)) ?? {
    members: [],
    strangers: [],
  };
  const { objects, versions } = await checkMembers(store, members, findings);
  for (const stranger of strangers) checkStranger(store, stranger, findings);
  const listed = checkIndexes(store, versions, objects, findings);
  noteUnlisted(store, objects, listed, findings);
  checkPending(store, findings);
  checkStats(store, findings);
  checkLock(store, findings);
  noteLeftovers(store, findings);
  return { problems: findings.problems, notes: findings.notes, checked: findings.checked };
}

/** Objects by id: what they are, or null when they are damaged. */
type CheckedObjects = Map<string, ObjectHeader["kind"] | null>;

/** Packed objects from this size on are read in pieces, since their content need not fit into memory. */
const large = 32 * 1024 * 1024;

/** Verifies objects at once; indexes are left for when all objects are known. */
async function checkMembers(
  store: Checked,
  members: readonly Member[],
  findings: FsckFindings,
): Promise<{ objects: CheckedObjects; versions: Set<VersionId> }> {
  const objects: CheckedObjects = new Map();
  const versions = new Set<VersionId>();
  for (const { path, id, companion } of members) {
    const where = relative(store.path, path);
    if (companion === undefined && (statOf(path)?.size ?? 0) > large) {
      findings.checked.objects += 1;
      objects.set(
        id,
        await findings.awaiting({ path: where, digest: id }, () => readThrough(store.objects, id as Digest)),
      );
      continue;
    }
    const bytes = findings.reading({ path: where }, () => readPlainFile(path));
    if (bytes === null || companion !== undefined) continue;
    if (id.length === 64 || isIndex(bytes)) {
      versions.add(id as VersionId);
    } else {
      findings.checked.objects += 1;
      objects.set(
        id,
        await findings.awaiting({ path: where, digest: id }, () => verified(store.objects, id as Digest)),
      );
    }
  }
  return { objects, versions };
}

/** Small files may still hold much: what does not fit is read in pieces, too. */
async function verified(objects: Objects, digest: Digest): Promise<ObjectHeader["kind"]> {
  try {
    return objects.get(digest, 4 * large).kind;
  } catch (error) {
    if (isFailure(error, "object-damaged") && error.data["reason"] === tooLarge(4 * large))
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
  store: Checked,
  versions: ReadonlySet<VersionId>,
  objects: CheckedObjects,
  findings: FsckFindings,
): Set<string> {
  const listed = new Set<string>();
  const whole = new Map([...objects].map(([id, kind]) => [id, kind !== null]));
  for (const version of versions) {
    const path = relative(store.path, join(store.objects.folder, version.slice(0, 2), version.slice(2)));
    findings.checked.indexes += 1;
    const file = findings.reading({ path, version }, () => store.versions.file(version));
    if (file === null) continue;
    findings.checked.entries += file.entries.length;
    for (const { digest } of file.entries) listed.add(digest);
    checkIndex({ path, version }, file, whole, findings);
  }
  return listed;
}

/**
 * A kill between object and index leaves such profiles, and `rm` keeps them. Attachments are listed by the experiment
 * database instead.
 */
function noteUnlisted(
  store: Checked,
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

function checkStranger(store: Checked, { path, name, isLink, isFile }: Stranger, findings: FsckFindings): void {
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
  const bytes = isFile ? findings.reading({ path: where }, () => readPlainFile(path)) : null;
  if (bytes !== null && (isIndex(bytes) || bytes[0] === 0x78))
    findings.problems.push({
      code: "misnamed-file",
      path: where,
      message: `${where} looks like an object or index but bears no such name`,
    });
  else findings.notes.push({ code: "foreign-file", path: where, message: `${where} is not part of the store` });
}

function checkPending(store: Checked, findings: FsckFindings): void {
  const entries = findings.reading({ path: "jobs" }, () => entriesOf(store.pending.folder)) ?? [];
  for (const entry of entries.filter(({ name }) => name.endsWith("perf"))) {
    const path = relative(store.path, join(store.pending.folder, entry.name));
    const bytes = findings.reading({ path }, () => readPlainFile(join(store.pending.folder, entry.name)));
    if (bytes === null) continue;
    const flaw = flawOf(entry.name);
    if (flaw !== null)
      findings.notes.push({
        code: "bad-profile-name",
        path,
        message: `pending profile left aside: its name cannot be used: ${flaw}`,
      });
    else noteUnreadable(path, bytes, entry.name, findings);
  }
}

function checkStats({ stats }: Checked, findings: FsckFindings): void {
  for (const version of findings.reading({ path: "stats" }, () => stats.versions()) ?? []) {
    const folder = join("stats", version.slice(0, 2), version.slice(2));
    for (const { name } of findings.reading({ path: folder, version }, () => stats.files(version)) ?? [])
      findings.reading({ path: join(folder, name), version }, () => stats.read(version, name));
  }
}

/** What waits in `jobs/` was put there by users and tools and is not part of what the store promised to keep. */
function noteUnreadable(path: string, bytes: Uint8Array, name: string, findings: FsckFindings): void {
  const trial = new FsckFindings();
  trial.reading({ path }, () => readProfileHeader(bytes, name));
  findings.notes.push(...trial.problems);
}

function checkLock(store: Checked, findings: FsckFindings): void {
  const holder = findings.reading({ path: "lock" }, () => store.lock.holder());
  if (holder === null) return;
  const { owner, command } = holder.record;
  const about = `process ${owner.pid} on ${owner.host} (${command})`;
  if (holder.fate === "dead")
    findings.notes.push({
      code: "dead-lock",
      path: "lock",
      message: `${about} died holding the lock; the next writer inherits it`,
    });
  else findings.notes.push({ code: "lock-held", path: "lock", message: `${about} holds the lock` });
}

function noteLeftovers(store: Checked, findings: FsckFindings): void {
  for (const folder of foldersOf(store.path)) {
    const names =
      findings.reading({ path: relative(store.path, folder) }, () => entriesOf(folder).map((entry) => entry.name)) ??
      [];
    for (const name of names.filter((each) => isTemporaryName(each) && fateOfWriter(each) !== "alive")) {
      const path = relative(store.path, join(folder, name));
      findings.notes.push({
        code: "leftover-file",
        path,
        message: `${path} was left by a killed process; perfkeep recover removes it`,
      });
    }
  }
}
