import { groupBy } from "../../core/values/index.ts";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../core/failures/index.ts";
import {
  itemsHeldAt,
  tallyOf,
  type SetTally,
  type Standing,
  encodeRecord,
  nameOfText,
  shortName,
  type RemoteSummary,
  type ShardRecord,
  type VersionRecord,
} from "../../formats/store/index.ts";
import { removeDurably, writeDurably, wrapWriteErrors } from "../../store/durable/index.ts";
import { changeStamp, namesInShard, shardNames } from "../../store/objects/index.ts";
import type { OpenShare, RemoteState } from "./open-share.ts";
import { addressName, recordPath } from "./remote-records.ts";
import { ShareTotals } from "./share-counts.ts";
import type { PartStanding } from "./parts/share-part.ts";

/** Milliseconds between reads of the file system's clock, and their maximum number. */
const [clockPauseMs, maxClockReads] = [5, 5];

/** Above this number of paths, comparing them would dominate the time of a small push. */
const maxSharedPaths = 3000;

/** Removes the record of a remote. */
export function removeRemoteRecord({ scene }: OpenShare): void {
  removeDurably(recordPath(scene.folder));
}

/**
 * Records the differences to a remote, so that `status` can report them offline. Removes the record if they are
 * unknown.
 */
export async function recordRemote(share: OpenShare, state: RemoteState): Promise<void> {
  const { parts, scene } = share;
  if (parts.reduce((sum, part) => sum + state.folder(part).paths.size, 0) > maxSharedPaths)
    return removeRemoteRecord(share);
  try {
    // Data read from now on is newer than the marks.
    const marks = await settledMarks(scene.workspace.store().objects.folder, scene.folder);
    const standings = await collectStandings(share, state);
    const shards = shardRecords(scene.workspace.store().objects.folder, marks, standings);
    writeDurably(recordPath(scene.folder), [encodeRecord(summaryOf(share, standings), shards)]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    removeRemoteRecord(share);
  }
}

type PartStandings = ReadonlyMap<string, PartStanding>;

async function collectStandings({ parts, scene }: OpenShare, state: RemoteState): Promise<PartStandings> {
  const everything = { ...scene, filter: {} };
  const folders = new Map(parts.map((part) => [part.name, state.folder(part)]));
  const isThere = (path: string): boolean => {
    const end = path.indexOf("/");
    return folders.get(path.slice(0, end))?.paths.has(path.slice(end + 1)) ?? false;
  };
  const standings = new Map<string, PartStanding>();
  for (const part of parts) {
    const standing = await part.standing?.(everything, folders.get(part.name)!, isThere);
    if (standing !== undefined && standing !== null) standings.set(part.name, standing);
  }
  return standings;
}

/** Marks of store folders, only those that any later change will alter. */
async function settledMarks(objects: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const marks = shardNames(objects).map((name) => [name, changeStamp(join(objects, name)) ?? ""] as const);
  const isSettled = (now: bigint, mark: string): boolean => mark !== "" && BigInt(mark) < now;
  let now = clockOf(folder);
  for (let ticks = 0; ticks < maxClockReads && !marks.every(([, mark]) => isSettled(now, mark)); ticks++) {
    await sleep(clockPauseMs);
    now = clockOf(folder);
  }
  return new Map(marks.filter(([, mark]) => isSettled(now, mark)));
}

/** Time of the file system, which may differ from the process clock and be coarse. */
function clockOf(folder: string): bigint {
  const path = join(folder, "clock");
  return wrapWriteErrors(path, () => {
    rmSync(path, { force: true });
    writeFileSync(path, "", { flag: "wx" });
    const now = BigInt(changeStamp(path) ?? 0);
    rmSync(path, { force: true });
    return now;
  });
}

function summaryOf({ remote, scene }: OpenShare, standings: PartStandings): RemoteSummary {
  const sum = new ShareTotals();
  for (const [part, standing] of standings) {
    if (standing.kind === "experiments") sum.addExperiments(standing);
    else for (const known of standing.versions.values()) sum.add(part, recordedTally(known));
  }
  const experiments = standings.get("experiments");
  return {
    remote: remote.name,
    isNamed: remote.isNamed,
    address: addressName(remote.address),
    time: Math.floor(scene.workspace.world.now() / 1000),
    push: sum.push,
    pull: sum.pull,
    experiments: experiments?.kind === "experiments" ? experiments.mark : null,
  };
}

function recordedTally(known: ReadonlyMap<string, Standing>): SetTally {
  return tallyOf(known, itemsHeldAt(known));
}

function shardRecords(
  objects: string,
  marks: ReadonlyMap<string, string>,
  standings: PartStandings,
): Map<string, ShardRecord> {
  const known = [...standings].flatMap(([part, standing]) =>
    standing.kind === "versions" ? [...standing.versions].map(([version, own]) => ({ part, version, own })) : [],
  );
  const records = known.flatMap(({ part, version, own }): VersionRecord[] => {
    const entries = [...own].map(([identity, each]) => [nameOfText(identity), each] as const);
    return entries.length === 0 ? [] : [{ part, version, standings: new Map(entries) }];
  });
  const versions = groupBy(records, ({ version }) => version.slice(0, 2));
  const registeredIds = new Set<string>();
  for (const { part, own } of known)
    if (part === "sets") for (const identity of own.keys()) registeredIds.add(identity.slice(0, 40));
  const record = (name: string): [string, ShardRecord] => {
    const inside = [...namesInShard(objects, name.padEnd(40, "0")).indexes].filter((id) => registeredIds.has(id));
    return [
      name,
      { mark: marks.get(name) ?? "-", objects: new Set(inside.map(shortName)), versions: versions.get(name) ?? [] },
    ];
  };
  return new Map([...new Set([...marks.keys(), ...versions.keys()])].map(record));
}
