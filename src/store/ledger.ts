import type { Digest } from "../core/digest.ts";
import { isFailure } from "../core/errors.ts";
import type { Table } from "../core/table.ts";
import { formatTimestamp } from "../core/time-text.ts";
import { decodeLedgerEntry, encodeLedgerEntry, ledgerType, type LedgerChange, type LedgerEntry } from "../formats/ledger.ts";
import type { Engine } from "../plugins/engines/engine.ts";
import type { Objects } from "./objects.ts";
import { recordsOf } from "./rows.ts";

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
 * Notes a change: the last thing that a transaction does. Writers of a shared database queue up at the head, so that numbers follow one
 * another without gaps. `place`: in the history that instances share. An entry whose transaction failed in the end stays behind as an object that no later entry names.
 */
export async function record(
  engine: Engine,
  objects: Pick<Objects, "put">,
  experiment: number,
  change: LedgerChange,
  now: number,
  place: Pick<LedgerEntry, "origin" | "aside"> = {},
): Promise<void> {
  const { database, number, object: previous } = await lockedHead(engine);
  const named = previous === undefined ? {} : { previous };
  const entry: LedgerEntry = {
    schema: "perfkeep.ledger/1",
    database,
    number: number + 1,
    ...named,
    time: now,
    experiment,
    change,
    ...place,
  };
  const { digest } = objects.put("attachment", ledgerType, encodeLedgerEntry(entry));
  await noteEntry(engine, { object: digest, entry });
}

async function lockedHead(engine: Engine): Promise<LedgerHead> {
  return headOf(
    await engine.query(`select database, number, object from ${engine.dialect === "postgres" ? "lock_ledger()" : "ledger_head"}`),
  );
}

/** Lists an entry in the database and makes it the last one. A server sees to it that entries follow one another and are the user's to make. */
export async function noteEntry(engine: Engine, { object, entry }: KeptEntry): Promise<void> {
  const { number, experiment, change, time } = entry;
  const values = [number, experiment, change.kind, object, formatTimestamp(time)];
  if (engine.dialect === "postgres") {
    await engine.execute("select note_change($1, $2, $3, $4, cast($5 as timestamp))", values);
    return;
  }
  await engine.execute(
    "insert into ledger (number, experiment, kind, object, created) values ($1, $2, $3, $4, cast($5 as timestamp))",
    values,
  );
  await engine.execute("update ledger_head set number = $1, object = $2", [number, object]);
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
  return recordsOf(await engine.query("select object from ledger order by number")).map((row) => String(row.get("object")) as Digest);
}

/** Fails with `object-missing`, `object-damaged`, `ledger-damaged`. */
export function readEntry(objects: Pick<Objects, "get">, object: Digest): KeptEntry {
  return { object, entry: decodeLedgerEntry(objects.get(object).body, object) };
}

/** What changes with every change of the experiment; undefined where no ledger tells of it. */
export async function stateOf(engine: Engine, experiment: number): Promise<readonly [database: string, entry: string] | undefined> {
  const [row] = recordsOf(await engine.query("select object from ledger where experiment = $1 order by number desc limit 1", [experiment]));
  return row === undefined ? undefined : [(await ledgerHead(engine)).database, String(row.get("object"))];
}

/** The entries that made experiments, as far as they are here, in order. */
export async function creations(engine: Engine, objects: Pick<Objects, "get">): Promise<KeptEntry[]> {
  const listed = recordsOf(await engine.query("select object from ledger where kind = 'create-experiment' order by number"));
  return listed.flatMap((row) => entryHere(objects, String(row.get("object")) as Digest) ?? []);
}

function entryHere(objects: Pick<Objects, "get">, object: Digest): KeptEntry | undefined {
  try {
    return readEntry(objects, object);
  } catch (error) {
    if (!isFailure(error, "object-missing") && !isFailure(error, "object-damaged")) throw error;
    return undefined;
  }
}
