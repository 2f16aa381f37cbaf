import { Failure } from "../core/errors.ts";
import type { Table } from "../core/table.ts";
import type { VersionId } from "../core/digest.ts";
import { plan, type Output, type Question } from "../query/query.ts";
import { experimentHome, withExperiments } from "../workspace/experiments.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface QueryOptions extends Omit<Question, "versions"> {
  readonly experiment: string;
  /** Revisions as users write them; a range `a..b` means the versions that `b` has and `a` has not. */
  readonly commits?: readonly string[];
  readonly database?: string;
}

export interface QueryResult {
  readonly table: Table;
  /** What the columns are, parallel to the table's: which statistic of which variable. */
  readonly outputs: readonly Output[];
  readonly experiment: string;
}

/** Answers a question to one experiment. Fails with `nothing-selected` when no data set fits. */
export async function query(workspace: Workspace, options: QueryOptions): Promise<QueryResult> {
  const { commits, experiment, database, ...question } = options;
  const versions = commits === undefined ? {} : { versions: await versionsOf(workspace, commits) };
  return withExperiments(workspace, experimentHome(workspace, database), "read", async (experiments) => {
    const stored = await experiments.find(experiment);
    const planned = plan({ ...question, ...versions }, stored.experiment);
    const table = await experiments.select(stored, planned);
    if (table.length === 0) {
      const { length: runs } = await experiments.runs(stored, false);
      throw new Failure("nothing-selected", { experiment: stored.experiment.name, runs });
    }
    return { table, outputs: planned.outputs, experiment: stored.experiment.name };
  });
}

/** The versions that revisions and ranges of revisions mean. */
export async function versionsOf(workspace: Workspace, commits: readonly string[]): Promise<VersionId[]> {
  const vcs = await workspace.vcs();
  const found = new Set<VersionId>();
  for (const commit of commits) {
    const range = /^(.*?)\.\.(.*)$/.exec(commit);
    if (range === null) found.add(await vcs.resolve(commit));
    else for (const id of await between(workspace, range[1] ?? "", range[2] ?? "")) found.add(id);
  }
  return [...found];
}

/** An open end is the head. */
async function between(workspace: Workspace, from: string, to: string): Promise<VersionId[]> {
  const vcs = await workspace.vcs();
  const known = new Set<VersionId>();
  for await (const version of vcs.walk(await vcs.resolve(from || "HEAD"))) known.add(version.id);
  const found: VersionId[] = [];
  for await (const version of vcs.walk(await vcs.resolve(to || "HEAD"))) if (!known.has(version.id)) found.push(version.id);
  return found;
}
