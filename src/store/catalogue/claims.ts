import { Failure } from "../../core/failures/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { recordsOf } from "../schema/index.ts";
import type { StoredExperiment } from "./catalogue.ts";

/** A file to import; `force`: even if an active run came from the same bytes. */
export interface ClaimedFile {
  readonly path: string;
  readonly sha256: string;
  readonly force: boolean;
}

/** Digests in one statement. */
const batchSize = 1000;

/**
 * Claims files for an import within a transaction of the caller. Fails with `already-imported` for the first one that
 * an active run came from, unless it is forced.
 */
export async function claimFiles(
  engine: Engine,
  stored: StoredExperiment,
  files: readonly ClaimedFile[],
): Promise<void> {
  const claimed = new Set<string>();
  const digests = [...new Set(files.map(({ sha256 }) => sha256))];
  for (let at = 0; at < digests.length; at += batchSize)
    for (const digest of await insertClaims(engine, stored.id, digests.slice(at, at + batchSize))) claimed.add(digest);
  const duplicate = files.find(({ sha256, force }) => !force && !claimed.has(sha256));
  if (duplicate !== undefined) throw await alreadyImported(engine, stored, duplicate.path, duplicate.sha256);
}

/** Returns the digests that had no claim. */
async function insertClaims(engine: Engine, experiment: number, digests: readonly string[]): Promise<string[]> {
  const rows = digests.map((_, at) => `($1, $${at + 2})`).join(", ");
  // Waits for concurrent imports of the same files, which then get no row.
  const inserted = await engine.query(
    `insert into claim (experiment, sha256) values ${rows} on conflict do nothing returning sha256`,
    // In one order, so that two imports of the same files do not wait for each other.
    [experiment, ...digests.toSorted()],
  );
  return recordsOf(inserted).map((row) => String(row.get("sha256")));
}

/** Fails with `already-imported` if an active run came from these bytes. */
export async function refuseDuplicate(
  engine: Engine,
  stored: StoredExperiment,
  path: string,
  sha256: string,
): Promise<void> {
  if (await isClaimed(engine, stored.id, sha256)) throw await alreadyImported(engine, stored, path, sha256);
}

async function isClaimed(engine: Engine, experiment: number, sha256: string): Promise<boolean> {
  return (
    (await engine.query("select sha256 from claim where experiment = $1 and sha256 = $2", [experiment, sha256]))
      .length > 0
  );
}

async function alreadyImported(
  engine: Engine,
  { id, experiment }: StoredExperiment,
  path: string,
  sha256: string,
): Promise<Failure> {
  const found = await engine.query(
    `select min(s.run) as run from source s join run r on r.experiment = s.experiment and r.number = s.run
     where s.experiment = $1 and s.sha256 = $2 and r.active`,
    [id, sha256],
  );
  const run = recordsOf(found)[0]?.get("run");
  return new Failure("already-imported", { path, experiment: experiment.name, run: String(run ?? "?") });
}
