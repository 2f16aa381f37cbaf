import type { ShareSummary } from "./share-summary.ts";
import { createHash } from "node:crypto";
import { isVersionId, type VersionId } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import {
  gitBlobId,
  displayTexts,
  duringMerge,
  withLocalChanges,
  type KnownSet,
  type SetNaming,
  standings,
  type Standing,
  decodeSharedSet,
  emptySet,
  encodeSharedSet,
  mergeSharedSets,
  type SharedSet,
} from "../../../formats/store/index.ts";
import { KnownSets } from "./known-sets.ts";
import type { LocalBlob, PartStanding, Received, SharePart, SharedFolder, ShareContext } from "./share-part.ts";

type TextsByVersion = ReadonlyMap<VersionId, readonly string[]>;

/** Versions whose texts are replaced together. */
const replacedTogether = 1000;

/** Sets of texts that an instance has for each version, with their storage. */
export interface VersionTexts {
  readonly name: string;
  readonly noun: SharePart["noun"];
  /** Why a text is invalid, or null. Texts of remotes are untrusted until checked. */
  findFlaw(text: string): string | null;
  /** See SetNaming. */
  keyOf(text: string): string;
  /** Texts with equal identities are the same for the user. */
  identityOf(text: string): string;
  /** Shared path that an identity refers to; null: none. */
  objectPath(identity: string): string | null;
  /** Versions that may have texts, other than known ones; `known`: known texts. */
  versions(scene: ShareContext, known: () => Iterable<string>): Iterable<VersionId>;
  /** Valid texts of a version. */
  current(scene: Pick<ShareContext, "workspace">, version: VersionId): readonly string[];
  /** Whether the filter selects a missing text. */
  isWanted(scene: ShareContext, text: string): boolean;
  /** Called with the selected missing texts by version, before data is received. */
  announce(texts: ReadonlyMap<VersionId, readonly string[]>): void;
  /**
   * Replaces the texts of versions, except for those not covered by `current`; skips unavailable ones and returns the
   * stored ones of each version. Called under the store lock.
   */
  replaceAll(scene: ShareContext, texts: TextsByVersion): TextsByVersion;
  /** Summary of added and removed texts. */
  summarize(added: number, removed: number, absent: number): ShareSummary;
}

/** Sets of texts by version, shared as observed-remove sets: `ab/cdef…` holds the set of version abcdef…. */
export class SetPart implements SharePart {
  readonly name: string;
  readonly noun: SharePart["noun"];
  readonly kind = "merged";
  readonly cap: number = 64 << 20;
  readonly #texts: VersionTexts;

  constructor(texts: VersionTexts) {
    this.name = texts.name;
    this.noun = texts.noun;
    this.#texts = texts;
  }

  accepts(path: string): boolean {
    return versionAt(path) !== null;
  }

