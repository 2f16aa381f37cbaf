import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { listFolder } from "../../store/durable/index.ts";
import {
  changesBeyond,
  ledgerHead,
  type LedgerHead,
  recordHead,
  type RecordedHead,
  type StoredEntry,
} from "../../store/ledger/index.ts";
import type { Objects } from "../../store/objects/index.ts";
import type { World } from "../workspace.ts";

/**
 * Records of other databases than the default one are in the folder of the objects, so that the user's folder gets no
 * file more. Their names survive a move of both.
 */
export function headsOf(
  ownDatabase: string,
  folder: string,
  database: string,
): { readonly own: string; readonly others: () => readonly string[] } {
  const heads = join(folder, "run", "heads");
  const ofDefault = `${ownDatabase}.head`;
  const name = createHash("sha1").update(relative(folder, database)).digest("hex");
  const own = database === ownDatabase ? ofDefault : join(heads, name);
  const all = (): string[] => [ofDefault, ...listFolder(heads).map((entry) => join(heads, entry.name))];
  return { own, others: () => all().filter((each) => each !== own) };
}

/** Fails with `database-damaged` if the database lacks changes that were reported as stored and can be restored. */
export async function requireChanges(
  engine: Engine,
  database: string,
  objects: Objects,
  recorded: RecordedHead,
): Promise<void> {
  const [lost] = restorableChanges(objects, await ledgerHead(engine), recorded);
  if (lost === undefined) return;
  const reason = `it is in an earlier state, without change ${lost.entry.number}`;
  throw new Failure("database-damaged", { path: database, reason });
}

/**
 * The recorded changes that a database lacks whose last change is `head`. None if the store lacks some of them: `fsck`
 * reports that, and what is there stays usable.
 */
export function restorableChanges(
  objects: Objects,
  head: LedgerHead,
  recorded: RecordedHead | null,
): readonly StoredEntry[] {
  try {
    return changesBeyond(objects, head, recorded);
  } catch (error) {
    if (!isFailure(error, "ledger-lost")) throw error;
    return [];
  }
}

/** Records each change before it is reported as stored. Without its record, a change is stored all the same. */
export function recordChanges(engine: Engine, head: string, { warn }: Pick<World, "warn">): void {
  engine.onCommit?.(async () => {
    try {
      recordHead(head, await ledgerHead(engine));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      warn?.(
        `the change is stored, but fsck could not find out if the database returned to its earlier state: ` +
          error.message,
      );
    }
  });
}
