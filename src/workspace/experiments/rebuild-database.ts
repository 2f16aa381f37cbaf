import { counted } from "../../core/text/index.ts";
import { formatTimestamp } from "../../core/values/index.ts";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Engine, EnginePlugin } from "../../plugins/engines/engine.ts";
import { linkDurably, listFolder, makeFolder, moveDurably, removeDurably } from "../../store/durable/index.ts";
import {
  findLedger,
  type LedgerHead,
  recordHead,
  recordedHead,
  type RecordedHead,
  storedLedgers,
  type FoundLedger,
  ledgerHead,
  type StoredEntry,
  rebuild,
  requireObjects,
  type ImportReplay,
} from "../../store/ledger/index.ts";
import { layoutOf, migrate } from "../../store/schema/index.ts";
import type { ExperimentHome } from "./experiments.ts";
import { restorableChanges } from "./recorded-changes.ts";

export interface RebuildOptions {
  /** Ledger to use if the store has several and the file is lost or was created since. */
  readonly ledger?: string;
  readonly done: (entries: number, total: number) => void;
}

export interface Rebuilt {
  readonly entries: number;
  /** What was wrong with the list of the ledger; its entries were then found by reading all objects. */
  readonly listDamage?: string;
  /** Where the former file was moved; absent if there was none. */
  readonly former?: string;
}

/**
 * Rebuilds the embedded database from stored objects next to the old file, which is finally replaced and target in
 * `quarantine`. Fails with `ledger-lost` before replacing anything, and with `database-busy` while the database is in
 * use.
 */
export async function rebuildDatabase(
  home: ExperimentHome,
  plugin: EnginePlugin,
  replay: ImportReplay,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const path = home.database;
  const old = await openExisting(path, plugin);
  const rebuilt = `${path}.rebuilt`;
  try {
    const recorded = recordedHead(home.head);
    const own = old === null ? null : await ownLedger(old, home, recorded, options.ledger);
    const { entries, damage } = own ?? { entries: await lostLedger(home, recorded, options.ledger) };
    await requireObjects(home.objects, entries);
    removeFiles(rebuilt);
    const engine = await plugin.open(rebuilt, "write");
    try {
      await engine.checkpointSeldom?.();
      await rebuild(engine, entries, replay, (done) => options.done(done, entries.length));
      await engine.checkpoint?.();
    } finally {
      await engine.close();
    }
    // Before the new file: it has the recorded change in any case, and a failure here has replaced nothing.
    if (home.head !== undefined) recordHead(home.head, headOf(entries, ""));
    const former = moveAside(path);
    moveDurably(rebuilt, path);
    return {
      entries: entries.length,
      ...(damage === undefined ? {} : { listDamage: damage }),
      ...(former === undefined ? {} : { former }),
    };
  } catch (error) {
    removeFiles(rebuilt);
    throw error;
  } finally {
    await old?.close();
  }
}

/**
 * Opens the old database and thereby locks it until the end; null if it is missing, cannot be opened, or has a newer
 * layout.
 */
async function openExisting(path: string, plugin: EnginePlugin): Promise<Engine | null> {
  if (!existsSync(path)) return null;
  let engine: Engine | null = null;
  try {
    await plugin.tryReading?.(path);
    engine = await plugin.open(path, "write");
    if ((await layoutOf(engine)) > 0) {
      await migrate(engine);
      await engine.checkpoint?.();
      return engine;
    }
  } catch (error) {
    if (isFailure(error, "database-refused") && engine !== null) return engine;
    // The layout says nothing of the ledger, which is refused if it has changes that this program does not know.
    if (!isFailure(error, "database-damaged") && !isFailure(error, "database-newer")) {
      await engine?.close();
      throw error;
    }
  }
  await engine?.close();
  return null;
}

/**
 * The ledger of the database with the recorded changes that it lacks; null if its list cannot be read, or another
 * ledger was requested.
 */
async function ownLedger(
  engine: Engine,
  { objects, isDefault }: ExperimentHome,
  recorded: RecordedHead | null,
  requested: string | undefined,
): Promise<FoundLedger | null> {
  try {
    const { database } = await ledgerHead(engine);
    if (requested !== undefined && database !== requested) return null;
    const { entries, ...found } = await findLedger(engine, objects);
    const beyond = isDefault ? restorableChanges(objects, headOf(entries, database), recorded) : [];
    return { ...found, entries: [...entries, ...beyond] };
  } catch (error) {
    if (isFailure(error, "database-damaged") || isFailure(error, "database-refused")) return null;
    throw error;
  }
}

function headOf(entries: readonly StoredEntry[], database: string): LedgerHead {
  const last = entries.at(-1);
  if (last === undefined) return { database, number: 0 };
  return { database: last.entry.database, number: last.entry.number, object: last.object };
}

/**
 * The ledger of a lost database: the requested one, or the one whose head was recorded, or the only one in the store
 * that is of no other database.
 */
async function lostLedger(
  home: ExperimentHome,
  recorded: RecordedHead | null,
  requested: string | undefined,
): Promise<StoredEntry[]> {
  const ledgers = await storedLedgers(home.objects, recorded?.object);
  const names = [...ledgers.keys()].sort();
  const only = requested ?? (names.length === 1 ? names[0] : (recorded?.database ?? unclaimed(home, names)));
  const ledger = only === undefined ? undefined : ledgers.get(only);
  if (ledger !== undefined) return ledger;
  if (names.length === 0)
    throw new Failure("ledger-lost", { problem: "the store has no ledger", advice: "restore a copy of the store" });
  const listing = names.map((name) => `${name} (${describeLedger(ledgers.get(name) ?? [])})`).join(", ");
  throw new Failure("ledger-lost", {
    problem:
      requested === undefined
        ? `there are ledgers of several databases: ${listing}`
        : `the store has no ledger ${requested}, but: ${listing}`,
    advice: "select one with --ledger ID",
  });
}

/** The only ledger that no record names, if there is only one. */
function unclaimed({ otherHeads }: ExperimentHome, names: readonly string[]): string | undefined {
  const claimed = otherHeads().map((path) => recordedHead(path)?.database);
  const free = names.filter((name) => !claimed.includes(name));
  return free.length === 1 ? free[0] : undefined;
}

const maxNames = 5;

/** `3 changes of io, net, last 2026-01-31T09:30:00Z`. */
function describeLedger(entries: readonly StoredEntry[]): string {
  const names = new Map<number, string>();
  for (const { entry } of entries) {
    if ("description" in entry.change) names.set(entry.experiment, entry.change.description.name);
    if (entry.change.kind === "purge-experiment") names.delete(entry.experiment);
  }
  const all = [...names.values()];
  const listed = [...all.slice(0, maxNames), ...(all.length > maxNames ? ["…"] : [])].join(", ");
  const last = entries.at(-1);
  return [
    counted(entries.length, "change"),
    ...(listed === "" ? [] : [` of ${listed}`]),
    ...(last === undefined ? [] : [`, last ${formatTimestamp(last.entry.time)}`]),
  ].join("");
}

/**
 * Links the old file into `quarantine`; it stays in place until replaced. Its write-ahead log must not be applied to
 * the new file.
 */
function moveAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const quarantine = join(dirname(path), "quarantine");
  makeFolder(quarantine);
  const target = join(quarantine, `${basename(path)}-${listFolder(quarantine).length}`);
  linkDurably(path, target);
  if (existsSync(`${path}.wal`)) moveDurably(`${path}.wal`, `${target}.wal`);
  return target;
}

function removeFiles(path: string): void {
  for (const each of [path, `${path}.wal`]) removeDurably(each);
}
