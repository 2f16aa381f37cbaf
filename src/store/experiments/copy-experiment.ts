import type { Digest } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { dumpRole, type MissingObject } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../catalogue/index.ts";
import {
  experimentMembers,
  experimentDigest,
  ExperimentDigest,
  type ExperimentMember,
  history,
  inventory,
  portableHistory,
  ExperimentRestorer,
} from "../dump/index.ts";
import { receiveObject, type Objects } from "../objects/index.ts";
import type { StoredEntry } from "../ledger/index.ts";

/** A database and its objects. */
export interface ExperimentLocation {
  readonly engine: Engine;
  readonly objects: Pick<Objects, "put" | "get" | "open" | "folder">;
  /** Its name for users. */
  readonly name: string;
}

export interface CopiedExperiment {
  /** Its id in the target database. */
  readonly id: number;
  /** SHA-256 of the experiment, equal in both databases. */
  readonly digest: string;
  /** Whether its history was copied. */
  readonly history: boolean;
  /** Number of copied objects; 0 if both databases share their objects. */
  readonly objects: number;
  /** Objects that are missing or damaged in the source. */
  readonly missing: readonly MissingObject[];
}

/**
 * Copies an experiment to another database, within transactions of the caller in both: rows in bounded slices, reading
 * the next slice while one is written; then the objects, if stored elsewhere; then compares the digest of the copy;
 * then the history. Calls `onRows` for written and again for compared rows. Fails with `move-differs`.
 */
export async function copyExperiment(
  from: ExperimentLocation,
  stored: StoredExperiment,
  to: ExperimentLocation,
  onRows: (rows: number) => void,
): Promise<CopiedExperiment> {
  const { experiment, variableIds: variables, owner } = stored;
  const options = { from: from.name, as: experiment.name, variables, ...(owner === undefined ? {} : { owner }) };
  const restorer = new ExperimentRestorer(to.engine, to.objects, options);
  const digest = await copyRows(from.engine, stored, restorer, onRows);
  const { entries, objects, missing } = await requiredBy(from, stored, to);
  for (const object of objects) await copyObject(from, object, to);
  const copy = await restorer.finishRows();
  const copied = await experimentDigest(to.engine, copy, (member) => onRows(rowsIn(member)));
  if (copied !== digest) throw new Failure("move-differs", { experiment: experiment.name, location: to.name });
  for (const entry of await portableHistory(from.engine, from.objects, stored, entries ?? [], (id) => id))
    await restorer.addChange(entry);
  const { history } = await restorer.finish();
  return { id: copy.id, digest: digest, history, objects: objects.length, missing };
}

/** Copies all rows and returns the digest of the source. */
async function copyRows(
  engine: Engine,
  stored: StoredExperiment,
  restorer: ExperimentRestorer,
  onRows: (rows: number) => void,
): Promise<string> {
  const digest = new ExperimentDigest();
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const member of experimentMembers(engine, stored)) {
      digest.addMember(member);
      await writing;
      onRows(rowsIn(member));
      writing = write(restorer, member);
      writing.catch(() => {});
    }
  } finally {
    // Statements after the rollback of the caller would be committed one by one.
    await writing.catch(() => {});
  }
  await writing;
  return digest.end();
}

async function write(restorer: ExperimentRestorer, { name, bytes, stored }: ExperimentMember): Promise<void> {
  const role = dumpRole(name);
  if (role === undefined) throw new Error(`no member of an experiment is called ${name}`);
  if (role.kind === "rows" && (role.table === "once" || role.table === "data")) {
    if (stored !== undefined) await restorer.append(role.table, stored);
    return;
  }
  async function* pieces(): AsyncIterable<Uint8Array> {
    yield bytes;
  }
  await restorer.add({ name, size: bytes.length, pieces: pieces(), role });
}

/** Number of rows in a member. */
function rowsIn({ name, stored }: ExperimentMember): number {
  const role = dumpRole(name);
  return role?.kind === "rows" && role.table === "data" ? (stored?.length ?? 0) : 0;
}

interface Requirements {
  readonly entries: readonly StoredEntry[] | null;
  readonly objects: readonly Digest[];
  readonly missing: readonly MissingObject[];
}

/** Skips the check of objects if both databases share them. */
async function requiredBy(
  from: ExperimentLocation,
  stored: StoredExperiment,
  to: ExperimentLocation,
): Promise<Requirements> {
  if (from.objects.folder !== to.objects.folder) return inventory(from.engine, from.objects, stored);
  return { ...(await history(from.engine, from.objects, stored)), objects: [] };
}

async function copyObject(from: ExperimentLocation, object: Digest, to: ExperimentLocation): Promise<void> {
  if ((await receiveObject(to.objects, await from.objects.open(object), from.name)) !== object)
    throw new Failure("object-damaged", { digest: object, reason: "it changed while it was copied" });
}
