import { push as pushTo, type Pushed } from "../../workspace/share/push.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { howOf, type ShareOptions } from "./share-options.ts";

/** Sends what was registered, removed and found here to a remote that lacks it. */
export async function push(workspace: Workspace, options: ShareOptions): Promise<Pushed> {
  return pushTo(workspace, options.remote, howOf(options), options.dryRun);
}
