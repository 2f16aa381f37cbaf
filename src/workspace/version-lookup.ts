import type { Change } from "../core/change.ts";
import type { VersionId } from "../core/digest.ts";
import type { ListedProfile } from "../core/profile-order.ts";
import type { StoredNames } from "../store/shards.ts";
import type { Workspace } from "./workspace.ts";

/** Listing the whole object folder costs as much as asking for that many versions one by one. */
const listingPays = 500;

/** What the store has for the versions of a history. Asks for each of the first, and lists the folder once when there are many. */
export class VersionLookup {
  readonly #workspace: Workspace;
  #asked = 0;
  #names: StoredNames | undefined;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** In index order. Fails with `index-damaged`. */
  profiles(version: VersionId): readonly ListedProfile[] {
    return this.#known()?.indexes.has(version) === false ? [] : this.#workspace.registered(version);
  }

  changes(version: VersionId): readonly Change[] {
    return this.#known()?.changes.has(version) === false ? [] : this.#workspace.store().changes.read(version);
  }

  #known(): StoredNames | undefined {
    this.#asked += 1;
    if (this.#asked > listingPays) this.#names ??= this.#workspace.store().names();
    return this.#names;
  }
}
