import { pull as pullFrom, type Pulled } from "../../workspace/share/pull.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { howOf, type ShareOptions } from "./share-options.ts";

/** Takes over what a remote has, once all of it has been verified. */
export async function pull(workspace: Workspace, options: ShareOptions): Promise<Pulled> {
  return pullFrom(workspace, options.remote, howOf(options), options.dryRun);
}
