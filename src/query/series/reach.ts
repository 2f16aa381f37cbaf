import type { VersionId } from "../../core/versions/index.ts";
import { credibleSet, cutPosterior, type LevelChange, noiseAbout } from "../../math/detectors/index.ts";
import type { Finding } from "./finding.ts";
import type { Line } from "./line.ts";

/**
 * Posterior probability that the positions of a change have at least. More than the 95 % that are promised: of small
 * changes, those are found that chance made large, and perhaps moved.
 */
const wanted = 0.975;

/** Most versions of each level. */
const mostOfLevel = 20;

/**
 * Adds the positions that a change of level may have, between the other changes of the line, and the versions of both
 * levels around them. `calm`: the values without outliers.
 */
export function withReach(finding: Finding, line: Line, calm: Float64Array, changes: readonly LevelChange[]): Finding {
  if (finding.kind !== "change" && finding.kind !== "doubt" && finding.kind !== "tip") return finding;
  const others = changes.map(({ index }) => index).filter((index) => index !== finding.index);
  const from = others.findLast((index) => index < finding.index) ?? 0;
  const to = others.find((index) => index > finding.index) ?? calm.length;
  const noise = noiseAbout(
    calm,
    [...others, finding.index].sort((a, b) => a - b),
  );
  const { items, probability } = credibleSet(cutPosterior(calm, from, to, noise), wanted);
  const positions = items.map((item) => from + 1 + item);
  const versionAt = (at: number): VersionId | null => line.origins[at]?.version ?? null;
  const steps = positions.map((at) => ({ at: versionAt(at), before: versionAt(at - 1) }));
  const [first, last] = [positions[0] ?? finding.index, positions.at(-1) ?? finding.index];
  const levels = {
    before: versionsOf(line, from, first).slice(-mostOfLevel),
    after: versionsOf(line, last, to).slice(0, mostOfLevel),
  };
  const isCertain = positions.length === 1 && first === finding.index;
  return {
    ...finding,
    verdict: { ...finding.verdict, levels },
    ...(isCertain ? {} : { reach: { steps, probability } }),
  };
}

function versionsOf({ origins }: Line, from: number, to: number): VersionId[] {
  return [...new Set(origins.slice(from, to).flatMap(({ version }) => version ?? []))];
}
