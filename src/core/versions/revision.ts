import { Failure } from "../failures/failure.ts";

/** A step from a version to one before it: `~n` goes n times to the first parent, `^n` once to the n-th. */
export interface RevisionStep {
  readonly kind: "~" | "^";
  readonly count: number;
}

/** What a user's word for a version says: a name to start from and the steps from there (`main~2^2`). */
export interface RevisionExpression {
  readonly base: string;
  readonly steps: readonly RevisionStep[];
}

/** Longer words are no revisions; the system's limit for arguments is far above. */
const longestRevision = 1000;

/** More than any history is long; beyond it digits would be lost. */
const mostSteps = 1e9;

/**
 * Fails with `unknown-revision` on a word that a program would take for an option, for a search or for more than one
 * word.
 */
export function refuseUnsafeRevision(revision: string): void {
  const reason = unsafeReason(revision);
  if (reason) throw new Failure("unknown-revision", { revision: revision.slice(0, 100), reason });
}

/** Fails with `unknown-revision`. */
export function parseRevision(revision: string): RevisionExpression {
  refuseUnsafeRevision(revision);
  const base = /^[^~^]+/.exec(revision)?.[0] ?? "";
  const rest = revision.slice(base.length);
  if (!/^(?:[~^]\d*)*$/.test(rest))
    throw new Failure("unknown-revision", { revision, reason: "behind a name only ~n and ^n are understood" });
  const steps = [...rest.matchAll(/([~^])(\d*)/g)].map(([, kind, digits]) =>
    stepOf(revision, kind as "~" | "^", digits ?? ""),
  );
  return { base, steps };
}

function stepOf(revision: string, kind: "~" | "^", digits: string): RevisionStep {
  const count = digits === "" ? 1 : Number(digits);
  if (count > mostSteps)
    throw new Failure("unknown-revision", { revision, reason: "no version has so many before it" });
  return { kind, count };
}

function unsafeReason(revision: string): string | null {
  if (revision === "") return "it is empty";
  if (revision.length > longestRevision) return `it is longer than ${longestRevision} characters`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f]/.test(revision)) return "it holds control characters";
  if (/^[-^:]/.test(revision)) return `no version begins with '${revision[0]}'`;
  return null;
}
