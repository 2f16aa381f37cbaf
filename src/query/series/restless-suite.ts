import type { Finding } from "./finding.ts";
import { remedy } from "./doubt.ts";
import { withMove } from "./level-comparison.ts";

/** Fewest series of a suite. */
const fewestSeries = 5;

/** A change of the machine is comparable to a change if it has at least this share of its size. */
const comparable = 0.5;

/** Largest share of other series with comparable changes of the machine. */
const mostMoving = 1 / 3;

/**
 * Doubts changes where many other series of the suite change as much by themselves: there, a series that changes only
 * once is no exception. `findings`: those of the series of one metric.
 */
export function doubtInRestlessSuite(findings: readonly Finding[][]): Finding[][] {
  if (findings.length < fewestSeries) return [...findings];
  const moves = findings.map((own) => Math.max(0, ...own.filter(isMove).map(sizeOf)));
  return findings.map((own) =>
    own.map((finding) => {
      if (finding.kind !== "change" || finding.verdict.growth !== undefined) return finding;
      const size = comparable * sizeOf(finding);
      const moving = moves.filter((move) => move >= size).length;
      if (moving <= mostMoving * findings.length) return finding;
      const reason = `${moving} of ${findings.length} series change as much by themselves: the machine; ${remedy}`;
      const { verdict } = finding;
      return {
        ...finding,
        kind: "doubt" as const,
        verdict: {
          ...verdict,
          ...withMove(verdict),
          outcome: "inconclusive" as const,
          reason,
          doubt: "suite" as const,
        },
      };
    }),
  );
}

function isMove({ kind, verdict }: Finding): boolean {
  return kind === "drift" || (kind === "doubt" && verdict.doubt !== "shared");
}

/** The change on a logarithmic scale; 0 if unknown. */
function sizeOf({ verdict: { delta } }: Finding): number {
  return delta === null || delta <= -1 ? 0 : Math.abs(Math.log1p(delta));
}
