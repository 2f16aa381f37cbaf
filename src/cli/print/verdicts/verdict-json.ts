import { formatUnit } from "../../../core/values/unit.ts";
import type { Verdict } from "../../../core/verdicts/verdict.ts";

/** The JSON form of a verdict: the unit as text, NaN as null. */
export function verdictJson({ subject, ...verdict }: Verdict): object {
  return { subject: { ...subject, unit: formatUnit(subject.unit) }, ...verdict };
}
