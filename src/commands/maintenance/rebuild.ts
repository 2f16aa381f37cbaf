import { Failure } from "../../core/failures/index.ts";
import { experimentHome, isServer, rebuildDatabase } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { importReplayer } from "../import/index.ts";

export interface RebuildOptions {
  readonly database?: string;
  /** Ledger of the database, if there were several and the file is lost or newer. */
  readonly ledger?: string;
  /** Number of replayed changes. */
  readonly progress?: (done: number, total: number) => void;
}

export interface RebuiltExperiments {
  readonly database: string;
  /** Number of replayed changes. */
  readonly changes: number;
  /** What was wrong with the list of the ledger; its entries were then found by reading all objects. */
  readonly listDamage?: string;
  /** New path of the former file, if there was one. */
  readonly backup?: string;
}

/**
 * Rebuilds the experiment database from the raw files, descriptions and ledger in the object store, even if its file is
 * lost or damaged. Fails with `ledger-lost` if something is missing, replacing nothing.
 */
export async function rebuildExperiments(workspace: Workspace, options: RebuildOptions): Promise<RebuiltExperiments> {
  const home = experimentHome(workspace, options.database);
  if (isServer(home.database)) throw new Failure("not-embedded", { database: home.database });
  const { registry } = workspace;
  const { objects } = home;
  const { entries, former, listDamage } = await rebuildDatabase(
    home,
    await registry.get("engine", "duckdb"),
    importReplayer(objects, registry),
    {
      ...(options.ledger === undefined ? {} : { ledger: options.ledger }),
      done: options.progress ?? (() => {}),
    },
  );
  return {
    database: home.database,
    changes: entries,
    ...(listDamage === undefined ? {} : { listDamage }),
    ...(former === undefined ? {} : { backup: former }),
  };
}
