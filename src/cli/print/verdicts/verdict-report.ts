import { triageVerdicts } from "../../../commands/verdicts/apply-triage.ts";
import { renderVerdicts } from "../../../commands/verdicts/render-verdicts.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { counted } from "../../../core/text/plural.ts";
import { type Failure, isFailure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { TriagedVerdict } from "../../../core/verdicts/triage.ts";
import type { CheckOutcome } from "../../../core/verdicts/verdict-report.ts";
import type { Verdict } from "../../../core/verdicts/verdict.ts";
import { reportFailure } from "../../failure-line.ts";
import type { Session } from "../../session.ts";

/** Verdicts of a check, honoured by `perfkeep.triage`. */
export interface HonouredVerdicts {
  readonly verdicts: readonly TriagedVerdict[];
  /** The exit status: 1 where something is worse that nobody decided about; else the one it has otherwise. */
  readonly status: number;
}

/** `otherwise`: the status where nothing fails, 0 or 3. Fails with `bad-triage`, `circular-names`. */
export async function honoured(
  session: Session,
  verdicts: readonly Verdict[],
  otherwise: number,
): Promise<HonouredVerdicts> {
  const triaged = await triageVerdicts(session.workspace, verdicts);
  return { verdicts: triaged, status: triaged.some(({ fails }) => fails) ? exitStatus.found : otherwise };
}

/** Prints the verdicts where the session wants one of `verdictFormats`; false where it wants another form. */
export function printVerdicts(
  session: Session,
  title: string,
  { verdicts, status }: HonouredVerdicts,
  notes: readonly string[],
): boolean {
  const outcome: CheckOutcome =
    status === exitStatus.found ? "worse" : status === exitStatus.inconclusive ? "inconclusive" : "fine";
  const text = renderVerdicts(session.format, { title, outcome, verdicts, notes });
  if (text !== undefined) session.output.data(text);
  return text !== undefined;
}

/** What a comparison comes to, or why there is nothing to compare. */
export async function orNothing<Result>(work: Promise<Result>): Promise<Result | Failure> {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, "no-series") || isFailure(error, "nothing-to-compare")) return error;
    throw error;
  }
}

/**
 * Where nothing could be compared at all: a report that says so, in the forms that programs read (`empty`: the one of
 * JSON), since a check that leaves no report looks like one that was never run; then the failure. Answers the exit
 * status. Fails with the failure in other forms.
 */
export function reportNothing(
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

/** Tells the person at the terminal which verdicts somebody decided about. */
export function noteTriage(session: Session, { verdicts }: HonouredVerdicts): void {
  const decided = verdicts.filter(({ triage }) => triage !== null);
  for (const { verdict, triage } of decided.slice(0, 20)) {
    const since = verdict.since === null ? "" : ` since ${abbreviate(verdict.since.after)}`;
    const note = triage?.note === "" ? "" : `: ${triage?.note}`;
    session.output.note(
      terminalText(`${verdict.subject.benchmark}: ${verdict.subject.metric}${since} is ${triage?.state}${note}`),
    );
  }
  if (decided.length > 20) session.output.note(`and ${counted(decided.length - 20, "more decision")}`);
}