  verify(path: string, bytes: Uint8Array): void {
    for (const text of decodeSharedSet(bytes, this.#at(path)).additions.values()) {
      const flaw = this.#texts.findFlaw(text);
      if (flaw !== null) throw new Failure("share-refused", { path: this.#at(path), reason: flaw });
    }
  }

  merge(path: string, ours: Uint8Array, theirs: Uint8Array): Uint8Array {
    return encodeSharedSet(mergeSharedSets(decodeSharedSet(ours, path), decodeSharedSet(theirs, path)));
  }

  async local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>> {
    const known = this.#updated(scene);
    known.save();
    const blobs = new Map<string, LocalBlob>();
    for (const path of known.paths()) {
      const bytes = encodeSharedSet(known.get(path).set);
      if (bytes.length > 0) blobs.set(path, { load: () => ({ bytes }) });
    }
    return blobs;
  }

  async receive(scene: ShareContext, remote: SharedFolder): Promise<Received> {
    const known = this.#updated(scene);
    const theirs = await this.#newSets(known, remote);
    const missing = new Map<VersionId, readonly string[]>();
    const counts = { added: 0, removed: 0, absent: 0 };
    for (const [path, set] of theirs) {
      const { selected, gone, absent } = this.#difference(scene, known.get(path), set);
      missing.set(versionAt(path)!, selected);
      counts.added += selected.length;
      counts.removed += gone;
      counts.absent += absent;
    }
    this.#texts.announce(missing);
    return {
      summary: this.#texts.summarize(counts.added, counts.removed, counts.absent),
      apply: async () => scene.workspace.store().lock.hold(() => this.#apply(scene, theirs)),
      discard: async () => {},
    };
  }

  async standing(scene: ShareContext, remote: SharedFolder, isThere: (path: string) => boolean): Promise<PartStanding> {
    const known = this.#updated(scene);
    const theirs = await this.#newSets(known, remote);
    const versions = new Map<VersionId, ReadonlyMap<string, Standing>>();
    const isComplete = (identity: string): boolean => {
      const path = this.#texts.objectPath(identity);
      return path === null || isThere(path);
    };
    for (const path of new Set([...known.paths(), ...remote.paths.keys()])) {
      const version = versionAt(path);
      if (version === null) continue;
      const ours = known.get(path);
      const isSame = gitBlobId(encodeSharedSet(ours.set)) === remote.paths.get(path);
      // Damaged sets were skipped.
      const there = theirs.get(path) ?? (isSame ? ours.set : emptySet);
      versions.set(version, standings(ours, there, this.#texts, isComplete));
    }
    return { kind: "versions", versions };
  }

  /** The known sets, updated with the current texts. */
  #updated(scene: ShareContext): KnownSets {
    const known = new KnownSets(scene.folder, this.name);
    const paths = new Set([...known.paths(), ...[...this.#texts.versions(scene, () => known.texts())].map(pathOf)]);
    for (const path of paths) {
      const version = versionAt(path);
      if (version !== null)
        known.set(
          path,
          withLocalChanges(known.get(path), this.#texts.current(scene, version), this.#naming(scene, path)),
        );
    }
    return known;
  }

  /** Sets of the remote with unknown additions or removals. */
  async #newSets(known: KnownSets, remote: SharedFolder): Promise<Map<string, SharedSet>> {
    const paths = [...remote.paths].filter(
      ([path, blob]) => gitBlobId(encodeSharedSet(known.get(path).set)) !== blob || known.get(path).absent.size > 0,
    );
    const sets = new Map<string, SharedSet>();
    for await (const { path, bytes } of remote.read(paths.map(([path]) => path)))
      sets.set(path, decodeSharedSet(bytes, path));
    return sets;
  }

  #difference(
    scene: ShareContext,
    known: KnownSet,
    theirs: SharedSet,
  ): { selected: string[]; gone: number; absent: number } {
    const { keyOf } = this.#texts;
    const before = displayTexts(known.set.additions.values(), keyOf);
    const after = displayTexts(mergeSharedSets(known.set, theirs).additions.values(), keyOf);
    const changed = [...after]
      .filter(([key, text]) => known.absent.has(key) || before.get(key) !== text)
      .map(([, text]) => text);
    const selected = changed.filter((text) => this.#texts.isWanted(scene, text));
    const gone = [...before.keys()].filter((key) => !after.has(key) && !known.absent.has(key)).length;
    return { selected, gone, absent: changed.length - selected.length };
  }

  /**
   * Runs under the lock and includes changes of the user in the meantime. Saves before and after, so that a kill in
   * between is not taken for changes of the user.
   */
  #apply(scene: ShareContext, theirs: ReadonlyMap<string, SharedSet>): ShareSummary {
    const { keyOf } = this.#texts;
    const known = this.#updated(scene);
    const merged = new Map([...theirs].map(([path, set]) => [path, mergeSharedSets(known.get(path).set, set)]));
    for (const [path, set] of merged)
      known.set(path, duringMerge(known.get(path), set, this.#texts.current(scene, versionAt(path)!), keyOf));
    known.save();
    const counts = { added: 0, removed: 0, absent: 0 };
    let done = 0;
    scene.progress.phase(`writing ${this.noun[1]}`);
    for (const sets of slices([...merged], replacedTogether)) {
      scene.progress.show(done, merged.size);
      done += sets.length;
      for (const [path, { set, added, removed, absent }] of this.#applySets(scene, sets)) {
        known.set(path, { set, absent: new Set(absent) });
        counts.added += added;
        counts.removed += removed;
        counts.absent += absent.length;
      }
    }
    known.save();
    return this.#texts.summarize(counts.added, counts.removed, counts.absent);
  }

  #applySets(
    scene: ShareContext,
    sets: readonly (readonly [path: string, set: SharedSet])[],
  ): (readonly [path: string, applied: AppliedSet])[] {
    const { keyOf } = this.#texts;
    const given = sets.map(([path, set]) => {
      const version = versionAt(path)!;
      const held = displayTexts(this.#texts.current(scene, version), keyOf);
      const all = displayTexts(set.additions.values(), keyOf);
      const selected = [...all]
        .filter(([key, text]) => held.has(key) || this.#texts.isWanted(scene, text))
        .map(([, text]) => text);
      return { path, set, version, held, all, selected };
    });
    const stored = this.#texts.replaceAll(scene, new Map(given.map(({ version, selected }) => [version, selected])));
    return given.map(({ path, set, version, held, all }) => {
      const now = new Set((stored.get(version) ?? []).map(keyOf));
      const added = [...now].filter((key) => !held.has(key)).length;
      const removed = [...held.keys()].filter((key) => !now.has(key)).length;
      return [path, { set, added, removed, absent: [...all.keys()].filter((key) => !now.has(key)) }];
    });
  }

  #naming(scene: ShareContext, path: string): SetNaming {
    const idOf = (text: string, ended: number): string =>
      createHash("sha1")
        .update(JSON.stringify([scene.instance, this.name, path, text, ended]))
        .digest("hex")
        .slice(0, 16);
    return { keyOf: (text) => this.#texts.keyOf(text), idOf };
  }

  #at(path: string): string {
    return `${this.name}/${path}`;
  }
}

/** A set after its texts were stored. */
interface AppliedSet {
  readonly set: SharedSet;
  /** Numbers of texts. */
  readonly added: number;
  readonly removed: number;
  /** Keys of texts that were not stored. */
  readonly absent: readonly string[];
}

function* slices<T>(all: readonly T[], length: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}

function pathOf(version: VersionId): string {
  return `${version.slice(0, 2)}/${version.slice(2)}`;
}

function versionAt(path: string): VersionId | null {
  const version = path.replace("/", "");
  return path[2] === "/" && isVersionId(version) ? version : null;
}
