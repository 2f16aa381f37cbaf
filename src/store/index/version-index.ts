import { Failure, isFailure, valueOrFailure } from "../../core/failures/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { readProfileHeader } from "../../formats/profile/index.ts";
import {
  checkIndexSum,
  encodeIndexSum,
  compareEntries,
  decodeIndex,
  encodeIndex,
  isIndex,
  type DecodedIndex,
  type IndexEntry,
  type IndexEntryV1,
} from "../../formats/store/index.ts";
import {
  linkDurably,
  type NewContents,
  replaceEachNow,
  type StoreLock,
  readHead,
  readRegularFile,
} from "../durable/index.ts";
import { memberPath, readablePath, type Objects } from "../objects/index.ts";
import { checkProfileName } from "../pending/index.ts";
import { isDeepStrictEqual } from "node:util";

/** An index as stored. `checksum` is the state of its trailer or `.sum` file; stale: Perun has written since. */
export interface IndexFile {
  readonly formatVersion: 1 | 2;
  readonly entries: readonly (IndexEntry | IndexEntryV1)[];
  readonly trailer: DecodedIndex["trailer"];
  readonly checksum: "valid" | "stale" | "absent";
}

/** An index to write instead of `former`. */
interface NewIndex {
  readonly version: VersionId;
  readonly former: IndexFile | null;
  readonly entries: readonly IndexEntry[];
}

/** Whether an entry was added to an index, or is there already. */
type AddState = "added" | "present";

/** Maps versions to profiles. Reading needs no lock, because indexes are replaced atomically. */
export class VersionIndexes {
  readonly #folder: string;
  readonly #objects: Objects;
  readonly #lock: StoreLock;
  readonly #createdByPerfkeep: () => boolean;

  /** `createdByPerfkeep`: false if Perun must be able to write to the store; its indexes then get no trailer. */
  constructor(objects: Objects, lock: StoreLock, createdByPerfkeep: () => boolean) {
    this.#folder = objects.folder;
    this.#objects = objects;
    this.#lock = lock;
    this.#createdByPerfkeep = createdByPerfkeep;
  }

  /** Entries ordered by name, then time; empty without an index. Fails with `index-damaged`. */
  entries(version: VersionId): IndexEntry[] {
    return this.#entriesOf(this.file(version));
  }

  #entriesOf(file: IndexFile | null): IndexEntry[] {
    return (file?.entries ?? []).map((entry) => this.#complete(entry));
  }

  /** Whether the file of `id` is an index and not an object; they share one namespace. */
  isIndexed(id: VersionId): boolean {
    const path = readablePath(this.#folder, id);
    return path !== null && isIndex(readHead(path, 4));
  }

  /** The index of `version`, or null if it has none. Fails with `index-damaged`. */
  file(version: VersionId): IndexFile | null {
    const path = readablePath(this.#folder, version);
    const bytes = path === null ? null : readRegularFile(path);
    if (path === null || bytes === null) return null;
    const { formatVersion, entries, trailer } = decodeFor(bytes, version);
    return {
      formatVersion,
      entries,
      trailer,
      checksum: trailer === "absent" && formatVersion === 2 ? sumState(path, bytes, version) : trailer,
    };
  }

  /** Like `addAll` for one version. */
  add(version: VersionId, added: readonly IndexEntry[]): AddState[] {
    const states = this.addAll(new Map([[version, added]])).get(version) ?? [];
    if (states instanceof Failure) throw states;
    return states;
  }

  /**
   * Adds entries durably, with few syncs. Returns the result for each entry of a version, in order, or why none of the
   * version was added. The same name with the same object is `present` and changes nothing. The same name with another
   * object is added: Perun lists such profiles separately if their times differ, and otherwise drops the later one,
   * which would lose a measurement. Fails with `bad-profile-name`, `lock-held`.
   */
  addAll(added: ReadonlyMap<VersionId, readonly IndexEntry[]>): ReadonlyMap<VersionId, AddState[] | Failure> {
    for (const { name } of [...added.values()].flat()) checkProfileName(name);
    return this.#lock.hold(() => {
      const changed: NewIndex[] = [];
      const addTo = (version: VersionId, given: readonly IndexEntry[]): AddState[] => {
        const former = this.file(version);
        const entries = this.#entriesOf(former);
        const states = given.map((entry) => {
          if (entries.some((known) => known.name === entry.name && known.digest === entry.digest)) return "present";
          entries.push(entry);
          return "added";
        });
        if (states.includes("added")) changed.push({ version, former, entries });
        return states;
      };
      const states = [...added].map(
        ([version, given]) => [version, valueOrFailure(() => addTo(version, given))] as const,
      );
      return new Map([...states, ...this.#write(changed)]);
    });
  }

  /**
   * Removes every entry that `matches`, but not their objects. Fails with `not-registered` (of `name`) if there is
   * none.
   */
  remove(version: VersionId, matches: (entry: IndexEntry) => boolean, name = "the profile"): IndexEntry[] {
    return this.#lock.hold(() => {
      const former = this.file(version);
      const entries = this.#entriesOf(former);
      const removed = entries.filter(matches);
      if (removed.length === 0) throw new Failure("not-registered", { name, version });
      throwAny(this.#write([{ version, former, entries: entries.filter((entry) => !removed.includes(entry)) }]));
      return removed;
    });
  }

  /** Makes the entries the index of their version, each atomically. Writes only what differs. */
  replaceAll(indexes: ReadonlyMap<VersionId, readonly IndexEntry[]>): void {
    for (const { name } of [...indexes.values()].flat()) checkProfileName(name);
    this.#lock.hold(() => {
      const changed: NewIndex[] = [];
      for (const [version, given] of indexes) {
        const former = this.file(version);
        const entries = given.toSorted(compareEntries);
        if (former === null || former.formatVersion === 1 || !isDeepStrictEqual(former.entries, entries))
          changed.push({ version, former, entries });
      }
      throwAny(this.#write(changed));
    });
  }

