import type { FailureKind } from "./kind.ts";

/** Failures of profiles: their format, their origin, their look-up. */
export const profileFailures = {
  "not-a-profile": {
    exit: "badInput",
    message: (d) => `${d.file}: not a profile: ${d.reason}`,
    remedy: () => `a profile is one JSON object with a header and resources`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
