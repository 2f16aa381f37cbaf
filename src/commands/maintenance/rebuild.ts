import { Failure } from "../../core/failures/failure.ts";
import { experimentHome } from "../../workspace/experiments/experiments.ts";
import { rebuildDatabase } from "../../workspace/experiments/rebuild-database.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { keptImports } from "../import/replay.ts";

export interface RebuildOptions {
  readonly database?: string;
  /** Which database, where several were kept here and the file is lost, or is one that was made since. */
  readonly ledger?: string;
  /** So many of all changes are done. */
  readonly progress?: (done: number, total: number) => void;
}

export interface RebuiltExperiments {
  readonly database: string;
  /** Changes that were done again. */
  readonly changes: number;
  /** Where the former file was put; absent when there was none. */
  readonly former?: string;
}

/**
 * Makes the experiment database again from the raw files, descriptions and ledger that the object store keeps, also
 * where its file is lost or damaged. Fails with `ledger-lost` when something is missing for that; then nothing is
 * replaced.
 */
export async function rebuildExperiments(workspace: Workspace, options: RebuildOptions): Promise<RebuiltExperiments> {
  const home = experimentHome(workspace, options.database);
  if (isServer(home.database)) throw new Failure("not-embedded", { database: home.database });
  const { registry } = workspace;
  const { objects } = home;
  const { entries, former } = await rebuildDatabase(
    home,
    await registry.get("engine", "duckdb"),
    keptImports(objects, registry),
    {
      ...(options.ledger === undefined ? {} : { ledger: options.ledger }),
      done: options.progress ?? (() => {}),
    },
  );
  return { database: home.database, changes: entries, ...(former === undefined ? {} : { former }) };
}

function isServer(database: string): boolean {
  return /^postgres(?:ql)?:/.test(database);
}
