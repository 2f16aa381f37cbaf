import type { FailureKind } from "./kind.ts";

/** Failures of configuration files. */
export const configFailures = {
  "no-instance": {
    exit: "usage",
    message: (d) => `no .perun directory in ${d.path} or above`,
    remedy: () => `run perfkeep init in the root of the repository`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
