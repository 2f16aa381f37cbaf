import { basename, join } from "node:path";
import { isFailure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { packObject, verifyObject } from "../../formats/store/index.ts";
import { StoreLock, isFolder, makeFolder, moveDurably, removeDurably } from "../durable/index.ts";
import { ObjectBatch, type Objects, type PackFile } from "../objects/index.ts";
import type { PackProgress } from "./pack-profiles.ts";
import { registeredProfiles, type ProfileStore } from "./packing-plan.ts";

/** Results of unpacking. */
export interface UnpackedProfiles {
  /** Profiles that are in files of their own again. */
  readonly profiles: number;
  /** Packs that were deleted, or moved to quarantine/ because they were damaged and nothing in them is missing. */
  readonly packs: number;
  readonly quarantined: readonly string[];
  /** Profiles without an intact copy; their packs stay. */
  readonly damaged: readonly Digest[];
  /** Packs that stay because they are damaged. */
  readonly kept: readonly string[];
}

/**
 * Writes all objects of packs to files of their own, durably, then deletes the packs. Fails with `cannot-write`,
 * `lock-held`.
 */
export async function unpackProfiles(
  store: ProfileStore,
  command: string,
  progress?: PackProgress,
): Promise<UnpackedProfiles> {
  const { folder } = store.objects.packs;
  if (!isFolder(folder)) return { profiles: 0, packs: 0, quarantined: [], damaged: [], kept: [] };
  return new StoreLock(join(folder, "lock"), command).holdAsync(() => new Unpacking(store).run(progress));
}

class Unpacking {
  readonly #store: ProfileStore;
  readonly #objects: Objects;
  readonly #quarantined: string[] = [];
  readonly #kept: string[] = [];
  readonly #damaged = new Set<Digest>();
  #profiles = 0;
  #packs = 0;

  constructor(store: ProfileStore) {
    this.#store = store;
    this.#objects = store.objects;
  }

  async run(progress?: PackProgress): Promise<UnpackedProfiles> {
    const { packs, damaged } = this.#objects.packs.list();
    const total = packs.reduce((sum, { count }) => sum + count, 0);
    for (const pack of packs) await this.#unpack(pack, () => progress?.(this.#profiles, total));
    for (const name of damaged.keys()) this.#setAside(join(this.#objects.packs.folder, name), this.#missing());
    return {
      profiles: this.#profiles,
      packs: this.#packs,
      quarantined: this.#quarantined,
      damaged: [...this.#damaged],
      kept: this.#kept,
    };
  }

  async #unpack(pack: PackFile, report: () => void): Promise<void> {
    const batch = new ObjectBatch(this.#objects.folder);
    const damaged: Digest[] = [];
    const entries = readableEntries(pack);
    for (const digest of entries ?? this.#registered()) {
      const plain = intactIn(pack, digest);
      if (plain === "damaged") damaged.push(digest);
      if (plain === "damaged" || plain === null) continue;
      await batch.add(digest, packObject(plain));
      this.#profiles += 1;
      report();
    }
    await batch.commit();
    if (entries === null || damaged.length > 0) this.#setAside(pack.path, [...this.#lost(damaged), ...this.#missing()]);
    else {
      removeDurably(pack.path);
      this.#packs += 1;
    }
  }

  /** Moves a damaged pack to quarantine, unless it may be needed for `lost` objects. */
  #setAside(path: string, lost: readonly Digest[]): void {
    for (const digest of lost) this.#damaged.add(digest);
    if (lost.length > 0) {
      this.#kept.push(path);
      return;
    }
    makeFolder(this.#objects.quarantine);
    const target = join(this.#objects.quarantine, basename(path));
    moveDurably(path, target);
    this.#packs += 1;
    this.#quarantined.push(target);
  }

  #lost(digests: readonly Digest[]): Digest[] {
    return digests.filter((digest) => !this.#objects.isIntact(digest));
  }

  /** Registered profiles that no file and no readable pack has. */
  #missing(): Digest[] {
    return [...this.#registered()].filter((digest) => !this.#objects.has(digest));
  }

  *#registered(): Generator<Digest> {
    for (const { digest } of registeredProfiles(this.#store)) yield digest;
  }
}

/** Null if the table is damaged as a whole; single objects may still be found. */
function readableEntries(pack: PackFile): Digest[] | null {
  try {
    return Array.from(pack.entries(), ({ digest }) => digest);
  } catch (error) {
    if (isFailure(error, "pack-damaged")) return null;
    throw error;
  }
}

function intactIn(pack: PackFile, digest: Digest): Uint8Array | "damaged" | null {
  try {
    const plain = pack.plain(digest);
    if (plain !== null) verifyObject(plain, digest);
    return plain;
  } catch (error) {
    if (isFailure(error, "pack-damaged") || isFailure(error, "object-damaged")) return "damaged";
    throw error;
  }
}
