import { counted } from "../../core/text/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { EnginePlugin } from "../../plugins/engines/engine.ts";
import { lstatOrNull, StoreLock } from "../../store/durable/index.ts";
import type { DatabaseRecovery, Workspace } from "../workspace.ts";

/**
 * Rebuilds an embedded database that cannot be read, from the ledger, and warns about it in one line. Returns false if
 * `error` is no sign of damage. `file` identifies the file that was read: one process replaces it, others wait for
 * that. Fails with `database-damaged` and the reason if the ledger does not suffice.
 */
export async function recoverDatabase(
  workspace: Workspace,
  database: string,
  error: unknown,
  file: FileIdentity,
): Promise<boolean> {
  const { recovery } = workspace;
  if (recovery === undefined || !isFailure(error, "database-damaged")) return false;
  const rebuildUnlessReplaced = async (): Promise<void> => {
    if (identityOf(database) === file) await rebuild(recovery, workspace, database, error);
  };
  const lock = new StoreLock(`${database}.recovery`, workspace.world.command);
  // Waiting for the lock blocks the process, so that this process must not wait for itself.
  const earlier = recoveries.get(database) ?? Promise.resolve();
  const rebuilt = earlier.catch(() => {}).then(() => lock.holdAsync(rebuildUnlessReplaced));
  recoveries.set(database, rebuilt);
  await rebuilt;
  return true;
}

/** The last recovery of this process by database. */
const recoveries = new Map<string, Promise<void>>();

async function rebuild(
  recovery: DatabaseRecovery,
  workspace: Workspace,
  database: string,
  damage: Failure,
): Promise<void> {
  const { changes, listDamage, backup } = await recovery(workspace, database).catch((refused: unknown) => {
    if (!(refused instanceof Failure)) throw refused;
    const reason = `${String(damage.data["reason"])}; it cannot be rebuilt: ${refused.message}`;
    throw new Failure("database-damaged", { path: database, reason }, damage);
  });
  const found = listDamage === undefined ? "" : `, found by reading all objects: ${listDamage}`;
  const kept = backup === undefined ? "" : `; the damaged file is kept at ${backup}`;
  workspace.world.warn?.(
    `the experiment database ${database} was damaged and has been rebuilt from its ledger ` +
      `(${counted(changes, "change")}${found})${kept}`,
  );
}

/** The identity of a file that is replaced, never modified in place, by a rebuild. */
type FileIdentity = string | undefined;

export function identityOf(path: string): FileIdentity {
  const facts = lstatOrNull(path);
  return facts === null ? undefined : `${facts.dev}:${facts.ino}`;
}

/** Reads the whole database; null if it is in order. Fails with `database-busy`, `no-database`. */
export async function damageOf(path: string, plugin: EnginePlugin, patience?: number): Promise<Failure | null> {
  try {
    await plugin.tryReading?.(path);
    const engine = await plugin.open(path, "read", patience);
    try {
      await engine.verify?.();
    } finally {
      await engine.close();
    }
    return null;
  } catch (error) {
    if (isFailure(error, "database-damaged")) return error;
    throw error;
  }
}
