import type { ShareHow } from "../../workspace/share/open-share.ts";
import type { ShareWish } from "../../workspace/share/parts/share-part.ts";
import type { ShareProgress } from "../../workspace/share/git/share-progress.ts";
import { keptImports } from "../import/replay.ts";
import { instant } from "../history/time-span.ts";

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
export function howOf(options: ShareOptions): ShareHow {
  const { progress, skipDamaged = false, repair = false } = options;
  return {
    wish: wishOf(options),
    replay: keptImports,
    skipsDamaged: skipDamaged,
    repairs: repair,
    ...(progress === undefined ? {} : { progress }),
  };
}

function wishOf({ since, collector, sizeLimit }: ShareOptions): ShareWish {
  return {
    ...(since === undefined ? {} : { since: instant(since, "--since") / 1e6 }),
    ...(collector === undefined ? {} : { collector }),
    ...(sizeLimit === undefined ? {} : { sizeLimit }),
  };
}
