import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { isIndex, maxPackedBytes, maxPackedObjects, unpackObject, verifyObject } from "../../formats/store/index.ts";
import { StoreLock, lstatOrNull, makeFolder, removeDurably, wrapWriteErrors } from "../durable/index.ts";
import { DigestTable, PackFile, PackWriter, memberPath, type Objects } from "../objects/index.ts";
import { packingOrder, type ProfileStore } from "./packing-plan.ts";

/** Receives the number of handled profiles. */
export type PackProgress = (done: number, total: number) => void;

export interface PackOptions {
  /** Versions whose profiles stay as they are. */
  readonly keep: ReadonlySet<VersionId>;
  /** Shown to processes that wait for the lock. */
  readonly command: string;
  readonly progress?: PackProgress;
}

/** Results of packing. */
export interface PackedProfiles {
  /** Profiles that left files of their own, and the bytes of these files. */
  readonly profiles: number;
  readonly before: number;
  /** The new packs and their bytes, with what they took over from smaller packs. */
  readonly packs: number;
  readonly after: number;
  /** Profiles that stay loose because they are too large. */
  readonly large: number;
  /** Profiles that stay as they are because they are damaged. */
  readonly damaged: readonly Digest[];
}

/**
 * Packs the registered profiles. A pack is durable and verified before the files of its objects are deleted, so a kill
 * at any moment loses nothing. Other processes may read and write the store meanwhile. Fails with `cannot-write`,
 * `lock-held` (by another packing process).
 */
export async function packProfiles(store: ProfileStore, options: PackOptions): Promise<PackedProfiles> {
  const { folder } = store.objects.packs;
  makeFolder(folder);
  return new StoreLock(join(folder, "lock"), options.command).holdAsync(() => new Packing(store).run(options));
}

class Packing {
  readonly #objects: Objects;
  readonly #store: ProfileStore;
  readonly #written = new DigestTable();
  readonly #damaged: Digest[] = [];
  readonly #totals = { profiles: 0, before: 0, packs: 0, after: 0, large: 0 };
  /** Loose objects of the pack being written, deleted once it is durable. */
  #loose: Digest[] = [];
  #writer: PackWriter | null = null;

  constructor(store: ProfileStore) {
    this.#store = store;
    this.#objects = store.objects;
  }

  async run({ keep, progress }: PackOptions): Promise<PackedProfiles> {
    try {
      const order = packingOrder(this.#store, keep);
      const merged = this.#packsToMerge(order);
      for (const [done, digest] of order.entries()) {
        await this.#packProfile(digest, merged);
        progress?.(done + 1, order.length);
      }
      const obsolete: PackFile[] = [];
      for (const pack of merged) if (await this.#takeOver(pack)) obsolete.push(pack);
      await this.#finishPack();
      for (const { path } of obsolete) removeDurably(path);
    } finally {
      this.#writer?.discard();
    }
    return { ...this.#totals, damaged: this.#damaged };
  }

  /**
   * Small packs are merged into the new one, so that their number grows with the logarithm of the objects, and each is
   * copied as often at most.
   */
  #packsToMerge(order: readonly Digest[]): PackFile[] {
    const { packs } = this.#objects.packs.list();
    let count = packs.length === 0 ? 0 : order.filter((digest) => !this.#objects.packs.has(digest)).length;
    const merged: PackFile[] = [];
    for (const pack of packs.toSorted((a, b) => a.count - b.count)) {
      if (pack.count > 2 * count || count + pack.count > maxPackedObjects) break;
      merged.push(pack);
      count += pack.count;
    }
    return merged;
  }

  async #packProfile(digest: Digest, merged: readonly PackFile[]): Promise<void> {
    const file = this.#objects.looseFile(digest);
    if (file !== null && isIndex(file)) return;
    const plain = file === null ? packedIn(merged, digest) : this.#unpacked(file, digest);
    if (plain === null) return;
    if (plain.length > maxPackedBytes) {
      this.#totals.large += 1;
      return;
    }
    if (file !== null && merged.length === 0 && packedIn(this.#objects.packs.list().packs, digest) !== null)
      return this.#deleteLoose(digest);
    if (file !== null) this.#loose.push(digest);
    await this.#write(digest, plain);
  }

  /** Null, and noted, if it is damaged. */
  #unpacked(file: Uint8Array, digest: Digest): Uint8Array | null {
    try {
      const plain = unpackObject(file, digest);
      verifyObject(plain, digest);
      return plain;
    } catch (error) {
      if (!isFailure(error, "object-damaged")) throw error;
      this.#damaged.push(digest);
      return null;
    }
  }

  /** Copies what is left of a pack. Returns false if it has damaged objects, so that the pack stays as evidence. */
  async #takeOver(pack: PackFile): Promise<boolean> {
    let isIntact = true;
    try {
      for (const { digest } of pack.entries()) {
        if (this.#written.get(digest) !== undefined) continue;
        const plain = packedIn([pack], digest);
        if (plain !== null) await this.#write(digest, plain);
        else isIntact = this.#damaged.push(digest) === 0;
      }
    } catch (error) {
      if (!isFailure(error, "pack-damaged")) throw error;
      return false;
    }
    return isIntact;
  }

  async #write(digest: Digest, plain: Uint8Array): Promise<void> {
    this.#writer ??= new PackWriter(this.#objects.packs.folder);
    await this.#writer.add(digest, plain);
    this.#written.set(digest, 1);
    if (this.#writer.isFull) await this.#finishPack();
  }

  async #finishPack(): Promise<void> {
    if (this.#writer === null) return;
    const path = await this.#writer.finish();
    this.#writer = null;
    verifyPack(path);
    this.#totals.packs += 1;
    this.#totals.after += lstatOrNull(path)?.size ?? 0;
    for (const digest of this.#loose) this.#deleteLoose(digest);
    this.#loose = [];
  }

  /** A deletion that a power cut undoes costs space only. */
  #deleteLoose(digest: Digest): void {
    const path = memberPath(this.#objects.folder, digest);
    const size = lstatOrNull(path)?.size;
    if (size === undefined) return;
    wrapWriteErrors(path, () => unlinkSync(path));
    this.#totals.profiles += 1;
    this.#totals.before += size;
  }
}

/** The verified plain form; null if none of the packs has an intact copy. */
function packedIn(packs: readonly PackFile[], digest: Digest): Uint8Array | null {
  for (const pack of packs)
    try {
      const plain = pack.plain(digest);
      if (plain === null) continue;
      verifyObject(plain, digest);
      return plain;
    } catch (error) {
      if (!isFailure(error, "object-damaged") && !isFailure(error, "pack-damaged")) throw error;
    }
  return null;
}

/** Reads a new pack back, since the only other copies of its objects are about to be deleted. */
function verifyPack(path: string): void {
  const pack = PackFile.open(path);
  if (pack === null) throw new Failure("cannot-read", { path, reason: "it was removed by another program" });
  try {
    for (const entry of pack.entries()) verifyObject(pack.plainOf(entry), entry.digest);
  } finally {
    pack.close();
  }
}
