import type { DoubtKind, Verdict } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { credibleSet, cutPosterior, type LevelChange, type Noise, noiseAbout } from "../../math/detectors/index.ts";
import type { Line } from "./line.ts";
import { type Quantiles, withMove } from "./level-comparison.ts";

/** How a series is judged. */
export interface DetectionOptions {
  /** Name of the method, shown as the test. */
  readonly method: string;
  detect(values: Float64Array): readonly LevelChange[];
  /** Whether changes at a version count; others are context. null: all count. */
  readonly isIn: ((version: VersionId | null) => boolean) | null;
  /** The smallest change that counts, as a share. */
  readonly minEffect: number;
  /** Size of a change that has to be detectable before a series is reported as the same; default: `sameResolution`. */
  readonly resolution?: number;
  /** Source of the threshold if not the default, for people. */
  readonly thresholdOf?: string;
  /**
   * The smallest upward shift, in the unit of the values, that the detector reports with 80 % probability; null: none.
   * Absent: not computed.
   */
  detectable?(at: ShiftSpan, quantiles: Quantiles): number | null;
}

/** Index of the first point whose changes count; -1: none. */
export function firstInRange({ origins }: Line, { isIn }: DetectionOptions): number {
  return isIn === null ? 0 : origins.findIndex(({ version }) => isIn(version));
}

/** A possible shift: the values from `cut` to before `to`, after those from `from` on. */
export interface ShiftSpan {
  readonly values: Float64Array;
  /** Starts of the known levels. */
  readonly levelStarts: readonly number[];
  /** The values without levels and outliers. */
  readonly noise: Noise;
  readonly from: number;
  readonly cut: number;
  readonly to: number;
}

/** A verdict before the false-discovery control over all series. */
export interface Finding {
  readonly verdict: Omit<Verdict, "q" | "since">;
  /** Index of the first point of the new level. */
  readonly index: number;
  /** Versions of the first point of the new level and of the point before; null: unknown, or none. */
  readonly at: VersionId | null;
  readonly before: VersionId | null;
  /** Where the change may be instead of at `index`. Absent: nowhere. */
  readonly reach?: Reach;
  /**
   * change: a new level. doubt: one that may be the machine's. drift: a slow change without a commit. tip: the newest
   * points stand out, but are too few for a level. none: no change. unknown: not judgeable.
   */
  readonly kind: "change" | "doubt" | "drift" | "tip" | "none" | "unknown";
}

/** Positions of a change that together are almost certain. */
export interface Reach {
  /** Versions of the first point of the new level and of the point before, for each position, in order. */
  readonly steps: readonly Pick<Finding, "at" | "before">[];
  readonly probability: number;
}

/** A change that may be the machine's. */
export function doubted(finding: Finding, doubt: DoubtKind, reason: string): Finding {
  const verdict = { ...finding.verdict, ...withMove(finding.verdict), outcome: "inconclusive" as const, reason, doubt };
  return { ...finding, kind: "doubt", verdict };
}

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
  const levels = versionsAround(line, [from, first, last, to]);
  const isCertain = positions.length === 1 && first === finding.index;
  return {
    ...finding,
    verdict: { ...finding.verdict, levels },
    ...(isCertain ? {} : { reach: { steps, probability } }),
  };
}

/** The versions of two levels next to a change: those from `from` to `first`, and from `last` to `to`. */
export function versionsAround(
  line: Line,
  [from, first, last, to]: readonly [from: number, first: number, last: number, to: number],
): NonNullable<Verdict["levels"]> {
  return {
    before: versionsFrom(line, first - 1, from - 1).toReversed(),
    after: versionsFrom(line, last, to),
  };
}

/** The next versions from the point at `from` to before `to`, in either direction: those of a version are adjacent. */
function versionsFrom({ origins }: Line, from: number, to: number): VersionId[] {
  const versions = new Set<VersionId>();
  const step = Math.sign(to - from);
  for (let at = from; at !== to && versions.size < mostOfLevel; at += step) {
    const version = origins[at]?.version ?? null;
    if (version !== null) versions.add(version);
  }
  return [...versions];
}
