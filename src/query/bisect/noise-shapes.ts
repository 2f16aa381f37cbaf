/** A way in which measurements may scatter about their level. Its unit is the scale: the width of where most of them lie. */
export interface NoiseShape {
  /** How probable it is thought to be before anything was measured. */
  readonly prior: number;
  /** How far from the median of some measurements the level may lie, in scales: all of them may belong to the rarer of two peaks. */
  readonly reach: number;
  /** Logarithms of the density from -`tableEnd` to `tableEnd`, `perScale` for each scale. */
  readonly logDensities: Float64Array;
}

const perScale = 64;

/** Whatever lies further out than so many scales is equally odd. */
const tableEnd = 24;

/** Whatever the shape, now and then something else runs meanwhile: such a share of measurements is spread by Cauchy's distribution of this width. */
const outliers = { share: 0.03, width: 4 };

/**
 * The shapes that are thought possible: bells, bells with long tails, waiting times (skewed to the right; to the left for rates), and two peaks, as
 * where a program is laid out in memory in one of two ways. Harmless ones have less weight than real measurements would give them: few measurements
 * look harmless whatever they come from, and who is certain too early is wrong.
 */
export const noiseShapes: readonly NoiseShape[] = [
  shape(0.1, normal),
  shape(0.1, studentOfThree),
  shape(0.05, skewed(0.4)),
  shape(0.2, skewed(0.8)),
  shape(0.05, skewed(-0.4)),
  shape(0.15, skewed(-0.8)),
  ...[4, 8].flatMap((distance) => [0.15, 0.35, 0.5].map((share) => shape(0.045, twoPeaks(share, distance), distance))),
  ...[4, 8].flatMap((distance) => [0.15, 0.35].map((share) => shape(0.03, twoPeaks(share, -distance), distance))),
];

/** Adds to each sum the logarithm of the density of a value about the level of the same index, `weight` times. `levels` are `distance` apart. */
export function addLogDensities(
  sums: Float64Array,
  { logDensities }: NoiseShape,
  levels: { readonly first: number; readonly distance: number },
  { value, scale, weight }: { readonly value: number; readonly scale: number; readonly weight: number },
): void {
  const last = logDensities.length - 1;
  const start = ((value - levels.first) / scale + tableEnd) * perScale + 0.5;
  const stride = (levels.distance / scale) * perScale;
  for (let at = 0; at < sums.length; at++) {
    const place = Math.min(last, Math.max(0, start - at * stride));
    sums[at] = (sums[at] as number) + weight * (logDensities[Math.trunc(place)] as number);
  }
}

function shape(prior: number, density: (x: number) => number, reach = 0): NoiseShape {
  const { share, width } = outliers;
  const logDensities = Float64Array.from({ length: 2 * tableEnd * perScale + 1 }, (_, at) => {
    const x = at / perScale - tableEnd;
    return Math.log((1 - share) * density(x) + share / (Math.PI * width * (1 + (x / width) ** 2)));
  });
  return { prior, reach, logDensities };
}

function normal(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** Student's distribution with three degrees of freedom: the one with the longest tails that has a variance. */
function studentOfThree(x: number): number {
  return 2 / (Math.PI * Math.sqrt(3) * (1 + (x * x) / 3) ** 2);
}

/** What is normal by its logarithm, with its median at 0 and a width of about 1 there. */
function skewed(skew: number): (x: number) => number {
  return (x) => (1 + skew * x > 0 ? normal(Math.log1p(skew * x) / skew) / (1 + skew * x) : 0);
}

/** Such a share of the measurements lies about a second peak. */
function twoPeaks(share: number, distance: number): (x: number) => number {
  return (x) => (1 - share) * normal(x) + share * normal(x - distance);
}
