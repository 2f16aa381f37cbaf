import type { Digest } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import {
  ledgerType,
  decodeLedgerEntry,
  encodeLedgerEntry,
  type LedgerChange,
  type LedgerEntry,
} from "../../formats/store/index.ts";
import { type Objects, membersOf } from "../objects/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { formatTimestamp } from "../../core/values/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { recordsOf } from "../schema/index.ts";

/** An entry and the object that stores it. */
export interface StoredEntry {
  readonly object: Digest;
  readonly entry: LedgerEntry;
}

/** The id of the database and the last entry of its ledger. */
export interface LedgerHead {
  readonly database: string;
  readonly number: number;
  readonly object?: Digest;
}

/**
 * A change, its time (microseconds since 1970-01-01T00:00:00Z), and its position in the history that instances share.
 */
export interface DatedChange extends Pick<LedgerEntry, "change" | "time" | "origin" | "aside"> {}

/** Appends a change to the ledger, as the last action of a transaction. `position`: in the shared history. */
export async function appendChange(
  engine: Engine,
  objects: Pick<Objects, "put">,
  experiment: number,
  change: LedgerChange,
  now: number,
  position: Pick<LedgerEntry, "origin" | "aside"> = {},
): Promise<void> {
  await appendChanges(engine, objects, experiment, [{ change, time: now, ...position }]);
}

/**
 * Appends changes in order. Locks the head of a shared database, so that numbers have no gaps. A transaction that fails
 * later leaves the object of its entry unreferenced.
 */
export async function appendChanges(
  engine: Engine,
  objects: Pick<Objects, "put">,
  experiment: number,
  changes: readonly DatedChange[],
): Promise<void> {
  let { database, number, object: previous } = await lockedHead(engine);
  const entries: StoredEntry[] = [];
  for (const { change, time, ...position } of changes) {
    const link = previous === undefined ? {} : { previous };
    const head = { schema: "perfkeep.ledger/1", database, number: (number += 1), ...link } as const;
    const entry: LedgerEntry = { ...head, time, experiment, change, ...position };
    const { digest } = objects.put("attachment", ledgerType, encodeLedgerEntry(entry));
    entries.push({ object: (previous = digest), entry });
  }
  for (let at = 0; at < entries.length; at += entriesPerStatement)
    await insertEntries(engine, entries.slice(at, at + entriesPerStatement));
}

/** PostgreSQL returns at most 1664 columns. */
const entriesPerStatement = 500;

async function lockedHead(engine: Engine): Promise<LedgerHead> {
  return headOf(await engine.catalogue.lockLedger());
}

/** Adds an entry to the database and makes it the head. */
export async function insertEntry(engine: Engine, stored: StoredEntry): Promise<void> {
  await insertEntries(engine, [stored]);
}

/** Adds entries in order. A server checks their sequence and the rights of the user. */
async function insertEntries(engine: Engine, entries: readonly StoredEntry[]): Promise<void> {
  await engine.catalogue.appendLedger(
    entries.map(({ object, entry: { number, experiment, change, time } }) => ({
      number,
      experiment,
      kind: change.kind,
      object,
      time: formatTimestamp(time),
    })),
  );
}

export async function ledgerHead(engine: Engine): Promise<LedgerHead> {
  return headOf(await engine.query("select database, number, object from ledger_head"));
}

function headOf(table: Table): LedgerHead {
  const [row] = recordsOf(table);
  const object = row?.get("object");
  return {
    database: String(row?.get("database")),
    number: Number(row?.get("number")),
    ...(typeof object === "string" ? { object: object as Digest } : {}),
  };
}

/** Restores the id of a rebuilt database. */
export async function setDatabaseId(engine: Engine, database: string): Promise<void> {
  await engine.execute("update ledger_head set database = $1", [database]);
}

/** The objects of all entries in the database, in order. */
export async function listedEntries(engine: Engine): Promise<Digest[]> {
  return recordsOf(await engine.query("select object from ledger order by number")).map(
    (row) => String(row.get("object")) as Digest,
  );
}

/** Fails with `object-missing`, `object-damaged`, `ledger-damaged`. */
export function readEntry(objects: Pick<Objects, "get">, object: Digest): StoredEntry {
  return { object, entry: decodeLedgerEntry(objects.get(object).body, object) };
}

