import type { FailureKind } from "./kind.ts";

/** Failures of what compares measurements and looks for changes. */
export const verdictFailures = {
  "bad-series": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}: ${d.reason}`,
    remedy: () =>
      `a table of series is CSV: a line of names, then a line for each place with its label and a number for each series, or nothing`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
