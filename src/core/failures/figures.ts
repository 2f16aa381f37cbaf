import type { FailureKind } from "./kind.ts";

/** Failures of views and renderers. */
export const figureFailures = {
  "nothing-to-draw": {
    exit: "nothingMatched",
    message: (d) => `nothing to draw: ${d.what}`,
    remedy: () => `widen the filter or import data first`,
  },
  "font-missing": {
    exit: "host",
    message: (d) => `no usable font for a ${d.medium} picture${d.path === undefined ? "" : `: ${d.path}`}`,
    remedy: () => `install perfkeep again, or write an svg instead`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
