import type { ShareSummary } from "./share-news.ts";
import { createHash } from "node:crypto";
import { isVersionId, type VersionId } from "../../../core/versions/digest.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { gitBlobId } from "../../../formats/store/sharing/git-blob.ts";
import {
  shownTexts,
  underWay,
  withHeld,
  type KnownSet,
  type SetNaming,
} from "../../../formats/store/sharing/observed-remove-changes.ts";
import { standings, type Standing } from "../../../formats/store/sharing/observed-remove-status.ts";
import {
  decodeSharedSet,
  emptySet,
  encodeSharedSet,
  mergeSharedSets,
  type SharedSet,
} from "../../../formats/store/sharing/observed-remove-set.ts";
import { KnownSets } from "./known-sets.ts";
import type { LocalBlob, PartStanding, Received, SharePart, SharedFolder, ShareContext } from "./share-part.ts";

/** Texts that an instance holds for each version, and how it comes to hold others. */
export interface VersionTexts {
  readonly name: string;
  readonly noun: SharePart["noun"];
  /** Why a text cannot be one of these, or null when it can. Texts of remotes are hostile until this was asked. */
  findFlaw(text: string): string | null;
  /** See SetNaming. */
  keyOf(text: string): string;
  /** Texts with one identity are the same to the user. */
  identityOf(text: string): string;
  /** What such a one names, as a path of all that is shared; null: nothing. */
  objectPath(identity: string): string | null;
  /** Versions that may hold some beside those that are known; `known`: texts of those. */
  versions(scene: ShareContext, known: () => Iterable<string>): Iterable<VersionId>;
  /** Without a flaw, each. */
  current(scene: Pick<ShareContext, "workspace">, version: VersionId): readonly string[];
  /** Whether a text that is not here is to be. */
  isWanted(scene: ShareContext, text: string): boolean;
  /** What will be wanted once everything has been received: texts that are not here yet, by version. */
  announce(texts: ReadonlyMap<VersionId, readonly string[]>): void;
  /**
   * Makes the version hold exactly `texts`, but for those that cannot be had, and beside what `held` does not tell;
   * answers which of them it holds then. Called under the lock of the store.
   */
  replace(scene: ShareContext, version: VersionId, texts: readonly string[]): readonly string[];
  /** The news of texts that came and went. */
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

