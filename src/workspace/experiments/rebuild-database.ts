import { counted } from "../../core/text/plural.ts";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Engine, EnginePlugin } from "../../plugins/engines/engine.ts";
import { linkDurably, makeFolder, moveDurably, removeDurably } from "../../store/durable/durable-file.ts";
import { storedLedgers, ledgerHead, type StoredEntry } from "../../store/ledger/ledger.ts";
import { layoutOf, migrate } from "../../store/schema/schema.ts";
import { readLedger, rebuild, requireObjects, type ImportReplay } from "../../store/ledger/rebuild.ts";
import type { ExperimentHome } from "./experiments.ts";

export interface RebuildOptions {
  /** Which database, where several were kept here and the file is lost, or is one that was made since. */
  readonly ledger?: string;
  readonly done: (entries: number, total: number) => void;
}

export interface Rebuilt {
  readonly entries: number;
  /** Where the former file was put; absent when there was none. */
  readonly former?: string;
}

/**
 * Makes the embedded database at `home` again from kept objects: beside the old one, which is replaced at the end and
 * kept in `quarantine`. Fails with `ledger-lost`, and then nothing is replaced; with `database-busy` while somebody
 * uses it.
 */
export async function rebuildDatabase(
  home: ExperimentHome,
  plugin: EnginePlugin,
  replay: ImportReplay,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const path = home.database;
  const old = await openExisting(path, plugin);
  const beside = `${path}.rebuilt`;
  try {
    const entries =
      old !== null && (await isRequested(old, options.ledger))
        ? await readLedger(old, home.objects)
        : await lostLedger(home, options.ledger);
    await requireObjects(home.objects, entries);
    removeFiles(beside);
    const engine = await plugin.open(beside, "write");
    try {
      await rebuild(engine, entries, replay, (done) => options.done(done, entries.length));
      await engine.execute("checkpoint");
    } finally {
      await engine.close();
    }
    const former = moveAside(path);
    moveDurably(beside, path);
    return { entries: entries.length, ...(former === undefined ? {} : { former }) };
  } catch (error) {
    removeFiles(beside);
    throw error;
  } finally {
    await old?.close();
  }
}

/** Held until the end, so that nobody writes meanwhile; null where there is no database that can be read. */
async function openExisting(path: string, plugin: EnginePlugin): Promise<Engine | null> {
  if (!existsSync(path)) return null;
  let engine: Engine | null = null;
  try {
    engine = await plugin.open(path, "write");
    if ((await layoutOf(engine)) > 0) {
      await migrate(engine);
      await engine.execute("checkpoint");
      return engine;
    }
  } catch (error) {
    if (!isFailure(error, "database-damaged") && !isFailure(error, "database-refused")) {
      await engine?.close();
      throw error;
    }
  }
  await engine?.close();
  return null;
}

/** Whether the database is the one that is wanted, and not one that was made since in its place. */
async function isRequested(engine: Engine, wanted: string | undefined): Promise<boolean> {
  return wanted === undefined || (await ledgerHead(engine)).database === wanted;
}

/** The ledger of a database that is lost: the only one that the objects tell of, or the one that is named. */
async function lostLedger(home: ExperimentHome, wanted: string | undefined): Promise<StoredEntry[]> {
  const ledgers = await storedLedgers(home.objects);
  const names = [...ledgers.keys()].sort();
  const [only] = wanted === undefined && names.length === 1 ? names : [wanted];
  const found = only === undefined ? undefined : ledgers.get(only);
  if (found !== undefined) return found;
  if (names.length === 0)
    throw new Failure("ledger-lost", { problem: "no ledger is kept here", advice: "restore a copy of the store" });
  const told = names.map((name) => `${name} (${counted(ledgers.get(name)?.length ?? 0, "change")})`).join(", ");
  throw new Failure("ledger-lost", {
    problem: `there are the ledgers of several databases: ${told}`,
    advice: "say which one with --ledger ID",
  });
}

/** The old file stays in place until the new one takes it; its write-ahead log must not be applied to the new one. */
function moveAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const quarantine = join(dirname(path), "quarantine");
  makeFolder(quarantine);
  const kept = join(quarantine, `${basename(path)}-${readdirSync(quarantine).length}`);
  linkDurably(path, kept);
  if (existsSync(`${path}.wal`)) moveDurably(`${path}.wal`, `${kept}.wal`);
  return kept;
}

function removeFiles(path: string): void {
  for (const each of [path, `${path}.wal`]) removeDurably(each);
}