/** A key that changes with every change of the experiment; undefined if the ledger has no entry of it. */
export async function experimentState(
  engine: Engine,
  experiment: number,
): Promise<readonly [database: string, entry: string] | undefined> {
  const [row] = recordsOf(
    await engine.query("select object from ledger where experiment = $1 order by number desc limit 1", [experiment]),
  );
  return row === undefined ? undefined : [(await ledgerHead(engine)).database, String(row.get("object"))];
}

/** The stored entries that created experiments, in order. */
export async function creations(engine: Engine, objects: Pick<Objects, "get">): Promise<StoredEntry[]> {
  const listed = recordsOf(
    await engine.query("select object from ledger where kind = 'create-experiment' order by number"),
  );
  return listed.flatMap((row) => entryIfStored(objects, String(row.get("object")) as Digest) ?? []);
}

/** Whether an experiment was purged in this database only, and not in others that share its history. */
export async function purgedHere(engine: Engine, objects: Pick<Objects, "get">, experiment: number): Promise<boolean> {
  const listed = await engine.query("select object from ledger where kind = 'purge-experiment' and experiment = $1", [
    experiment,
  ]);
  return recordsOf(listed).some(
    (row) => entryIfStored(objects, String(row.get("object")) as Digest)?.entry.aside === true,
  );
}

function entryIfStored(objects: Pick<Objects, "get">, object: Digest): StoredEntry | undefined {
  try {
    return readEntry(objects, object);
  } catch (error) {
    if (!isFailure(error, "object-missing") && !isFailure(error, "object-damaged")) throw error;
    return undefined;
  }
}

/** Maximum size of an entry. */
const maxEntryBytes = 64 * 1024 * 1024;

/**
 * The entries of every database in this object store, in order; `known`, if it is one of them, is among those of its
 * database. Skips damaged objects: if one was an entry, its chain is broken and this fails with `ledger-lost`.
 */
export async function storedLedgers(objects: Objects, known?: Digest): Promise<Map<string, StoredEntry[]>> {
  const chains = [...(await storedEntries(objects))].map(([database, entries]) => {
    const [longest, required] = [entryChain(entries), known === undefined ? undefined : entries.get(known)];
    const isRight = required === undefined || longest.includes(required);
    return [database, isRight ? longest : entryChain(entries, required)] as const;
  });
  return new Map(chains);
}

/** The intact entries in this object store by database. */
export async function storedEntries(objects: Objects): Promise<Map<string, Map<Digest, StoredEntry>>> {
  const byDatabase = new Map<string, Map<Digest, StoredEntry>>();
  for (const { id, companion } of membersOf(objects.folder).members) {
    if (companion !== undefined || id.length !== 40 || !(await isEntry(objects, id as Digest))) continue;
    const stored = readEntry(objects, id as Digest);
    const entries = byDatabase.get(stored.entry.database) ?? new Map<Digest, StoredEntry>();
    byDatabase.set(stored.entry.database, entries.set(stored.object, stored));
  }
  return byDatabase;
}

async function isEntry(objects: Objects, digest: Digest): Promise<boolean> {
  try {
    const { header, body } = await objects.open(digest);
    await body[Symbol.asyncIterator]().return?.();
    return header.kind === "attachment" && header.type === ledgerType && header.length <= maxEntryBytes;
  } catch (error) {
    if (isFailure(error, "object-damaged") || isFailure(error, "not-an-object")) return false;
    throw error;
  }
}

/**
 * The chain that ends in `end`; by default, in the entry with the highest number. An entry of a failed transaction can
 * only be the last one; the latest one wins.
 */
export function entryChain(entries: ReadonlyMap<Digest, StoredEntry>, end?: StoredEntry): StoredEntry[] {
  const [last] = [...entries.values()].sort((a, b) => b.entry.number - a.entry.number || b.entry.time - a.entry.time);
  const chain: StoredEntry[] = [];
  for (let stored = end ?? last; stored !== undefined;) {
    chain.push(stored);
    const { previous, number } = stored.entry;
    if (previous === undefined && number === 1) return chain.reverse();
    const before: StoredEntry | undefined = previous === undefined ? undefined : entries.get(previous);
    if (before?.entry.number !== number - 1)
      throw new Failure("ledger-lost", {
        problem: `entry ${number - 1} of its ledger, object ${previous ?? "?"}, is not in the store`,
      });
    stored = before;
  }
  return chain;
}
