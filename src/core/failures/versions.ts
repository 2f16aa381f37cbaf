import type { FailureKind } from "./kind.ts";

/** Failures of the version control system. */
export const versionFailures = {
  "unknown-revision": {
    exit: "nothingMatched",
    message: (d) => `unknown revision '${d.revision}'`,
    remedy: () => `perfkeep log lists the known versions`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
