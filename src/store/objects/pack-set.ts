import { join } from "node:path";
import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { verifyObject } from "../../formats/store/index.ts";
import { listFolder } from "../durable/index.ts";
import { PackFile } from "./pack-file.ts";

const packName = /^[0-9a-f]{40}\.pack$/;

/** Whether `name` is the name of a pack. */
export function isPackName(name: string): boolean {
  return packName.test(name);
}

/** The packs of a store. The list is read again whenever an object is in none of the known packs. */
export class PackSet {
  readonly folder: string;
  #open = new Map<string, PackFile>();
  #damaged = new Map<string, Failure>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** All readable packs, by name, and why the others are not. */
  list(): { readonly packs: readonly PackFile[]; readonly damaged: ReadonlyMap<string, Failure> } {
    this.#rescan();
    const packs = [...this.#open.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return { packs, damaged: this.#damaged };
  }

  /** Whether a pack has the object; it may be damaged. A damaged pack counts as one without it. */
  has(digest: Digest): boolean {
    return this.#search((pack) => isIn(pack, digest) || null) !== null;
  }

  /** Why a pack cannot be read at all, which may have any object; null if all can. As of the last search. */
  get damage(): Failure | null {
    return [...this.#damaged.values()][0] ?? null;
  }

  /**
   * The verified plain form of an object; null if no readable pack has it. Fails with `object-damaged` if no intact
   * copy is left.
   */
  plain(digest: Digest): Uint8Array | null {
    let flaw: Failure | null = null;
    const found = this.#search((pack) => {
      try {
        const plain = pack.plain(digest);
        if (plain !== null) verifyObject(plain, digest);
        return plain;
      } catch (error) {
        if (isFailure(error, "object-damaged")) flaw = error;
        else if (isFailure(error, "pack-damaged")) flaw ??= damagedIn(pack, digest, error);
        else throw error;
        return null;
      }
    });
    if (found === null && flaw !== null) throw flaw as Failure;
    return found;
  }

  close(): void {
    for (const pack of this.#open.values()) pack.close();
    this.#open.clear();
  }

  /** The first result that is not null, of known packs, then of new ones. */
  #search<T>(action: (pack: PackFile) => T | null): T | null {
    const tried = new Set<PackFile>();
    for (let isFresh = false; ; isFresh = true) {
      for (const pack of this.#open.values()) {
        if (tried.has(pack)) continue;
        tried.add(pack);
        const result = action(pack);
        if (result !== null) return result;
      }
      if (isFresh) return null;
      this.#rescan();
    }
  }

  #rescan(): void {
    const names = listFolder(this.folder).filter(({ name }) => isPackName(name));
    const present = new Set(names.map(({ name }) => name));
    for (const [name, pack] of this.#open)
      if (!present.has(name)) {
        pack.close();
        this.#open.delete(name);
      }
    this.#damaged = new Map();
    for (const name of present) if (!this.#open.has(name)) this.#openPack(name);
  }

  #openPack(name: string): void {
    try {
      const pack = PackFile.open(join(this.folder, name));
      if (pack !== null) this.#open.set(name, pack);
    } catch (error) {
      if (!isFailure(error, "pack-damaged") && !isFailure(error, "not-a-plain-file")) throw error;
      this.#damaged.set(name, error);
    }
  }
}

function isIn(pack: PackFile, digest: Digest): boolean {
  try {
    return pack.has(digest);
  } catch (error) {
    if (isFailure(error, "pack-damaged")) return false;
    throw error;
  }
}

/** A pack that cannot be searched may have the object. */
function damagedIn(pack: PackFile, digest: Digest, { data }: Failure): Failure {
  return new Failure("object-damaged", { digest, reason: `${pack.path} is damaged: ${String(data["reason"])}` });
}
