import { Failure } from "../../core/failures/failure.ts";
import type { PartServer } from "../../plugins/engines/engine.ts";
import type { SpreadOptions, ToldStatement } from "../../store/sharding/sharding.ts";
import { experimentHome, openPart, withExperiments } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface DistributeOptions {
  readonly experiment: string;
  /** Addresses of the data servers; none: all rows come back to the server of the experiment. */
  readonly over: readonly string[];
  readonly way: SpreadOptions["way"];
  /** Say what would be done, do nothing. */
  readonly dryRun: boolean;
  readonly database?: string;
}

export interface Distribution {
  readonly experiment: string;
  readonly way: SpreadOptions["way"];
  /** Where the parts are, and how many data sets each has; unknown where nothing was done, and of Citus. */
  readonly servers: readonly { readonly place: string; readonly dataSets?: number }[];
  /** In their order; passwords are `…`. */
  readonly statements: readonly ToldStatement[];
  readonly applied: boolean;
  /** False where the rows lie on these servers already: then only their logins are told anew. */
  readonly moved: boolean;
}

/**
 * Spreads the rows of an experiment over servers, or brings them back. Fails with `no-spreading`, `wrapper-forbidden`,
 * `data-server-password`, `parts-differ`.
 */
export async function distributeExperiment(workspace: Workspace, options: DistributeOptions): Promise<Distribution> {
  const { way, dryRun, over } = options;
  const servers: PartServer[] = [];
  try {
    for (const url of over) servers.push(await openPart(workspace, url));
    return await withExperiments(
      workspace,
      experimentHome(workspace, options.database),
      "write",
      async (experiments) => {
        const stored = await experiments.find(options.experiment);
        const { name } = stored.experiment;
        if (over.length === 0 && stored.parts === undefined && way !== "citus")
          throw new Failure("no-spreading", {
            experiment: name,
            reason: "it lies in one place",
            advice: "name servers with experiment distribute --over",
          });
        const { statements, dataSets, moved } = await experiments.spread(stored, { servers, way, dryRun });
        const counts = servers.map(({ place }, at) => ({
          place,
          ...(dryRun || dataSets[at] === undefined ? {} : { dataSets: dataSets[at] }),
        }));
        return { experiment: name, way, servers: counts, statements, applied: !dryRun, moved };
      },
    );
  } finally {
    for (const { engine } of servers) await engine.close();
  }
}
