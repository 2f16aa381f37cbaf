import type { ConfirmCommands } from "../../workspace/config/index.ts";
import {
  type ShareProgress,
  type ShareSettings,
  type ShareFilter,
  pull as pullFrom,
  type PullResult,
  push as pushTo,
  type PushResult,
} from "../../workspace/share/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { instant } from "../history/index.ts";
import { importReplayer } from "../import/index.ts";

/** Options of push and pull. */
export interface ShareOptions {
  /** Name or address of a remote; default: from the configuration. */
  readonly remote?: string;
  /** Only data measured then or later: a day or time, in UTC. */
  readonly since?: string;
  readonly collector?: string;
  /** Maximum object size, bytes. */
  readonly sizeLimit?: number;
  /** pull: skip damaged data. */
  readonly skipDamaged?: boolean;
  /** push: repair damaged data at the remote first. */
  readonly repair?: boolean;
  /** Send and change nothing. */
  readonly dryRun: boolean;
  readonly progress?: ShareProgress;
  /** Asks about programs that the repository's own configuration names for the remote; default: refuses them. */
  readonly confirm?: ConfirmCommands;
}

/** Fails with `bad-option`. */
function shareSettings(options: ShareOptions): ShareSettings {
  const { progress, skipDamaged = false, repair = false, confirm = null } = options;
  return {
    filter: filterOf(options),
    replay: importReplayer,
    skipsDamaged: skipDamaged,
    repairs: repair,
    confirm,
    ...(progress === undefined ? {} : { progress }),
  };
}

function filterOf({ since, collector, sizeLimit }: ShareOptions): ShareFilter {
  return {
    ...(since === undefined ? {} : { since: instant(since, "--since") / 1e6 }),
    ...(collector === undefined ? {} : { collector }),
    ...(sizeLimit === undefined ? {} : { sizeLimit }),
  };
}

/** Fetches and merges shared results after verifying them. */
export async function pull(workspace: Workspace, options: ShareOptions): Promise<PullResult> {
  return pullFrom(workspace, options.remote, shareSettings(options), options.dryRun);
}

/** Sends local changes to a remote. */
export async function push(workspace: Workspace, options: ShareOptions): Promise<PushResult> {
  return pushTo(workspace, options.remote, shareSettings(options), options.dryRun);
}
