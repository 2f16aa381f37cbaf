import { triageVerdicts, renderVerdicts } from "../../../commands/verdicts/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { counted } from "../../../core/text/index.ts";
import { type Failure, isFailure, exitStatus } from "../../../core/failures/index.ts";
import type { TriagedVerdict, CheckOutcome, Verdict } from "../../../core/verdicts/index.ts";
import { reportFailure } from "../../failure-line.ts";
import type { Session } from "../../session.ts";

/** Verdicts of a check with the decisions of `perfkeep.triage`. */
export interface TriagedVerdicts {
  readonly verdicts: readonly TriagedVerdict[];
  /** The exit status: 1 if something is worse and not accepted, else the status without regressions. */
  readonly status: number;
}

/** `otherwise` is the status without regressions, 0 or 3. Fails with `bad-triage` and `circular-names`. */
export async function applyTriageTo(
  session: Session,
  verdicts: readonly Verdict[],
  otherwise: number,
): Promise<TriagedVerdicts> {
  const triaged = await triageVerdicts(session.workspace, verdicts);
  return { verdicts: triaged, status: triaged.some(({ fails }) => fails) ? exitStatus.found : otherwise };
}

/** Prints verdicts if the format is one of `verdictFormats`; returns whether it is. */
export function printVerdicts(
  session: Session,
  title: string,
  { verdicts, status }: TriagedVerdicts,
  notes: readonly string[],
): boolean {
  const outcome: CheckOutcome =
    status === exitStatus.found ? "worse" : status === exitStatus.inconclusive ? "inconclusive" : "fine";
  const text = renderVerdicts(session.format, { title, outcome, verdicts, notes });
  if (text !== undefined) session.output.data(text);
  return text !== undefined;
}

/** The result of a comparison, or the failure if there is nothing to compare. */
export async function orNothingToCompare<Result>(work: Promise<Result>): Promise<Result | Failure> {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, "no-series") || isFailure(error, "nothing-to-compare")) return error;
    throw error;
  }
}

/**
 * Reports that nothing could be compared: an empty document in formats for programs (`empty` is the JSON document),
 * since a missing report looks like a check that did not run, then the failure. Returns the exit status; throws the
 * failure in other formats.
 */
export function reportEmpty(
  session: Session,
  title: string,
  failure: Failure,
  empty: { readonly schema: string; readonly fields: object },
): number {
  const { output, format } = session;
  if (format === "json") output.document(empty.schema, empty.fields);
  else if (!printVerdicts(session, title, { verdicts: [], status: exitStatus.inconclusive }, [failure.message]))
    throw failure;
  output.error(reportFailure(failure, session.program, format === "json", false).line);
  return failure.exit;
}

/** Notes the verdicts with a decision in perfkeep.triage. */
export function noteTriage(session: Session, { verdicts }: TriagedVerdicts): void {
  const decided = verdicts.filter(({ triage }) => triage !== null);
  for (const { verdict, triage } of decided.slice(0, 20)) {
    const since = verdict.since === null ? "" : ` since ${abbreviate(verdict.since.after)}`;
    const note = triage?.note === "" ? "" : `: ${triage?.note}`;
    session.output.note(`${verdict.subject.benchmark}: ${verdict.subject.metric}${since} is ${triage?.state}${note}`);
  }
  if (decided.length > 20) session.output.note(`and ${counted(decided.length - 20, "more decision")}`);
}
