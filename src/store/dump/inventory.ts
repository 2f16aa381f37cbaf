import type { Digest } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { dumpedEntry, type MissingObject, type LedgerEntry } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { listAttachments, type StoredExperiment } from "../catalogue/index.ts";
import { experimentUids, keysByEntry } from "../history/index.ts";
import { creations, readEntry, type StoredEntry, isIntact, requiredObjects } from "../ledger/index.ts";
import type { Objects } from "../objects/index.ts";
import { recordsOf } from "../schema/index.ts";

type ReadableObjects = Pick<Objects, "get" | "open">;

export interface Inventory {
  /** The ledger entries of the experiment, in order; null if they are incomplete. */
  readonly entries: readonly StoredEntry[] | null;
  /** Ascending. */
  readonly objects: readonly Digest[];
  readonly missing: readonly MissingObject[];
}

/** The ledger entries of an experiment in portable form, with its uid and the keys of its variables. */
export async function portableHistory(
  engine: Engine,
  objects: Pick<Objects, "get">,
  { id }: Pick<StoredExperiment, "id">,
  entries: readonly StoredEntry[],
  idOf: (variable: number) => number,
): Promise<LedgerEntry[]> {
  const uid = experimentUids(await creations(engine, objects)).get(id);
  const keys = keysByEntry(entries);
  return entries.map(({ object, entry }, at) => {
    const own = keys.get(object);
    const identity = { ...(uid === undefined ? {} : { uid }), ...(own === undefined ? {} : { keys: own }) };
    return dumpedEntry(entry, { number: at + 1, idOf, object, identity });
  });
}

/** The objects that an experiment was created from. Reads all of them to check that they are intact. */
export async function inventory(
  engine: Engine,
  objects: ReadableObjects,
  stored: StoredExperiment,
): Promise<Inventory> {
  const { entries, missing: missingEntries, known } = await history(engine, objects, stored);
  const needed = await neededObjects(engine, stored, known);
  const missing = [...missingEntries];
  const intact: Digest[] = [];
  for (const [object, what] of [...needed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (await isIntact(objects, object)) intact.push(object);
    else missing.push({ object, what });
  }
  return { entries, objects: intact, missing };
}

/** The ledger entries of an experiment, and those that cannot be read. `known`: those that can. */
export async function history(
  engine: Engine,
  objects: Pick<Objects, "get">,
  stored: Pick<StoredExperiment, "id">,
): Promise<Pick<Inventory, "entries" | "missing"> & { readonly known: readonly StoredEntry[] }> {
  const { entries: known, lost: missing } = await listedHistory(engine, objects, stored);
  const complete = missing.length === 0 && known[0]?.entry.change.kind === "create-experiment";
  return { entries: complete ? known : null, missing, known };
}

async function listedHistory(
  engine: Engine,
  objects: Pick<Objects, "get">,
  { id }: Pick<StoredExperiment, "id">,
): Promise<{ entries: StoredEntry[]; lost: MissingObject[] }> {
  const listed = recordsOf(
    await engine.query("select number, object from ledger where experiment = $1 order by number", [id]),
  );
  const entries: StoredEntry[] = [];
  const lost: MissingObject[] = [];
  for (const row of listed) {
    const object = String(row.get("object")) as Digest;
    try {
      entries.push(readEntry(objects, object));
    } catch (error) {
      if (!isFailure(error, "object-missing") && !isFailure(error, "object-damaged")) throw error;
      lost.push({ object, what: `entry ${row.get("number")} of the ledger` });
    }
  }
  return { entries, lost };
}

/** Raw files, descriptions and attachments with a description of each, including those of purged runs. */
async function neededObjects(
  engine: Engine,
  stored: StoredExperiment,
  entries: readonly StoredEntry[],
): Promise<ReadonlyMap<Digest, string>> {
  const needed = new Map<Digest, string>();
  const sources = await engine.query(
    "select path, object, description from source where experiment = $1 order by run, ordinal",
    [stored.id],
  );
  const runs = await engine.query("select number, description from run where experiment = $1 order by number", [
    stored.id,
  ]);
  const note = (object: unknown, what: string): void => {
    if (typeof object === "string" && !needed.has(object as Digest)) needed.set(object as Digest, what);
  };
  for (const row of recordsOf(sources)) {
    note(row.get("object"), String(row.get("path")));
    note(row.get("description"), `the description of ${row.get("path")}`);
  }
  for (const row of recordsOf(runs)) note(row.get("description"), `the description of run ${row.get("number")}`);
  for (const { object, name } of await listAttachments(engine, stored)) note(object, `attachment ${name}`);
  for (const { entry } of entries) for (const [object, what] of requiredObjects(entry.change)) note(object, what);
  return needed;
}
