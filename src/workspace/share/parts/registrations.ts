import { shareSummary, type ShareSummary } from "./share-summary.ts";
import type { Digest, VersionId } from "../../../core/versions/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { readProfileHeader, type ProfileHeader } from "../../../formats/profile/index.ts";
import {
  readRegistration,
  registrationKey,
  registrationText,
  type Registration,
  isLine,
  type IndexEntry,
} from "../../../formats/store/index.ts";
import { profileNameError } from "../../../store/pending/index.ts";
import type { VersionTexts } from "./set-part.ts";
import type { ShareContext, ShareFilter } from "./share-part.ts";

/** Registrations of profiles at versions. Objects are another part, which asks this one for the selected digests. */
export class Registrations implements VersionTexts {
  readonly name = "sets";
  readonly noun = ["version", "versions"] as const;
  /** Objects named by local registrations, and those requested from the remote. */
  readonly mentioned = new Map<Digest, Registration>();
  readonly wanted = new Map<Digest, Registration>();
  readonly #headers = new Map<Digest, ProfileHeader>();

  findFlaw(text: string): string | null {
    const registration = readRegistration(text);
    return registration === null ? "it is not a registration of a profile" : profileNameError(registration.name);
  }

  keyOf(text: string): string {
    return registrationKey(text);
  }

  identityOf(text: string): string {
    return registrationKey(text);
  }

  objectPath(identity: string): string {
    return `objects/${identity.slice(0, 2)}/${identity.slice(2, 40)}`;
  }

  *versions({ workspace }: ShareContext, known: () => Iterable<string>): Iterable<VersionId> {
    const store = workspace.store();
    const digests = new Set<string>();
    for (const text of known()) digests.add(text.slice(0, 40));
    for (const { id, companion } of store.members()) {
      if (companion === undefined && !digests.has(id) && store.versions.isIndexed(id as VersionId))
        yield id as VersionId;
    }
  }

  current({ workspace }: Pick<ShareContext, "workspace">, version: VersionId): readonly string[] {
    const texts: string[] = [];
    for (const entry of workspace.store().versions.entries(version)) {
      if (!isShared(entry)) continue;
      texts.push(registrationText(entry));
      this.mentioned.set(entry.digest, entry);
    }
    return texts;
  }

  isWanted(scene: ShareContext, text: string): boolean {
    const registration = readRegistration(text);
    return registration !== null && matchesFilter(scene.filter, registration);
  }

  announce(texts: ReadonlyMap<VersionId, readonly string[]>): void {
    for (const text of [...texts.values()].flat()) {
      const registration = readRegistration(text);
      if (registration !== null) this.wanted.set(registration.digest, registration);
    }
  }

  /** Records the header of an object being received. */
  received(digest: Digest, header: ProfileHeader): void {
    this.#headers.set(digest, header);
  }

  replaceAll(
    { workspace }: ShareContext,
    texts: ReadonlyMap<VersionId, readonly string[]>,
  ): ReadonlyMap<VersionId, readonly string[]> {
    const { versions } = workspace.store();
    const [indexes, stored] = [new Map<VersionId, readonly IndexEntry[]>(), new Map<VersionId, readonly string[]>()];
    for (const [version, own] of texts) {
      const former = versions.entries(version);
      const known = new Map(former.map((entry) => [registrationKey(registrationText(entry)), entry]));
      const entries = new Map<string, IndexEntry>();
      for (const text of own) {
        const entry = this.#entry(workspace, text, known.get(registrationKey(text)));
        if (entry !== null) entries.set(text, entry);
      }
      indexes.set(version, [...former.filter((entry) => !isShared(entry)), ...entries.values()]);
      stored.set(version, [...entries.keys()]);
    }
    versions.replaceAll(indexes);
    return stored;
  }

  summarize(added: number, removed: number, absent: number): ShareSummary {
    const notes = absent === 0 ? [] : [`registered elsewhere and not fetched: ${absent}`];
    return shareSummary({ "profiles added": added, "profiles removed": removed }, notes);
  }

  #entry(workspace: ShareContext["workspace"], text: string, former: IndexEntry | undefined): IndexEntry | null {
    const registration = readRegistration(text);
    if (registration === null) return null;
    const { digest, time, collector, name } = registration;
    if (former !== undefined) return { ...former, time, collector };
    const header = this.#headers.get(digest) ?? localHeader(workspace, digest, name);
    return header === null
      ? null
      : {
          name,
          time,
          digest,
          type: header.type,
          cmd: header.cmd,
          workload: header.workload,
          collector,
          postprocessors: header.postprocessors,
        };
  }
}

/** Whether the filter selects a registration. */
export function matchesFilter({ since, collector }: ShareFilter, registration: Registration): boolean {
  return (
    (since === undefined || registration.time >= since) &&
    (collector === undefined || registration.collector === collector)
  );
}

/** Entries with names that only Perun accepts are not shared. */
function isShared(entry: IndexEntry): boolean {
  const text = registrationText(entry);
  return profileNameError(entry.name) === null && isLine(text) && readRegistration(text) !== null;
}

function localHeader(workspace: ShareContext["workspace"], digest: Digest, name: string): ProfileHeader | null {
  const { objects } = workspace.store();
  try {
    return objects.has(digest) ? readProfileHeader(objects.get(digest).body, name) : null;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