  verify(path: string, content: Uint8Array): void {
    for (const text of decodeSharedSet(content, this.#at(path)).additions.values()) {
      const flaw = this.#texts.findFlaw(text);
      if (flaw !== null) throw new Failure("share-refused", { path: this.#at(path), reason: flaw });
    }
  }

  merge(path: string, ours: Uint8Array, theirs: Uint8Array): Uint8Array {
    return encodeSharedSet(mergeSharedSets(decodeSharedSet(ours, path), decodeSharedSet(theirs, path)));
  }

  async local(scene: ShareContext): Promise<ReadonlyMap<string, LocalBlob>> {
    const known = this.#looked(scene);
    known.save();
    const contents = new Map<string, LocalBlob>();
    for (const path of known.paths()) {
      const content = encodeSharedSet(known.get(path).set);
      if (content.length > 0) contents.set(path, { load: () => content });
    }
    return contents;
  }

  async receive(scene: ShareContext, remote: SharedFolder): Promise<Received> {
    const known = this.#looked(scene);
    const theirs = await this.#newSets(known, remote);
    const missing = new Map<VersionId, readonly string[]>();
    const counts = { added: 0, removed: 0, absent: 0 };
    for (const [path, set] of theirs) {
      const { wanted, gone, absent } = this.#difference(scene, known.get(path), set);
      missing.set(versionAt(path)!, wanted);
      counts.added += wanted.length;
      counts.removed += gone;
      counts.absent += absent;
    }
    this.#texts.announce(missing);
    return {
      summary: this.#texts.summarize(counts.added, counts.removed, counts.absent),
      apply: async () => scene.workspace.store().lock.hold(() => this.#apply(scene, theirs)),
      discard: () => {},
    };
  }

  async standing(scene: ShareContext, remote: SharedFolder, isThere: (path: string) => boolean): Promise<PartStanding> {
    const known = this.#looked(scene);
    const theirs = await this.#newSets(known, remote);
    const versions = new Map<VersionId, ReadonlyMap<string, Standing>>();
    const isWhole = (identity: string): boolean => {
      const path = this.#texts.objectPath(identity);
      return path === null || isThere(path);
    };
    for (const path of new Set([...known.paths(), ...remote.paths.keys()])) {
      const version = versionAt(path);
      if (version === null) continue;
      const ours = known.get(path);
      const isSame = gitBlobId(encodeSharedSet(ours.set)) === remote.paths.get(path);
      // What is damaged there was left out.
      const there = theirs.get(path) ?? (isSame ? ours.set : emptySet);
      versions.set(version, standings(ours, there, this.#texts, isWhole));
    }
    return { kind: "versions", versions };
  }

  /** What is known, brought up to what the instance holds now. */
  #looked(scene: ShareContext): KnownSets {
    const known = new KnownSets(scene.folder, this.name);
    const paths = new Set([...known.paths(), ...[...this.#texts.versions(scene, () => known.texts())].map(pathOf)]);
    for (const path of paths) {
      const version = versionAt(path);
      if (version !== null)
        known.set(path, withHeld(known.get(path), this.#texts.current(scene, version), this.#naming(scene, path)));
    }
    return known;
  }

  /** The sets of the remote that tell something that is not known here. */
  async #newSets(known: KnownSets, remote: SharedFolder): Promise<Map<string, SharedSet>> {
    const paths = [...remote.paths].filter(
      ([path, blob]) => gitBlobId(encodeSharedSet(known.get(path).set)) !== blob || known.get(path).absent.size > 0,
    );
    const sets = new Map<string, SharedSet>();
    for await (const { path, bytes: content } of remote.read(paths.map(([path]) => path)))
      sets.set(path, decodeSharedSet(content, path));
    return sets;
  }

  #difference(
    scene: ShareContext,
    known: KnownSet,
    theirs: SharedSet,
  ): { wanted: string[]; gone: number; absent: number } {
    const { keyOf } = this.#texts;
    const before = shownTexts(known.set.additions.values(), keyOf);
    const after = shownTexts(mergeSharedSets(known.set, theirs).additions.values(), keyOf);
    const news = [...after]
      .filter(([key, text]) => known.absent.has(key) || before.get(key) !== text)
      .map(([, text]) => text);
    const wanted = news.filter((text) => this.#texts.isWanted(scene, text));
    const gone = [...before.keys()].filter((key) => !after.has(key) && !known.absent.has(key)).length;
    return { wanted, gone, absent: news.length - wanted.length };
  }

  /**
   * Under the lock: what the user did in the meantime is looked at once more. What is known is written before and
   * after, so that a kill in between is nobody's doing.
   */
  #apply(scene: ShareContext, theirs: ReadonlyMap<string, SharedSet>): ShareSummary {
    const { keyOf } = this.#texts;
    const known = this.#looked(scene);
    const merged = new Map([...theirs].map(([path, set]) => [path, mergeSharedSets(known.get(path).set, set)]));
    for (const [path, set] of merged)
      known.set(path, underWay(known.get(path), set, this.#texts.current(scene, versionAt(path)!), keyOf));
    known.save();
    const counts = { added: 0, removed: 0, absent: 0 };
    let done = 0;
    scene.progress.phase(`writing ${this.noun[1]}`);
    for (const [path, set] of merged) {
      scene.progress.show(done++, merged.size);
      const { added, removed, absent } = this.#applySet(scene, path, set);
      known.set(path, { set, absent: new Set(absent) });
      counts.added += added;
      counts.removed += removed;
      counts.absent += absent.length;
    }
    known.save();
    return this.#texts.summarize(counts.added, counts.removed, counts.absent);
  }

  #applySet(
    scene: ShareContext,
    path: string,
    set: SharedSet,
  ): { added: number; removed: number; absent: readonly string[] } {
    const { keyOf } = this.#texts;
    const version = versionAt(path)!;
    const held = shownTexts(this.#texts.current(scene, version), keyOf);
    const all = shownTexts(set.additions.values(), keyOf);
    const wanted = [...all]
      .filter(([key, text]) => held.has(key) || this.#texts.isWanted(scene, text))
      .map(([, text]) => text);
    const now = new Set(this.#texts.replace(scene, version, wanted).map(keyOf));
    return {
      added: [...now].filter((key) => !held.has(key)).length,
      removed: [...held.keys()].filter((key) => !now.has(key)).length,
      absent: [...all.keys()].filter((key) => !now.has(key)),
    };
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

function pathOf(version: VersionId): string {
  return `${version.slice(0, 2)}/${version.slice(2)}`;
}

function versionAt(path: string): VersionId | null {
  const version = path.replace("/", "");
  return path[2] === "/" && isVersionId(version) ? version : null;
}
