import type { FailureKind } from "./kind.ts";

/** Failures of views and renderers. */
export const figureFailures = {
  "nothing-to-draw": {
    exit: "nothingMatched",
    message: (d) => `nothing to draw: ${d.what}`,
    remedy: (d) => `${d.instead ?? "widen the filter or import data first"}`,
  },
  "unknown-frame": {
    exit: "nothingMatched",
    message: (d) => `no stack has a frame called '${d.frame}'`,
    remedy: (d) => (d.near === "" ? `give the name of a frame as the flame graph has it` : `did you mean ${d.near}`),
  },
  "flame-graph-too-large": {
    exit: "badInput",
    message: (d) => `the inverted flame graph has more than ${d.frames} frames`,
    remedy: () => `choose a frame with focus, fold recursion with merged, or draw it plain`,
  },
  "flame-graphs-differ": {
    exit: "usage",
    message: (d) => `flame graphs of different forms cannot be compared: ${d.before} and ${d.after}`,
    remedy: () => `draw both with the same form, focus and recursion`,
  },
  "font-missing": {
    exit: "host",
    message: (d) => `no usable font for a ${d.medium} picture${d.path === undefined ? "" : `: ${d.path}`}`,
    remedy: () => `install perfkeep again, or write an svg instead`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
