import { Failure } from "../failures/index.ts";

/** A step to an ancestor: `~n` n times to the first parent, `^n` once to the n-th parent. */
export interface RevisionStep {
  readonly kind: "~" | "^";
  readonly count: number;
}

/** A parsed revision: a name and the steps from it (`main~2^2`). */
export interface RevisionExpression {
  readonly base: string;
  readonly steps: readonly RevisionStep[];
}

/** Maximum length of a revision, far below the system's limit for arguments. */
const longestRevision = 1000;

/** More than the length of any history. */
const mostSteps = 1e9;

/** Fails with `unknown-revision` if a program would take the text for an option, a search or several words. */
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
    throw new Failure("unknown-revision", { revision, reason: "only ~n and ^n are supported after a name" });
  const steps = [...rest.matchAll(/([~^])(\d*)/g)].map(([, kind, digits]) =>
    stepOf(revision, kind as "~" | "^", digits ?? ""),
  );
  return { base, steps };
}

function stepOf(revision: string, kind: "~" | "^", digits: string): RevisionStep {
  const count = digits === "" ? 1 : Number(digits);
  if (count > mostSteps)
    throw new Failure("unknown-revision", { revision, reason: "the number of steps is too large" });
  return { kind, count };
}

function unsafeReason(revision: string): string | null {
  if (revision === "") return "it is empty";
  if (revision.length > longestRevision) return `it is longer than ${longestRevision} characters`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f]/.test(revision)) return "it contains control characters";
  if (/^[-^:]/.test(revision)) return `a revision cannot start with '${revision[0]}'`;
  return null;
}
