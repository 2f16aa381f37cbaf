import type { FailureKind } from "./kind.ts";

/** Failures of running commands and jobs. */
export const runningFailures = {
  "tool-missing": {
    exit: "host",
    message: (d) => `${d.tool} was not found`,
    remedy: (d) => `install it: ${d.install}`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
