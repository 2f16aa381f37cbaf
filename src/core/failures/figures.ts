import type { FailureKind } from "./kind.ts";

/** Failures of views and renderers. */
export const figureFailures = {
  "nothing-to-draw": {
    exit: "nothingMatched",
    message: (d) => `nothing to draw: ${d.what}`,
    remedy: () => `widen the filter or import data first`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
