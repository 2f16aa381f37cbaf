import type { ShareProgress } from "../../workspace/share/git/share-progress.ts";
import type { ShareSettings } from "../../workspace/share/open-share.ts";
import type { ShareFilter } from "../../workspace/share/parts/share-part.ts";
import { pull as pullFrom, type PullResult } from "../../workspace/share/pull.ts";
import { push as pushTo, type PushResult } from "../../workspace/share/push.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { instant } from "../history/time-span.ts";
import { keptImports } from "../import/replay.ts";

/** What is asked of push and pull. */
export interface ShareOptions {
  /** Name of a remote, or an address; that of the configuration or the usual one when absent. */
  readonly remote?: string;
  /** Only what was measured then or later: a day or a time, in UTC. */
  readonly since?: string;
  readonly collector?: string;
  /** Bytes. */
  readonly sizeLimit?: number;
  /** Of a pull: what is damaged is left out. */
  readonly skipDamaged?: boolean;
  /** Of a push: what is damaged at the remote is repaired first. */
  readonly repair?: boolean;
  /** Nothing is sent or changed. */
  readonly dryRun: boolean;
  readonly progress?: ShareProgress;
}

/** Fails with `bad-option`. */
export function howOf(options: ShareOptions): ShareSettings {
  const { progress, skipDamaged = false, repair = false } = options;
  return {
    filter: wishOf(options),
    replay: keptImports,
    skipsDamaged: skipDamaged,
    repairs: repair,
    ...(progress === undefined ? {} : { progress }),
  };
}

function wishOf({ since, collector, sizeLimit }: ShareOptions): ShareFilter {
  return {
    ...(since === undefined ? {} : { since: instant(since, "--since") / 1e6 }),
    ...(collector === undefined ? {} : { collector }),
    ...(sizeLimit === undefined ? {} : { sizeLimit }),
  };
}

/** Takes over what a remote has, once all of it has been verified. */
export async function pull(workspace: Workspace, options: ShareOptions): Promise<PullResult> {
  return pullFrom(workspace, options.remote, howOf(options), options.dryRun);
}

/** Sends what was registered, removed and found here to a remote that lacks it. */
export async function push(workspace: Workspace, options: ShareOptions): Promise<PushResult> {
  return pushTo(workspace, options.remote, howOf(options), options.dryRun);
}
