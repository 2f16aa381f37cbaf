import type { Digest } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { dumpPlace, type MissingObject } from "../../formats/store/experiments/dump-manifest.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/catalogue.ts";
import { experimentMembers, experimentDigest, ExperimentDigest, type ExperimentMember } from "../dump/dump-members.ts";
import { history, inventory, portableHistory } from "../dump/inventory.ts";
import { receiveObject } from "../objects/receive-object.ts";
import type { StoredEntry } from "../ledger/ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { ExperimentRestorer } from "../dump/restore-dump.ts";

/** A database and the objects that belong to it. */
export interface ExperimentLocation {
  readonly engine: Engine;
  readonly objects: Pick<Objects, "put" | "get" | "open" | "folder">;
  /** What people call it. */
  readonly name: string;
}

export interface CopiedExperiment {
  /** Its number in the other database. */
  readonly id: number;
  /** SHA-256 over all contents, here as there. */
  readonly contents: string;
  /** Whether what happened to it is known there. */
  readonly history: boolean;
  /** Objects that were copied; none where both databases share theirs. */
  readonly objects: number;
  /** Objects that are not whole on this machine, and so not there either. */
  readonly missing: readonly MissingObject[];
}

/**
 * Makes an experiment again in another database: rows in slices of bounded size, the next one read while one is
 * written; then its objects, where they belong elsewhere; then all contents are read again and compared; its history
 * comes last. In transactions of the caller in both databases. `seen` is told of rows that were written, and then of
 * rows that were compared. Fails with `move-differs`.
 */
export async function copyExperiment(
  from: ExperimentLocation,
  stored: StoredExperiment,
  to: ExperimentLocation,
  seen: (rows: number) => void,
): Promise<CopiedExperiment> {
  const { experiment, variableIds: variables, owner } = stored;
  const options = { from: from.name, as: experiment.name, variables, ...(owner === undefined ? {} : { owner }) };
  const restoring = new ExperimentRestorer(to.engine, to.objects, options);
  const contents = await copyRows(from.engine, stored, restoring, seen);
  const { entries, objects, missing } = await requiredBy(from, stored, to);
  for (const object of objects) await copyObject(from, object, to);
  const copy = await restoring.finishRows();
  const found = await experimentDigest(to.engine, copy, (member) => seen(rowsIn(member)));
  if (found !== contents) throw new Failure("move-differs", { experiment: experiment.name, location: to.name });
  for (const entry of await portableHistory(from.engine, from.objects, stored, entries ?? [], (id) => id))
    await restoring.addChange(entry);
  const { history } = await restoring.finish();
  return { id: copy.id, contents, history, objects: objects.length, missing };
}

/** Answers the digest of what was read. */
async function copyRows(
  engine: Engine,
  stored: StoredExperiment,
  restoring: ExperimentRestorer,
  seen: (rows: number) => void,
): Promise<string> {
  const digest = new ExperimentDigest();
  let writing: Promise<void> = Promise.resolve();
  for await (const member of experimentMembers(engine, stored)) {
    digest.addMember(member);
    await writing;
    seen(rowsIn(member));
    writing = write(restoring, member);
    writing.catch(() => {});
  }
  await writing;
  return digest.end();
}

async function write(restoring: ExperimentRestorer, { name, bytes, stored }: ExperimentMember): Promise<void> {
  const place = dumpPlace(name);
  if (place === undefined) throw new Error(`no part of an experiment is called ${name}`);
  if (place.kind === "rows" && (place.table === "once" || place.table === "data")) {
    if (stored !== undefined) await restoring.append(place.table, stored);
    return;
  }
  async function* pieces(): AsyncIterable<Uint8Array> {
    yield bytes;
  }
  await restoring.add({ name, size: bytes.length, pieces: pieces(), role: place });
}

/** Data sets of a part. */
function rowsIn({ name, stored }: ExperimentMember): number {
  const place = dumpPlace(name);
  return place?.kind === "rows" && place.table === "data" ? (stored?.length ?? 0) : 0;
}

interface Requirements {
  readonly entries: readonly StoredEntry[] | null;
  readonly objects: readonly Digest[];
  readonly missing: readonly MissingObject[];
}

/** Where both databases share their objects, nothing has to be looked at. */
async function requiredBy(from: ExperimentLocation, stored: StoredExperiment, to: ExperimentLocation): Promise<Requirements> {
  if (from.objects.folder !== to.objects.folder) return inventory(from.engine, from.objects, stored);
  return { ...(await history(from.engine, from.objects, stored)), objects: [] };
}

async function copyObject(from: ExperimentLocation, object: Digest, to: ExperimentLocation): Promise<void> {
  if ((await receiveObject(to.objects, await from.objects.open(object), from.name)) !== object)
    throw new Failure("object-damaged", { digest: object, reason: "it changed while it was copied" });
}
