import type { Subject } from "../../../core/measurements/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";

/** The JSON form of a verdict: the unit as text, NaN as null. */
export function verdictJson({ subject, levels: _, ...verdict }: Verdict): object {
  return { subject: subjectJson(subject), ...verdict };
}

/** The JSON form of a subject: the unit as text. */
export function subjectJson(subject: Subject): object {
  const { source, key, benchmark, metric, unit, better, isDirectionAssumed } = subject;
  const assumed = isDirectionAssumed === undefined ? {} : { isDirectionAssumed };
  return { source, key, benchmark, metric, unit: formatUnit(unit), better, ...assumed };
}
