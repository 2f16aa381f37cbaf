import { formatUnit } from "../../../core/values/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";

/** The JSON form of a verdict: the unit as text, NaN as null. */
export function verdictJson({ subject, levels: _, ...verdict }: Verdict): object {
  return { subject: { ...subject, unit: formatUnit(subject.unit) }, ...verdict };
}
