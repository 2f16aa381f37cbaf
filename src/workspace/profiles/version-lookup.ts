import type { Change } from "../../core/verdicts/change.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import type { StoredNames } from "../../store/objects/object-paths.ts";
import type { Workspace } from "../workspace.ts";

/** So many versions are asked for one by one before any folder is listed. */
const listingThreshold = 500;

/** Names that are listed in the time of asking for one version. */
const namesPerLookup = 10;

/** What is known of one folder of objects. */
interface ObjectFolder {
  lookups: number;
  names?: StoredNames;
}

/**
 * What the store has for the versions of a history. Asks for each of the first. When there are many, it lists a folder
 * of objects instead, as soon as that costs no more than what was asked of that folder before: folders that hold
 * millions of objects for few versions are never listed.
 */
export class VersionLookup {
  readonly #workspace: Workspace;
  #asked = 0;
  readonly #shards = new Map<string, ObjectFolder>();
  /** Names that the folder listed last holds; digests are spread evenly over them. */
  #usual = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** In index order. Fails with `index-damaged`. */
  profiles(version: VersionId): readonly ListedProfile[] {
    return this.#known(version)?.indexes.has(version) === false ? [] : this.#workspace.registered(version);
  }

  changes(version: VersionId): readonly Change[] {
    return this.#known(version)?.changes.has(version) === false ? [] : this.#workspace.store().changes.read(version);
  }

  #known(version: VersionId): StoredNames | undefined {
    this.#asked += 1;
    if (this.#asked <= listingThreshold) return undefined;
    const shard = this.#shardOf(version);
    shard.lookups += 1;
    if (shard.names === undefined && shard.lookups * namesPerLookup >= this.#usual) {
      shard.names = this.#workspace.store().namesInShard(version);
      this.#usual = shard.names.indexes.size;
    }
    return shard.names;
  }

  #shardOf(version: VersionId): ObjectFolder {
    const name = version.slice(0, 2);
    const known = this.#shards.get(name) ?? { lookups: 0 };
    this.#shards.set(name, known);
    return known;
  }
}
