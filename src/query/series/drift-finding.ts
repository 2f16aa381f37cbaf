import type { Subject } from "../../core/measurements/index.ts";
import { driftOf, type LevelChange } from "../../math/detectors/index.ts";
import type { Finding } from "./finding.ts";
import { type Quantiles, withZero } from "./level-comparison.ts";
import { confidence, sideOf } from "./line.ts";

/** Share of the points at each end whose levels are compared. */
const end = 1 / 6;

/**
 * The verdict of a series that drifts: its first and last sixth with the change between them, and the drift per point.
 * No commit is blamed; a machine that drifts looks the same. null: the series does not drift.
 */
export function driftFinding(
  subject: Subject,
  values: Float64Array,
  winsorized: Float64Array,
  changes: readonly LevelChange[],
  quantiles: Quantiles,
): Finding["verdict"] | null {
  const positions = changes.map(({ index }) => index);
  const drift = driftOf(winsorized, positions);
  if (drift === null) return null;
  const n = values.length;
  const points = Math.max(1, Math.round(n * end));
  const [before, after] = [sideOf(values, 0, points), sideOf(values, n - points, n)];
  const base = Math.abs(before.center);
  const delta = (after.center - before.center) / base;
  const half = (quantiles.of((1 + confidence) / 2, drift.freedom) * drift.error) / base;
  const perPoint = drift.slope / base;
  if (![delta, perPoint, half].every(Number.isFinite)) return null;
  const [low, high] = [perPoint - half, perPoint + half];
  const distance = n - points;
  return {
    subject,
    outcome: "inconclusive",
    before,
    after,
    delta,
    ...withZero({ deltaLow: Math.min(delta, low * distance), deltaHigh: Math.max(delta, high * distance) }),
    p: drift.p,
    test: "slope by Student's t",
    detectable: null,
    reason: [
      `drifts by ${signed(perPoint)} per point over ${n} points: no commit stands out`,
      "compare the first and the last one interleaved (run ab)",
    ].join("; "),
    doubt: "drift",
    drift: { perPoint, low, high },
  };
}

function signed(share: number): string {
  return `${share < 0 ? "−" : "+"}${Number(Math.abs(share * 100).toPrecision(2))} %`;
}
