import { counted } from "../../core/text/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { Objects } from "../objects/index.ts";
import { recordsOf } from "../schema/index.ts";
import { entryChain, ledgerHead, readEntry, storedEntries, type LedgerHead, type StoredEntry } from "./ledger.ts";

/** The ledger of a database. `damage`: what is wrong with its list; the entries then come from the stored objects. */
export interface FoundLedger {
  readonly entries: readonly StoredEntry[];
  readonly damage?: string;
}

/** The list of a ledger in the database. */
interface LedgerList {
  readonly head: LedgerHead;
  readonly objects: readonly Digest[];
  /** What the other columns hold. */
  readonly lines: readonly string[];
}

/**
 * The ledger entries of an open database. Each entry names the one before it: a list that does not agree with this is
 * damaged, and the entries are searched in all objects. Fails with `ledger-lost` if some are missing, and if the
 * database has experiments or runs older than the ledger, which no entry mentions.
 */
export async function findLedger(engine: Engine, objects: Objects): Promise<FoundLedger> {
  const list = await readList(engine);
  const listed = entriesOf(objects, list);
  const found =
    typeof listed === "string" ? { entries: await search(objects, list, listed), damage: listed } : { entries: listed };
  await requireComplete(engine, found.entries);
  return found;
}

async function readList(engine: Engine): Promise<LedgerList> {
  const head = await ledgerHead(engine);
  const rows = recordsOf(
    await engine.query("select number, experiment, kind, object, created from ledger order by number"),
  );
  const line = ["number", "experiment", "kind", "created"];
  return {
    head,
    objects: rows.map((row) => String(row.get("object")) as Digest),
    lines: rows.map((row) => line.map((name) => row.get(name)).join(" ")),
  };
}

/** The entries, or what is wrong with the list. */
function entriesOf(objects: Objects, { head, objects: listed, lines }: LedgerList): StoredEntry[] | string {
  if (head.number !== listed.length) return `its ledger lists ${listed.length} of ${counted(head.number, "change")}`;
  if (head.object !== listed.at(-1)) return `the last change of its ledger is not ${head.object}`;
  const entries: StoredEntry[] = [];
  for (const [at, object] of listed.entries()) {
    const stored = entryOf(objects, object);
    if (typeof stored === "string") return `an entry of its ledger is lost: ${stored}`;
    const { number, previous, database, experiment, change, time } = stored.entry;
    const line = [number, experiment, change.kind, time].join(" ");
    if (number !== at + 1 || previous !== listed[at - 1] || database !== head.database || line !== lines[at])
      return `entry ${at + 1} of its ledger is not object ${object}`;
    entries.push(stored);
  }
  return entries;
}

function entryOf(objects: Pick<Objects, "get">, object: Digest): StoredEntry | string {
  try {
    return readEntry(objects, object);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error.message;
  }
}

/** Reads all objects for the ledger that the list names: by an entry, else by the id of the database. */
async function search(objects: Objects, { head, objects: listed }: LedgerList, damage: string): Promise<StoredEntry[]> {
  const byDatabase = await storedEntries(objects);
  const known = [...byDatabase.values()];
  const entries =
    known.find((each) => listed.some((object) => each.has(object))) ??
    byDatabase.get(head.database) ??
    (known.length === 1 ? known[0] : undefined);
  if (entries === undefined) throw new Failure("ledger-lost", { problem: damage });
  // A failed transaction may leave an entry after the last one.
  const last =
    (head.object === undefined ? undefined : entries.get(head.object)) ??
    [...entries.values()].find(({ object, entry }) => entry.number === listed.length && listed.includes(object));
  try {
    return entryChain(entries, last);
  } catch (error) {
    if (!isFailure(error, "ledger-lost")) throw error;
    throw new Failure("ledger-lost", { problem: damage }, error);
  }
}

/**
 * Experiments and runs without an entry are older than the ledger if they have tables, or if no entry created their
 * experiment; other rows are damaged.
 */
async function requireComplete(engine: Engine, entries: readonly StoredEntry[]): Promise<void> {
  const mentioned = new Set<string>();
  const created = new Set<unknown>();
  for (const { entry } of entries) {
    mentioned.add(`${entry.experiment}`);
    if (entry.change.kind === "create-experiment") created.add(entry.experiment);
    if (entry.change.kind === "import")
      for (const { number } of entry.change.runs) mentioned.add(`${entry.experiment} ${number}`);
  }
  const older = recordsOf(
    await engine.query(
      `select id, name from experiment where exists (select 1 from information_schema.tables
         where table_name = concat('data_', cast(id as varchar))) order by id`,
    ),
  ).filter((row) => !created.has(row.get("id")));
  for (const row of older) {
    const [id, name] = [row.get("id"), row.get("name")];
    if (!mentioned.has(String(id))) throw missingFromLedger(`experiment '${name}' is`);
    const runs = recordsOf(
      await engine.query("select number from run where experiment = $1 order by number", [id ?? 0]),
    );
    const run = runs.find((each) => !mentioned.has(`${id} ${each.get("number")}`));
    if (run !== undefined) throw missingFromLedger(`run ${run.get("number")} of '${name}' is`);
  }
}

function missingFromLedger(what: string): Failure {
  const advice = "it is older than the ledger: import its files into a new experiment";
  return new Failure("ledger-lost", { problem: `${what} not in its ledger`, advice });
}
