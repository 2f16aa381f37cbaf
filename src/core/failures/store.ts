import type { FailureKind } from "./kind.ts";

/** Failures of the store (.perun). */
export const storeFailures = {
  "object-missing": {
    exit: "nothingMatched",
    message: (d) => `object ${d.digest} is not in the store`,
    remedy: () => `perfkeep log lists the stored profiles; perfkeep fsck finds what is lost`,
  },
  "object-damaged": {
    exit: "found",
    message: (d) => `object ${d.digest} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck; adding the same profile again heals it`,
  },
  "index-damaged": {
    exit: "found",
    message: (d) => `version index of ${d.version ?? "?"} is damaged: ${d.reason}`,
    remedy: () => `run perfkeep fsck`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
