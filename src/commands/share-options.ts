import type { ShareWish } from "../workspace/share/share-part.ts";
import { instant } from "./time-span.ts";

/** What is asked of push and pull. */
export interface ShareOptions {
  /** Name of a remote, or an address; that of the configuration or the usual one when absent. */
  readonly remote?: string;
  /** Only what was measured then or later: a day or a time, in UTC. */
  readonly since?: string;
  readonly collector?: string;
  /** Bytes. */
  readonly sizeLimit?: number;
  /** Nothing is sent or changed. */
  readonly dryRun: boolean;
}

/** Fails with `bad-option`. */
export function wishOf({ since, collector, sizeLimit }: ShareOptions): ShareWish {
  return {
    ...(since === undefined ? {} : { since: instant(since, "--since") / 1e6 }),
    ...(collector === undefined ? {} : { collector }),
    ...(sizeLimit === undefined ? {} : { sizeLimit }),
  };
}
