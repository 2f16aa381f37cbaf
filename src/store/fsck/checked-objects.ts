import type { Digest, VersionId } from "../../core/versions/index.ts";
import type { ObjectHeader } from "../../formats/store/index.ts";
import { DigestTable } from "../objects/index.ts";

const [damaged, index, attachment, profile] = [0, 1, 2, 3];
/** Added to the state of an object that an index lists. */
const listed = 4;

/** What a check has found out about each object, in little memory. */
export class CheckedObjects {
  readonly #states = new DigestTable();
  /** Versions with 64 digits, which are no objects. */
  readonly #longVersions = new Set<VersionId>();

  /** `kind`: null if it is damaged. An intact copy counts, also if another one is damaged. */
  add(digest: Digest, kind: ObjectHeader["kind"] | null): void {
    const state = this.#states.get(digest);
    if (state !== undefined && state !== damaged) return;
    this.#states.set(digest, kind === null ? damaged : kind === "profile" ? profile : attachment);
  }

  addIndex(version: VersionId): void {
    if (version.length === 64) this.#longVersions.add(version);
    else this.#states.set(version as string as Digest, index);
  }

  /** Whether an object exists, also a damaged one. */
  has(digest: Digest): boolean {
    const state = this.#states.get(digest);
    return state !== undefined && state !== index;
  }

  isIntact(digest: Digest): boolean {
    return this.has(digest) && this.#states.get(digest) !== damaged;
  }

  isIndex(version: VersionId): boolean {
    return version.length === 64
      ? this.#longVersions.has(version)
      : this.#states.get(version as string as Digest) === index;
  }

  markListed(digest: Digest): void {
    if (this.#states.get(digest) === profile) this.#states.set(digest, profile + listed);
  }

  /** Whether it is an intact profile that was not marked as listed. */
  isUnlistedProfile(digest: Digest): boolean {
    return this.#states.get(digest) === profile;
  }
}
