import type { FailureKind } from "./kind.ts";

/** Failures of the command line itself. */
export const usageFailures = {
  "unknown-choice": {
    exit: "usage",
    message: (d) => `unknown ${d.kind} '${d.value}'`,
    remedy: (d) => `choose from ${listed(d.choices)}`,
  },
  "bad-option": {
    exit: "usage",
    message: (d) => `option ${d.option}: '${d.value}' is not ${d.expected}`,
    remedy: (d) => `see perfkeep ${d.command ?? "help"} --help`,
  },
  "unusable-combination": {
    exit: "usage",
    message: (d) => `${d.what}`,
    remedy: (d) => `${d.instead}`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

function listed(choices: unknown): string {
  return Array.isArray(choices) ? choices.join(", ") : String(choices);
}