  /**
   * Keeps the previous generations as `.prev`. A kill before the last step leaves a stale, harmless `.sum`. Returns why
   * indexes could not be written.
   */
  #write(indexes: readonly NewIndex[]): ReadonlyMap<VersionId, Failure> {
    const failures = new Map<VersionId, Failure>();
    const [files, sums] = [new Map<VersionId, NewContents>(), new Map<VersionId, NewContents>()];
    for (const { version, former, entries } of indexes) {
      const path = memberPath(this.#folder, version);
      const trailer = former === null || former.trailer === "absent" ? this.#createdByPerfkeep() : true;
      const bytes = encodeIndex(entries, { trailer });
      const kept = former === null ? undefined : valueOrFailure(() => linkDurably(path, `${path}.prev`));
      if (kept instanceof Failure) failures.set(version, kept);
      else files.set(version, { path, bytes });
      if (!trailer) sums.set(version, { path: `${path}.sum`, bytes: encodeIndexSum(bytes) });
    }
    for (const contents of [files, sums]) {
      const written = [...contents].filter(([version]) => !failures.has(version));
      const failed = replaceEachNow(
        this.#folder,
        written.map(([, each]) => each),
      );
      for (const [version, { path }] of written) {
        const failure = failed.get(path);
        if (failure !== undefined) failures.set(version, failure);
      }
    }
    return failures;
  }

  /** Completes entries of format version 1 from their objects. */
  #complete(entry: IndexEntry | IndexEntryV1): IndexEntry {
    if ("type" in entry) return entry;
    const { type, cmd, workload, collector, postprocessors } = readProfileHeader(
      this.#objects.get(entry.digest).body,
      entry.name,
    );
    return { ...entry, type, cmd, workload, collector, postprocessors };
  }
}

function throwAny(failures: ReadonlyMap<VersionId, Failure>): void {
  for (const failure of failures.values()) throw failure;
}

function decodeFor(bytes: Uint8Array, version: VersionId): DecodedIndex {
  try {
    return decodeIndex(bytes);
  } catch (error) {
    if (isFailure(error, "index-damaged")) throw new Failure("index-damaged", { ...error.data, version });
    if (isFailure(error, "index-unknown")) throw new Failure("index-unknown", { ...error.data, version });
    throw error;
  }
}

function sumState(path: string, bytes: Uint8Array, version: VersionId): IndexFile["checksum"] {
  const sum = readRegularFile(`${path}.sum`);
  if (sum === null) return "absent";
  const state = checkIndexSum(sum, bytes);
  if (state === "damaged")
    throw new Failure("index-damaged", { version, reason: "its bytes do not match the checksum next to it" });
  return state;
}
