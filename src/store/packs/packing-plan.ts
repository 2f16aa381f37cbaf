import { isFailure } from "../../core/failures/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import type { IndexEntry, IndexEntryV1 } from "../../formats/store/index.ts";
import type { VersionIndexes } from "../index/index.ts";
import { DigestTable, membersIn, type Objects } from "../objects/index.ts";

/** The part of a store that has profiles. */
export interface ProfileStore {
  readonly objects: Objects;
  readonly versions: VersionIndexes;
}

/** The digests of all registered profiles but those of the versions in `except`; may repeat. Skips damaged indexes. */
export function* registeredProfiles(
  { objects, versions }: ProfileStore,
  except: ReadonlySet<VersionId> = new Set(),
): Generator<IndexEntry | IndexEntryV1> {
  for (const { id, companion } of membersIn(objects.folder)) {
    const version = id as VersionId;
    if (companion === undefined && !except.has(version) && versions.isIndexed(version))
      yield* entriesOf(versions, version);
  }
}

/** Registered profiles in the order of their pack: those of one configuration follow each other, by time. */
export function packingOrder(store: ProfileStore, keep: ReadonlySet<VersionId>): Digest[] {
  const isSeen = new DigestTable();
  for (const version of keep) for (const { digest } of entriesOf(store.versions, version)) isSeen.set(digest, 1);
  const [digests, configurations, times]: [Digest[], number[], number[]] = [[], [], []];
  const numbers = new Map<string, number>();
  for (const entry of registeredProfiles(store, keep)) {
    if (isSeen.get(entry.digest) !== undefined) continue;
    isSeen.set(entry.digest, 1);
    const configuration = configurationOf(entry);
    const number = numbers.get(configuration) ?? numbers.size;
    numbers.set(configuration, number);
    digests.push(entry.digest);
    configurations.push(number);
    times.push(entry.time);
  }
  const order = Uint32Array.from(digests, (_, i) => i);
  order.sort((a, b) => configurations[a]! - configurations[b]! || times[a]! - times[b]! || a - b);
  return Array.from(order, (i) => digests[i]!);
}

function configurationOf(entry: IndexEntry | IndexEntryV1): string {
  if (!("type" in entry)) return "";
  const { type, cmd, workload, collector, postprocessors } = entry;
  return JSON.stringify([type, cmd, workload, collector, postprocessors]);
}

function entriesOf(versions: VersionIndexes, version: VersionId): readonly (IndexEntry | IndexEntryV1)[] {
  try {
    return versions.file(version)?.entries ?? [];
  } catch (error) {
    if (isFailure(error, "index-damaged") || isFailure(error, "index-unknown")) return [];
    throw error;
  }
}
