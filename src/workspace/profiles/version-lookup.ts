import type { Change } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import type { ListedProfile } from "../../core/profiles/index.ts";
import type { StoredNames } from "../../store/objects/index.ts";
import type { Workspace } from "../workspace.ts";

/** This many versions are looked up one by one before any folder is listed. */
const listingThreshold = 500;

/** Directory entries that can be listed in the time of one lookup. */
const namesPerLookup = 10;

/** State of one folder of objects. */
interface ObjectFolder {
  lookups: number;
  names?: StoredNames;
}

/**
 * Profiles and changes of many versions. Looks up the first versions one by one. Later it lists a folder of objects
 * once that costs no more than the lookups made in it, so folders with millions of objects are not listed for a few
 * versions.
 */
export class VersionLookup {
  readonly #workspace: Workspace;
  #lookups = 0;
  readonly #folders = new Map<string, ObjectFolder>();
  /** Number of names in the folder listed last; digests are spread evenly over folders. */
  #typicalSize = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** In index order. Fails with `index-damaged`. */
  profiles(version: VersionId): readonly ListedProfile[] {
    return lacks(this.#namesFor(version)?.indexes, version) ? [] : this.#workspace.registered(version);
  }

  changes(version: VersionId): readonly Change[] {
    return lacks(this.#namesFor(version)?.changes, version) ? [] : this.#workspace.store().changes.read(version);
  }

  #namesFor(version: VersionId): StoredNames | undefined {
    this.#lookups += 1;
    if (this.#lookups <= listingThreshold) return undefined;
    const folder = this.#folderOf(version);
    folder.lookups += 1;
    if (folder.names === undefined && folder.lookups * namesPerLookup >= this.#typicalSize) {
      folder.names = this.#workspace.store().namesInShard(version);
      this.#typicalSize = folder.names.indexes.size;
    }
    return folder.names;
  }

  #folderOf(version: VersionId): ObjectFolder {
    const name = version.slice(0, 2);
    const known = this.#folders.get(name);
    if (known !== undefined) return known;
    const added: ObjectFolder = { lookups: 0 };
    this.#folders.set(name, added);
    return added;
  }
}

/** An empty set is recognized without a hash of the version, most of the time of a look-up. */
function lacks(names: ReadonlySet<string> | undefined, version: VersionId): boolean {
  return names !== undefined && (names.size === 0 || !names.has(version));
}
