import { collectShareGarbage, type ShareGarbage } from "../../workspace/share/collect-garbage.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** What was put in order. */
export interface Collected {
  readonly share: ShareGarbage;
}

/**
 * Packs anew what travelled, and drops what no remote leads to any more. Profiles, indexes and experiments are never
 * touched.
 */
export async function gc(workspace: Workspace): Promise<Collected> {
  return { share: await collectShareGarbage(workspace) };
}
