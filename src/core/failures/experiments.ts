import type { FailureKind } from "./kind.ts";

/** Failures of experiments: descriptions, imports, queries, the database. */
export const experimentFailures = {
  "unknown-experiment": {
    exit: "nothingMatched",
    message: (d) => `unknown experiment '${d.experiment}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: () => `perfkeep experiment list shows those that exist`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
