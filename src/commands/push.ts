import { push as pushTo, type Pushed } from "../workspace/share/push.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { keptImports } from "./import-replay.ts";
import { wishOf, type ShareOptions } from "./share-options.ts";

/** Sends what was registered, removed and found here to a remote that lacks it. */
export async function push(workspace: Workspace, options: ShareOptions): Promise<Pushed> {
  return pushTo(workspace, options.remote, { wish: wishOf(options), replay: keptImports }, options.dryRun);
}
