import { accessLevels, type AccessChange } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import type { ShardServer } from "../../plugins/engines/engine.ts";
import { type StoredExperiment, type ExperimentRights, granteesOf } from "../../store/catalogue/index.ts";
import type { ShardingOptions, ServerStatement } from "../../store/sharding/index.ts";
import { experimentHome, openShardServer, withExperiment, withExperiments } from "../../workspace/experiments/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface AccessOptions {
  readonly experiment: string;
  readonly action: AccessChange["action"];
  readonly level: AccessChange["level"];
  /** User names; groups start with @. */
  readonly names: readonly string[];
  readonly database?: string;
}

export interface ExperimentAccess extends ExperimentRights {
  /** As spelled in its description. */
  readonly experiment: string;
}

/**
 * Grants users a right to an experiment, or revokes it with the rights that include it. Fails with `role-unknown`,
 * `right-missing`, and `no-such-right` if there is nothing to revoke.
 */
export async function changeAccess(workspace: Workspace, options: AccessOptions): Promise<ExperimentAccess> {
  const now = workspace.time();
  return withExperiment(workspace, options, "write", async (stored, experiments) => {
    const { name } = stored.experiment;
    const access = options.action === "grant" ? grants(options) : revocations(stored, options);
    const after = await experiments.update(stored, { experiment: name, about: {}, changes: [], access }, now);
    return { experiment: name, ...(await experiments.access.rightsOf(after)) };
  });
}

function grants({ names, level }: AccessOptions): AccessChange[] {
  return names.map((who) => ({ action: "grant", level, who }));
}

/** Write access includes read access: revoking `read` revokes all. */
function revocations({ experiment, owner }: StoredExperiment, { names, level }: AccessOptions): AccessChange[] {
  const lists = { read: experiment.readers, write: experiment.writers, admin: experiment.admins ?? [] };
  const levels = accessLevels.slice(accessLevels.indexOf(level));
  return names.flatMap((who) => {
    const having = levels.filter((each) => lists[each].includes(who));
    if (having.length > 0) return having.map((each): AccessChange => ({ action: "revoke", level: each, who }));
    const near = nearest(who.slice(0, 64), granteesOf(experiment)).filter((each) => each !== who);
    throw new Failure("no-such-right", {
      experiment: experiment.name,
      who,
      right: level,
      near: near.join(", "),
      isOwner: who === owner ? 1 : 0,
    });
  });
}

/** Rights to an experiment. */
export async function showAccess(
  workspace: Workspace,
  experiment: string,
  database?: string,
): Promise<ExperimentAccess> {
  return withExperiment(workspace, { experiment, database }, "read", async (stored, experiments) => {
    return { experiment: stored.experiment.name, ...(await experiments.access.rightsOf(stored)) };
  });
}

export interface CreatorsOptions {
  readonly action: AccessChange["action"];
  readonly names: readonly string[];
  readonly database?: string;
}

/**
 * Grants or revokes the right to create experiments on a server; returns all users who have it. Fails with
 * `role-unknown`, `right-missing`, `no-users`.
 */
export async function changeCreators(
  workspace: Workspace,
  { action, names, database }: CreatorsOptions,
): Promise<readonly string[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "write", (experiments) =>
    experiments.access.changeCreators(action, names),
  );
}

/** Users who may create experiments on a server, except the schema owner. */
export async function showCreators(workspace: Workspace, database?: string): Promise<readonly string[]> {
  return withExperiments(workspace, experimentHome(workspace, database), "read", (experiments) =>
    experiments.access.creators(),
  );
}

export interface ShardOptions {
  readonly experiment: string;
  /** Addresses of the data servers; empty: move all rows back to the experiment's server. */
  readonly over: readonly string[];
  readonly way: ShardingOptions["method"];
  /** Only print the statements. */
  readonly dryRun: boolean;
  readonly database?: string;
}

export interface ShardingResult {
  readonly experiment: string;
  readonly way: ShardingOptions["method"];
  /** Locations of the shards and their row counts; counts are unknown for dry runs and Citus. */
  readonly servers: readonly { readonly location: string; readonly rows?: number }[];
  /** In execution order; passwords are shown as `…`. */
  readonly statements: readonly ServerStatement[];
  readonly applied: boolean;
  /** False if the rows are already on these servers and only logins were updated. */
  readonly moved: boolean;
}

/**
 * Distributes the rows of an experiment over servers, or moves them back. Fails with `no-spreading`,
 * `wrapper-forbidden`, `data-server-password`, `parts-differ`.
 */
export async function shardExperiment(workspace: Workspace, options: ShardOptions): Promise<ShardingResult> {
  const { way, dryRun, over } = options;
  const servers: ShardServer[] = [];
  try {
    for (const url of over) servers.push(await openShardServer(workspace, url));
    return await withExperiment(workspace, options, "write", async (stored, experiments) => {
      const { name } = stored.experiment;
      if (over.length === 0 && stored.shards === undefined && way !== "citus")
        throw new Failure("no-spreading", {
          experiment: name,
          reason: "it is not sharded",
          advice: "name servers with experiment distribute --over",
        });
      const { statements, rows, moved } = await experiments.shard(stored, { servers, method: way, dryRun });
      const counts = servers.map(({ location }, at) => ({
        location,
        ...(dryRun || rows[at] === undefined ? {} : { rows: rows[at] }),
      }));
      return { experiment: name, way, servers: counts, statements, applied: !dryRun, moved };
    });
  } finally {
    for (const { engine } of servers) await engine.close();
  }
}
