import { accessLevels, type AccessChange } from "../../core/experiments/experiment-update.ts";
import { Failure } from "../../core/failures/failure.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { PartServer } from "../../plugins/engines/engine.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { ExperimentRights } from "../../store/catalogue/experiment-access.ts";
import { namesOf } from "../../store/catalogue/rights.ts";
import type { SpreadOptions, ToldStatement } from "../../store/sharding/sharding.ts";
import { experimentHome, withExperiments, openShardServer } from "../../workspace/experiments/experiments.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface AccessOptions {
  readonly experiment: string;
  readonly action: AccessChange["action"];
  readonly level: AccessChange["level"];
  /** Names of users; a leading @ marks a group. */
  readonly names: readonly string[];
  readonly database?: string;
}

export interface ExperimentAccess extends ExperimentRights {
  /** In the spelling of its description. */
  readonly experiment: string;
}

/**
 * Gives users a right to an experiment, or takes it from them together with those that include it. Fails with
 * `role-unknown`, `right-missing`, and with `no-such-right` where there is nothing to take.
 */
export async function changeAccess(workspace: Workspace, options: AccessOptions): Promise<ExperimentAccess> {
  const now = workspace.world.now() * 1000;
  return withExperiments(workspace, experimentHome(workspace, options.database), "write", async (experiments) => {
    const stored = await experiments.find(options.experiment);
    const { name } = stored.experiment;
    const access = options.action === "grant" ? granting(options) : revoking(stored, options);
    const after = await experiments.update(stored, { experiment: name, about: {}, changes: [], access }, now);
    return { experiment: name, ...(await experiments.access.of(after)) };
  });
}

function granting({ names, level }: AccessOptions): AccessChange[] {
  return names.map((who) => ({ action: "grant", level, who }));
}

/** Who may write may read, too: taking the right to read takes all. */
function revoking({ experiment, owner }: StoredExperiment, { names, level }: AccessOptions): AccessChange[] {
  const lists = { read: experiment.readers, write: experiment.writers, admin: experiment.admins ?? [] };
  const levels = accessLevels.slice(accessLevels.indexOf(level));
  return names.flatMap((who) => {
    const having = levels.filter((each) => lists[each].includes(who));
    if (having.length > 0) return having.map((each): AccessChange => ({ action: "revoke", level: each, who }));
    const near = nearest(who.slice(0, 64), namesOf(experiment)).filter((each) => each !== who);
    throw new Failure("no-such-right", {
      experiment: experiment.name,
      who,
      right: level,
      near: near.join(", "),
      isOwner: who === owner ? 1 : 0,
    });
  });
}

/** Who may do what with an experiment. */
export async function showAccess(
  workspace: Workspace,
  experiment: string,
  database?: string,
): Promise<ExperimentAccess> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const stored = await experiments.find(experiment);
    return { experiment: stored.experiment.name, ...(await experiments.access.of(stored)) };
  });
}

export interface CreatorsOptions {
  readonly action: AccessChange["action"];
  readonly names: readonly string[];
  readonly database?: string;
}

/**
 * Lets users of a server make experiments, or no more; answers who may. Fails with `role-unknown`, `right-missing`,
 * `no-users`.
 */
export async function changeCreators(
  workspace: Workspace,
  { action, names, database }: CreatorsOptions,
): Promise<readonly string[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "write", (experiments) =>
    experiments.access.changeCreators(action, names),
  );
}

/** Who may make experiments on a server, besides the owner of the schema. */
export async function showCreators(workspace: Workspace, database?: string): Promise<readonly string[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", (experiments) =>
    experiments.access.creators(),
  );
}

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
    for (const url of over) servers.push(await openShardServer(workspace, url));
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
