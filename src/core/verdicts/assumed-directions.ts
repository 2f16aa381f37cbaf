import { firstNames } from "../text/index.ts";
import type { Verdict } from "./verdict.ts";

/** A note on the metrics called worse or better although nothing states their direction; empty: there are none. */
export function assumedDirectionNotes(verdicts: readonly Verdict[]): string[] {
  const decided = verdicts.filter(
    ({ subject, outcome }) => subject.isDirectionAssumed === true && (outcome === "worse" || outcome === "better"),
  );
  const metrics = [...new Set(decided.map(({ subject }) => subject.metric))];
  if (metrics.length === 0) return [];
  return [
    `lower values of ${firstNames(metrics, 3)} are assumed to be better: neither unit nor name states ` +
      "it; if they are not, pass --better higher or declare better=higher for the result",
  ];
}
