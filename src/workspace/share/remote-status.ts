import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import {
  displayTexts,
  itemsHeldAt,
  tallyOf,
  nameOfText,
  shortName,
  type ReadRecord,
  type ShareCounts,
  type VersionRecord,
} from "../../formats/store/index.ts";
import { changeStamp, namesInShard, shardNames } from "../../store/objects/index.ts";
import type { Workspace } from "../workspace.ts";
import { addressName, experimentsMark, readRecords, recordedTexts } from "./remote-records.ts";
import { ShareTotals } from "./share-counts.ts";

/** Differences to a remote, as of the last push or fetch. */
export interface RemoteStanding {
  readonly remote: string;
  /** Unix seconds of the last push or fetch; later changes of the remote are unknown. */
  readonly asOf: number;
  /** null: too many local changes to count without a push. */
  readonly push: ShareCounts | null;
  readonly pull: ShareCounts | null;
  /** The experiments have changed since, by an unknown amount. */
  readonly experimentsWritten: boolean;
}

/** Maximum number of files to read, to keep everyday commands fast. */
const maxFiles = 2000;

/**
 * Perun changes indexes without changing their folders: in a store created by Perun, up to this many indexes are read
 * each time.
 */
const maxPerunIndexes = 200;

/**
 * Differences to all remotes, from the records of the last push or fetch and local changes since. Neither contacts a
 * remote nor writes anything.
 */
export async function remoteStandings(workspace: Workspace, head: VersionId): Promise<RemoteStanding[]> {
  const records = readRecords(workspace.perun());
  if (records.length === 0) return [];
  const checking = remoteCheck(workspace, records);
  const statuses = records.map((record) => ({ record, standing: standingOf(workspace, head, record) }));
  const isThere = await checking;
  return statuses.flatMap(({ record, standing }) => (standing !== null && isThere(record) ? [standing] : []));
}

/** Checks whether the remote of a record still exists with the recorded address. */
async function remoteCheck(
  workspace: Workspace,
  records: readonly ReadRecord[],
): Promise<(record: ReadRecord) => boolean> {
  const vcs = await workspace.vcs();
  const remotes = records.some(({ summary }) => summary.isNamed) ? await vcs.remotes?.() : undefined;
  return ({ summary: { remote, isNamed, address } }) => {
    if (!isNamed) return !remote.startsWith("/") || existsSync(remote);
    const { fetch, push } = remotes?.addresses.get(remote) ?? {};
    return [fetch, push].some(
      (each) => each !== undefined && [each, resolve(vcs.root, each)].map(addressName).includes(address),
    );
  };
}

/** null: unknown, since something is damaged. */
function standingOf(workspace: Workspace, head: VersionId, record: ReadRecord): RemoteStanding | null {
  const { remote, time, experiments } = record.summary;
  try {
    const sum = new Recount(workspace, record).run(head);
    const isEmbedded = (workspace.world.environment["PERFKEEP_DB"] ?? "") === "";
    const experimentsWritten = isEmbedded && experiments !== null && experiments !== experimentsMark(workspace.perun());
    return { remote, asOf: time, push: sum?.push ?? null, pull: sum?.pull ?? null, experimentsWritten };
  } catch (error) {
    if (error instanceof Failure || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Totals of a record, with possibly changed versions counted again. */
class Recount {
  readonly #workspace: Workspace;
  readonly #record: ReadRecord;
  readonly #texts = new Map(recordedTexts().map((texts) => [texts.name, texts]));
  readonly #sum: ShareTotals;
  readonly #counted = new Set<string>();
  #files = 0;

  constructor(workspace: Workspace, record: ReadRecord) {
    this.#workspace = workspace;
    this.#record = record;
    this.#sum = new ShareTotals(record.summary);
  }

  /** null: too many files. */
  run(head: VersionId): ShareTotals | null {
    const { marks } = this.#record;
    const { createdByPerfkeep, objects } = this.#workspace.store();
    const names = [...new Set([...marks.keys(), ...shardNames(objects.folder)])];
    const isChanged = (name: string): boolean => (marks.get(name) ?? "-") !== changeStamp(join(objects.folder, name));
    for (const name of names.filter(isChanged)) {
      for (const version of this.#inShard(name)) this.#recount(version);
      if (this.#files > maxFiles) return null;
    }
    for (const part of this.#texts.keys()) this.#recount(this.#recorded(part, head));
    return createdByPerfkeep() || this.#recountAll(names) ? this.#sum : null;
  }

  #recountAll(names: readonly string[]): boolean {
    const versions = names.flatMap((name) => this.#record.shard(name).versions);
    if (versions.length > maxPerunIndexes) return false;
    for (const version of versions) this.#recount(version);
    return true;
  }

  /** Recorded versions, and later ones. */
  *#inShard(name: string): Generator<VersionRecord> {
    const store = this.#workspace.store();
    const { objects, versions } = this.#record.shard(name);
    yield* versions;
    const known = new Set(versions.map(keyOf));
    const { indexes, changes } = namesInShard(store.objects.folder, name.padEnd(40, "0"));
    const isNew = (part: string, id: string): boolean => !known.has(`${part}/${id}`);
    for (const id of indexes) {
      if (!isNew("sets", id) || objects.has(shortName(id)) || ++this.#files > maxFiles) continue;
      if (store.versions.isIndexed(id as VersionId)) yield emptyRecord("sets", id);
    }
    for (const id of changes) if (isNew("changes", id)) yield emptyRecord("changes", id);
  }

  #recorded(part: string, version: VersionId): VersionRecord {
    const { versions } = this.#record.shard(version.slice(0, 2));
    return versions.find((each) => each.part === part && each.version === version) ?? emptyRecord(part, version);
  }

  #recount(known: VersionRecord): void {
    const texts = this.#texts.get(known.part);
    if (texts === undefined || this.#counted.has(keyOf(known)) || ++this.#files > maxFiles) return;
    this.#counted.add(keyOf(known));
    const held = displayTexts(texts.current({ workspace: this.#workspace }, known.version), (text) =>
      texts.keyOf(text),
    );
    const names = new Set([...held.values()].map((text) => nameOfText(texts.identityOf(text))));
    this.#sum.add(known.part, tallyOf(known.standings, itemsHeldAt(known.standings)), -1);
    this.#sum.add(known.part, tallyOf(known.standings, names));
  }
}

function emptyRecord(part: string, id: string): VersionRecord {
  return { part, version: id as VersionId, standings: new Map() };
}

function keyOf({ part, version }: VersionRecord): string {
  return `${part}/${version}`;
}
