import { Failure, isFailure } from "../../core/failures/index.ts";
import { isDigest, type Digest } from "../../core/versions/index.ts";
import { readRegularFile, writeDurably } from "../durable/index.ts";
import type { Objects } from "../objects/index.ts";
import { readEntry, type LedgerHead, type StoredEntry } from "./ledger.ts";

/**
 * The last change of a database that was reported as stored, in a file next to the database: DuckDB keeps two headers
 * and a log, so that a fault of the disk may bring the database back to an earlier state that looks sound.
 */
export interface RecordedHead extends LedgerHead {
  readonly object: Digest;
}

const maxBytes = 1000;

/** Null if there is none: earlier versions wrote none. Fails with `head-damaged`. */
export function readRecordedHead(path: string): RecordedHead | null {
  const bytes = readRegularFile(path, maxBytes);
  if (bytes === null) return null;
  const [database = "", number = "", object = "", ...end] = new TextDecoder().decode(bytes).split(/[ \n]/);
  if (!/^[1-9]\d*$/.test(number) || !isDigest(object) || end.join("|") !== "")
    throw new Failure("head-damaged", { path });
  return { database, number: Number(number), object };
}

/** Like `readRecordedHead`, but null if it is damaged: it protects the database, which is in order without it. */
export function recordedHead(path: string | undefined): RecordedHead | null {
  try {
    return path === undefined ? null : readRecordedHead(path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return null;
  }
}

/** Records the head of a database, before its last change is reported as stored. */
export function recordHead(path: string, { database, number, object }: LedgerHead): void {
  if (object === undefined || recordedHead(path)?.object === object) return;
  writeDurably(path, [new TextEncoder().encode(`${database} ${number} ${object}\n`)]);
}

/**
 * The changes up to the recorded one that a database lacks whose last change is `head`. None if the record is of
 * another database. Read the record before the head, since another process may change both. Fails with `ledger-lost` if
 * they do not follow the head or are not in the store.
 */
export function changesBeyond(
  objects: Pick<Objects, "get">,
  { database, number, object }: LedgerHead,
  recorded: RecordedHead | null,
): StoredEntry[] {
  if (recorded === null || recorded.database !== database) return [];
  const beyond: StoredEntry[] = [];
  let next: Digest | undefined = recorded.object;
  for (let at = recorded.number; at > number; at--) {
    const stored = recordedEntry(objects, next, recorded);
    if (stored.entry.number !== at || stored.entry.database !== database)
      throw lost(recorded, `object ${next} is another entry`);
    beyond.unshift(stored);
    next = stored.entry.previous;
  }
  if (beyond.length > 0 && next !== object) throw lost(recorded, "it does not follow the last change of the database");
  return beyond;
}

function recordedEntry(objects: Pick<Objects, "get">, object: Digest | undefined, recorded: RecordedHead): StoredEntry {
  if (object === undefined) throw lost(recorded, "an entry before it names none");
  try {
    return readEntry(objects, object);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw lost(recorded, error.message);
  }
}

function lost({ number }: RecordedHead, reason: string): Failure {
  return new Failure("ledger-lost", { problem: `change ${number}, which was reported as stored, is lost: ${reason}` });
}
