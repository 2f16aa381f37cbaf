import type { Workspace } from "../../workspace/workspace.ts";
import type { RebuiltExperiments } from "./rebuild.ts";

/** The recovery of workspaces: loads what a rebuild needs once a database is damaged. */
export async function rebuildDamaged(workspace: Workspace, database: string): Promise<RebuiltExperiments> {
  const { rebuildExperiments } = await import("./rebuild.ts");
  return rebuildExperiments(workspace, { database });
}
