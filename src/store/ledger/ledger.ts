import type { Digest } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { Table } from "../../core/tables/table.ts";
import { formatTimestamp } from "../../core/values/date-time.ts";
import {
  decodeLedgerEntry,
  encodeLedgerEntry,
  ledgerType,
  type LedgerChange,
  type LedgerEntry,
} from "../../formats/store/experiments/ledger.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Objects } from "../objects/objects.ts";
import { recordsOf } from "../schema/result-rows.ts";

/** An entry and the object that keeps it. */
export interface KeptEntry {
  readonly object: Digest;
  readonly entry: LedgerEntry;
}

/** Which database this is, and the last entry of its ledger. */
export interface LedgerHead {
  readonly database: string;
  readonly number: number;
  readonly object?: Digest;
}

/**
 * A change, when it happened (microseconds since 1970-01-01T00:00:00Z), and its place in the history that instances
 * share.
 */
export interface DatedChange extends Pick<LedgerEntry, "change" | "time" | "origin" | "aside"> {}

/** Notes a change: the last thing that a transaction does. `place`: in the history that instances share. */
export async function record(
  engine: Engine,
  objects: Pick<Objects, "put">,
  experiment: number,
  change: LedgerChange,
  now: number,
  place: Pick<LedgerEntry, "origin" | "aside"> = {},
): Promise<void> {
  await recordAll(engine, objects, experiment, [{ change, time: now, ...place }]);
}

/**
 * Notes changes one after the other. Writers of a shared database queue up at the head, so that numbers follow one
 * another without gaps. An entry whose transaction failed in the end stays behind as an object that no later entry
 * names.
 */
export async function recordAll(
  engine: Engine,
  objects: Pick<Objects, "put">,
  experiment: number,
  changes: readonly DatedChange[],
): Promise<void> {
  let { database, number, object: previous } = await lockedHead(engine);
  const entries: KeptEntry[] = [];
  for (const { change, time, ...place } of changes) {
    const named = previous === undefined ? {} : { previous };
    const head = { schema: "perfkeep.ledger/1", database, number: (number += 1), ...named } as const;
    const entry: LedgerEntry = { ...head, time, experiment, change, ...place };
    const { digest } = objects.put("attachment", ledgerType, encodeLedgerEntry(entry));
    entries.push({ object: (previous = digest), entry });
  }
  for (let at = 0; at < entries.length; at += entriesAtOnce)
    await noteEntries(engine, entries.slice(at, at + entriesAtOnce));
}

/** A server answers at most 1664 columns. */
const entriesAtOnce = 500;

async function lockedHead(engine: Engine): Promise<LedgerHead> {
  return headOf(
    await engine.query(
      `select database, number, object from ${engine.dialect === "postgres" ? "lock_ledger()" : "ledger_head"}`,
    ),
  );
}

/** Lists an entry in the database and makes it the last one. */
export async function noteEntry(engine: Engine, kept: KeptEntry): Promise<void> {
  await noteEntries(engine, [kept]);
}

/** In their order. A server sees to it that entries follow one another and are the user's to make. */
async function noteEntries(engine: Engine, entries: readonly KeptEntry[]): Promise<void> {
  const values = entries.flatMap(({ object, entry: { number, experiment, change, time } }) => [
    number,
    experiment,
    change.kind,
    object,
    formatTimestamp(time),
  ]);
  const tuples = entries.map(
    (_, at) => `(${[1, 2, 3, 4].map((n) => `$${5 * at + n}`).join(", ")}, cast($${5 * at + 5} as timestamp))`,
  );
  if (engine.dialect === "postgres") {
    await engine.execute(`select ${tuples.map((tuple) => `note_change${tuple}`).join(", ")}`, values);
    return;
  }
  await engine.execute(
    `insert into ledger (number, experiment, kind, object, created) values ${tuples.join(", ")}`,
    values,
  );
  const last = entries.at(-1);
  if (last) await engine.execute("update ledger_head set number = $1, object = $2", [last.entry.number, last.object]);
}

export async function ledgerHead(engine: Engine): Promise<LedgerHead> {
  return headOf(await engine.query("select database, number, object from ledger_head"));
}

function headOf(found: Table): LedgerHead {
  const [row] = recordsOf(found);
  const object = row?.get("object");
  return {
    database: String(row?.get("database")),
    number: Number(row?.get("number")),
    ...(typeof object === "string" ? { object: object as Digest } : {}),
  };
}

/** A database that is made again keeps its identity. */
export async function adoptIdentity(engine: Engine, database: string): Promise<void> {
  await engine.execute("update ledger_head set database = $1", [database]);
}

/** The objects of all entries in order, as the database lists them. */
export async function listedEntries(engine: Engine): Promise<Digest[]> {
  return recordsOf(await engine.query("select object from ledger order by number")).map(
    (row) => String(row.get("object")) as Digest,
  );
}

/** Fails with `object-missing`, `object-damaged`, `ledger-damaged`. */
export function readEntry(objects: Pick<Objects, "get">, object: Digest): KeptEntry {
  return { object, entry: decodeLedgerEntry(objects.get(object).body, object) };
}

/** What changes with every change of the experiment; undefined where no ledger tells of it. */
export async function stateOf(
  engine: Engine,
  experiment: number,
): Promise<readonly [database: string, entry: string] | undefined> {
  const [row] = recordsOf(
    await engine.query("select object from ledger where experiment = $1 order by number desc limit 1", [experiment]),
  );
  return row === undefined ? undefined : [(await ledgerHead(engine)).database, String(row.get("object"))];
}

/** The entries that made experiments, as far as they are here, in order. */
export async function creations(engine: Engine, objects: Pick<Objects, "get">): Promise<KeptEntry[]> {
  const listed = recordsOf(
    await engine.query("select object from ledger where kind = 'create-experiment' order by number"),
  );
  return listed.flatMap((row) => entryHere(objects, String(row.get("object")) as Digest) ?? []);
}

/** Whether an experiment was dropped in this database and in no other that shares its history. */
export async function purgedHere(engine: Engine, objects: Pick<Objects, "get">, experiment: number): Promise<boolean> {
  const listed = await engine.query("select object from ledger where kind = 'purge-experiment' and experiment = $1", [
    experiment,
  ]);
  return recordsOf(listed).some((row) => entryHere(objects, String(row.get("object")) as Digest)?.entry.aside === true);
}

function entryHere(objects: Pick<Objects, "get">, object: Digest): KeptEntry | undefined {
  try {
    return readEntry(objects, object);
  } catch (error) {
    if (!isFailure(error, "object-missing") && !isFailure(error, "object-damaged")) throw error;
    return undefined;
  }
}
