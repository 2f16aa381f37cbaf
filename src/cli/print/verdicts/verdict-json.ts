import { formatUnit } from "../../../core/values/unit.ts";
import type { Verdict } from "../../../core/verdicts/verdict.ts";

/** A verdict as JSON has it: the unit as text, numbers that are none as null. */
export function verdictJson({ subject, ...verdict }: Verdict): object {
  return { subject: { ...subject, unit: formatUnit(subject.unit) }, ...verdict };
}
