import { join, relative } from "node:path";
import { isFailure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { verifyObject, type PackedEntry } from "../../formats/store/index.ts";
import { isTemporaryName, listFolder } from "../durable/index.ts";
import { isPackName, type Objects, type PackFile } from "../objects/index.ts";
import type { CheckedObjects } from "./checked-objects.ts";
import type { FsckFindings } from "./fsck-report.ts";

/** The part of a store with packs. */
interface PackedStore {
  readonly path: string;
  readonly objects: Objects;
}

/** A damaged copy of an object in a pack. */
interface DamagedCopy {
  readonly digest: Digest;
  readonly path: string;
  readonly message: string;
}

/** Verifies every object of every pack, a group at a time, and names those that are damaged. */
export function checkPacks(store: PackedStore, objects: CheckedObjects, findings: FsckFindings): void {
  const list = findings.attempt({ path: "packs" }, () => store.objects.packs.list());
  if (list === null) return;
  for (const [name, { code, message }] of list.damaged)
    findings.problems.push({ code, path: join("packs", name), message });
  const damaged = list.packs.flatMap((pack) => checkPack(store, pack, objects, findings));
  for (const { digest, path, message } of damaged)
    if (objects.isIntact(digest))
      findings.notes.push({ code: "damaged-copy", path, digest, message: obsolete(digest) });
    else findings.problems.push({ code: "object-damaged", path, digest, message });
  noteForeignFiles(store, findings);
}

function obsolete(digest: Digest): string {
  return `this copy of object ${digest} is damaged, another one is intact; perfkeep gc --unpack removes it`;
}

function checkPack(store: PackedStore, pack: PackFile, objects: CheckedObjects, findings: FsckFindings): DamagedCopy[] {
  const path = relative(store.path, pack.path);
  const damaged: DamagedCopy[] = [];
  findings.attempt({ path }, () => {
    for (const entry of pack.entries()) {
      const { digest } = entry;
      if (!objects.has(digest)) findings.checked.objects += 1;
      const kind = kindIn(pack, entry);
      if (typeof kind === "object") damaged.push({ digest, path, message: kind.reason });
      objects.add(digest, typeof kind === "object" ? null : kind);
    }
  });
  return damaged;
}

function kindIn(pack: PackFile, entry: PackedEntry): "profile" | "attachment" | { readonly reason: string } {
  try {
    return verifyObject(pack.plainOf(entry), entry.digest).kind;
  } catch (error) {
    if (isFailure(error, "object-damaged")) return { reason: error.message };
    if (isFailure(error, "pack-damaged"))
      return { reason: `object ${entry.digest} is damaged: ${String(error.data["reason"])}` };
    throw error;
  }
}

function noteForeignFiles(store: PackedStore, findings: FsckFindings): void {
  const isOurs = (name: string): boolean => isPackName(name) || isTemporaryName(name) || name.startsWith("lock");
  for (const { name } of listFolder(store.objects.packs.folder)) {
    const path = join("packs", name);
    if (!isOurs(name)) findings.notes.push({ code: "foreign-file", path, message: `${path} is not part of the store` });
  }
}

/** The objects of all packs whose tables are intact, with the paths of the packs. */
export function* packedObjects(objects: Objects): Generator<{ readonly digest: Digest; readonly path: string }> {
  for (const pack of objects.packs.list().packs) {
    const entries = pack.entries();
    for (;;) {
      const next = nextOf(entries);
      if (next === null) break;
      yield { digest: next.digest, path: pack.path };
    }
  }
}

/** Null at the end, and for a damaged table, which `checkPacks` has reported. */
function nextOf(entries: Generator<PackedEntry>): PackedEntry | null {
  try {
    const next = entries.next();
    return next.done === true ? null : next.value;
  } catch (error) {
    if (isFailure(error, "pack-damaged")) return null;
    throw error;
  }
}
