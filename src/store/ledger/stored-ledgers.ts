import type { Digest } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { ledgerType } from "../../formats/store/experiments/ledger.ts";
import { readEntry, type KeptEntry } from "./ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { membersOf } from "../objects/object-paths.ts";

/** Entries are small; what unpacks to more is no entry. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The entries of every database that this object store knows of, in order. Damaged objects are passed over here: where
 * one of them was an entry, its chain is broken, which fails with `ledger-lost`.
 */
export async function keptLedgers(objects: Objects): Promise<Map<string, KeptEntry[]>> {
  const byDatabase = new Map<string, Map<Digest, KeptEntry>>();
  for (const { id, companion } of membersOf(objects.folder).members) {
    if (companion !== undefined || id.length !== 40 || !(await isEntry(objects, id as Digest))) continue;
    const kept = readEntry(objects, id as Digest);
    const known = byDatabase.get(kept.entry.database) ?? new Map<Digest, KeptEntry>();
    byDatabase.set(kept.entry.database, known.set(kept.object, kept));
  }
  return new Map([...byDatabase].map(([database, entries]) => [database, chainOf(entries)]));
}

async function isEntry(objects: Objects, digest: Digest): Promise<boolean> {
  try {
    const { header, body } = await objects.open(digest);
    await body[Symbol.asyncIterator]().return?.();
    return header.kind === "attachment" && header.type === ledgerType && header.length <= mostBytes;
  } catch (error) {
    if (isFailure(error, "object-damaged") || isFailure(error, "not-an-object")) return false;
    throw error;
  }
}

/**
 * The chain that ends in the entry of the highest number. Entries of transactions that failed in the end are in no
 * chain but at most its last place, where the latest one counts.
 */
function chainOf(entries: ReadonlyMap<Digest, KeptEntry>): KeptEntry[] {
  const [last] = [...entries.values()].sort((a, b) => b.entry.number - a.entry.number || b.entry.time - a.entry.time);
  const chain: KeptEntry[] = [];
  for (let kept = last; kept !== undefined;) {
    chain.push(kept);
    const { previous, number } = kept.entry;
    if (previous === undefined && number === 1) return chain.reverse();
    const before: KeptEntry | undefined = previous === undefined ? undefined : entries.get(previous);
    if (before?.entry.number !== number - 1)
      throw new Failure("ledger-lost", {
        problem: `entry ${number - 1} of its ledger, object ${previous ?? "?"}, is not in the store`,
      });
    kept = before;
  }
  return chain;
}
